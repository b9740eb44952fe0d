"""Which places a link speaks of, how near they lie to each other, and how much it is about them.

Evidence comes from the host and path of the URL, from the registration record of its domain, from
the anchor, and from the words around it. Each piece keeps its source, so that a priority can be
explained and an experiment can leave a source out.

A name may be borne by many places, and the most populous one is often wrong: next to Boston,
Cambridge is not the one in England. Each name is narrowed, first by a qualifier ("Cambridge,
MA", or "Massachusetts" somewhere in the link), then by the region of the crawl; narrowing never
leaves a name without a place. Of what is then left, either the first sense is taken, or people and
nearness are weighed (K-7 in docs/rank.md): the set of senses that lies closest together would make
`corr` blind, which is to tell how close together they lie.

`corr`, the spatial correlation: the paper prints `1 - distance` without a unit (K-2), so the
distance is measured against a reference length. Which one is an option: by default the mainland of
the countries the crawl is about, since half way round the globe no pair inside one country would
ever be far apart. `focus`: the paper divides the toponyms of "the anchor text" by its terms, but
finds them in a sliding window of 50 tokens. Both readings are here (K-5 and K-6).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import exp, inf, log
from operator import itemgetter
from typing import NamedTuple

from msgspec.structs import replace

from geoscout.registrations import RegistrationRecord, registration_of
from geoscout.strategy.registrants import registrant_place
from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.areas.boundaries import decode_rings
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.shapes import Ring, measure_diameter
from geoscout_places.gazetteer.areas.sphere import HALF_WAY_ROUND_KM, distance_km, wrap_longitude
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Kind, Link, NameRole, Place, Point
from geoscout_places.toponyms import sight
from geoscout_places.toponyms.geowordnet import FEW_LETTERS
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader
from geoscout_places.urls import host_of, path_tokens

_MOST_SENSES = 8  # of one name that are tried; the ninth Springfield is never the answer
_MOST_MIDDLES = 96  # of all names: a page of links among 60 names still takes milliseconds
# Chosen on pairs of American towns, of seeds that benchmarks/senses.py does not draw.
_NEXT_TO_EACH_OTHER, _NEAR_KM = 300.0, 60.0
_FEW_PEOPLE = 500  # where none are known
_ALIAS = 50.0  # times the people of who is called so; as when GeoWordNet was georeferenced
# A place abroad is meant before one at home from so many times its people: it is four times as
# likely that a crawl's link speaks of its region as of all the rest of the world.
_PEOPLE_ABROAD = 4 * 8e9
_MOST_CODED = 20_000
_WIDE = frozenset((Kind.COUNTRY, Kind.REGION, Kind.DISTRICT))


class SenseChooser:
    """Chooses the places that the names of a link mean."""

    def __init__(self, gazetteer: Gazetteer, home: Region | None, how: str) -> None:
        """`how` is "weighed", "first" or "population", which looks at nothing else."""
        self._gazetteer = gazetteer
        self._home = home
        self._how = how
        people = sum(place.population for place in home.places) if home else 0
        self._abroad = _PEOPLE_ABROAD / people if people and how == "weighed" else inf

    def choose(self, toponyms: Sequence[Toponym]) -> list[Place]:
        """The place of each name, each place once."""
        if self._how == "population":
            return _distinct(max(t.senses, key=lambda place: place.population) for t in toponyms)
        narrowed = [self._at_home(self._inside(one, toponyms)) for one in toponyms]
        if self._how == "first":
            return _distinct(toponym.senses[0] for toponym in narrowed)
        return likeliest_senses(narrowed)

    def _inside(self, toponym: Toponym, others: Sequence[Toponym]) -> Toponym:
        """The senses that lie in an area another name means: Cambridge with Massachusetts."""
        if len(toponym.senses) == 1:
            return toponym
        areas = [
            place
            for other in others
            if other.name != toponym.name
            for place in other.senses
            if place.kind in _WIDE
        ]
        return _within(toponym, areas, self._gazetteer)

    def _at_home(self, toponym: Toponym) -> Toponym:
        """The senses in the region, and those abroad that are larger by far."""
        if self._home is None or len(toponym.senses) == 1:
            return toponym
        home = [place for place in toponym.senses if self._home.contains_place(place)]
        least = max([place.population for place in home], default=0) * self._abroad
        ids = {place.id for place in home}
        return _narrow(toponym, lambda place: place.id in ids or place.population > least > 0)


class CodeReader:
    """Narrows names by the code of a state or country after them: "Cambridge, MA"."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        self._known = BoundedCache(self._coded, _MOST_CODED)

    def narrow(self, toponym: Toponym, text: str, *, is_lower: bool = False) -> Toponym:
        """The senses in the area of the code; all where none follows the name in the text.

        `is_lower`: the text is the words of a path, where codes are in small letters.
        """
        if len(toponym.senses) == 1:
            return toponym
        name, letters = re.escape(toponym.name), "[a-z]" if is_lower else "[A-Z]"
        pattern = rf"\b{name.lower() if is_lower else name},? ({letters}{{2}})\b"
        found = re.search(pattern, sight(text))
        return self._known[toponym, found[1].upper()] if found else toponym

    def _coded(self, key: tuple[Toponym, str]) -> Toponym:
        toponym, code = key
        areas = [
            found.place
            for found in self._gazetteer.candidates(code)
            if found.role is not NameRole.DEMONYM and found.place.kind in _WIDE
        ]
        return _within(toponym, areas, self._gazetteer)


def without_short_aliases(toponym: Toponym) -> Toponym | None:
    """The name with those of its places that are really called so; None for an alias of all.

    Only names of a few letters are looked at: LA, NYC and USA count as codes, not as names.
    """
    if len(toponym.name) > FEW_LETTERS:
        return toponym
    name = fold(toponym.name)
    senses = tuple(place for place in toponym.senses if fold(place.name) == name)
    return replace(toponym, senses=senses) if senses else None


def _within(toponym: Toponym, areas: Sequence[Place], gazetteer: Gazetteer) -> Toponym:
    def is_within(place: Place) -> bool:
        return any(a.id != place.id and gazetteer.is_inside(place, a) for a in areas)

    return _narrow(toponym, is_within) if areas else toponym


def _narrow(toponym: Toponym, test: Callable[[Place], bool]) -> Toponym:
    """The senses that pass the test, or all where none does."""
    fitting = tuple(filter(test, toponym.senses))
    return replace(toponym, senses=fitting) if fitting else toponym


def likeliest_senses(toponyms: Sequence[Toponym]) -> list[Place]:
    """The senses that have most people and lie closest together, both weighed.

    A larger bearer loses only to one that is next to another name's: Cambridge beside Boston is in
    Massachusetts, but Boston beside Los Angeles is no village near there. Senses of every name are
    tried as the middle, to which each other name brings its likeliest sense; trying all
    combinations would be exponential, and the star finds the same cluster.
    """
    best: list[Place] = []
    most = -inf
    weighed = [_weigh(toponym) for toponym in toponyms]
    tried = max(1, _MOST_MIDDLES // max(1, len(toponyms)))
    for number, senses in enumerate(weighed[:_MOST_MIDDLES]):
        for weight, middle in senses[:tried]:
            others = [_likeliest(other, middle) for other in weighed]
            others[number] = weight, middle
            total = sum([weight for weight, _ in others])
            if total > most:  # on a tie the earlier, likelier sense stays
                best, most = [place for _, place in others], total
    if len(best) > 2:  # a second pair of names may lie elsewhere than the middle
        best = [_beside(weighed[n], [*best[:n], *best[n + 1 :]]) for n in range(len(best))]
    return _distinct(best)


def _beside(senses: Sequence[tuple[float, Place]], others: Sequence[Place]) -> Place:
    """The likeliest of the senses next to whichever other place is nearest to it."""
    if len(senses) == 1:
        return senses[0][1]
    near = [max([_closeness(place, other) for other in others]) for _, place in senses]
    return max(zip(senses, near, strict=True), key=lambda found: found[0][0] + found[1])[0][1]


def _likeliest(senses: Sequence[tuple[float, Place]], middle: Place) -> tuple[float, Place]:
    if len(senses) == 1:
        weight, place = senses[0]
        return weight + _closeness(place, middle), place
    return max(
        [(weight + _closeness(place, middle), place) for weight, place in senses], key=itemgetter(0)
    )


def _closeness(place: Place, middle: Place) -> float:
    """How much likelier two places are named together, as a logarithm; none when far apart."""
    distance = distance_km(place.point, middle.point)
    return log(1 + _NEXT_TO_EACH_OTHER / (1 + (distance / _NEAR_KM) ** 2) ** 3)


def _weigh(toponym: Toponym) -> list[tuple[float, Place]]:
    """The senses, each with the logarithm of its people, likeliest first; fewer for an alias."""
    name = fold(toponym.name)
    weighed = [
        (log(max(place.population, _FEW_PEOPLE)) - _of_alias(name, place), place)
        for place in toponym.senses
    ]
    return sorted(weighed, key=itemgetter(0), reverse=True)[:_MOST_SENSES]


def _of_alias(name: str, place: Place) -> float:
    return 0.0 if name in (own := fold(place.name), own.removesuffix(" city")) else log(_ALIAS)


def _distinct(places: Iterable[Place]) -> list[Place]:
    return list({place.id: place for place in places}.values())


_PARAMETER = re.compile(r"([?&])[^=&]*=")
SOURCES = ("host", "path", "anchor", "before", "after", "registration")


@dataclass(frozen=True, slots=True)
class Clue:
    """A toponym and where it was found."""

    toponym: Toponym
    source: str  # one of SOURCES


class Context(NamedTuple):
    """What is known of a link's places, and the texts they were found in."""

    url: str
    anchor: str
    before: str
    after: str
    evidence: tuple[Clue, ...]  # in the order of SOURCES


class StructuralParser:
    """Reads the place evidence of links."""

    def __init__(
        self, reader: ToponymReader, gazetteer: Gazetteer, *, in_wordnet: bool = False
    ) -> None:
        """`in_wordnet`: a registrant is in the narrowest area that GeoWordNet knows."""
        self._reader = reader
        self._codes = CodeReader(gazetteer)
        self._in_wordnet = in_wordnet
        self._gazetteer = gazetteer
        self._registrations: dict[str, RegistrationRecord] = {}
        self._registered: dict[str, tuple[Toponym, ...]] = {}  # domain -> its place

    def add_registrations(self, records: Mapping[str, RegistrationRecord]) -> None:
        """Take registrations into account, by domain."""
        self._registrations.update(records)

    def read_links(self, links: Sequence[Link]) -> list[Context]:
        """The evidence of each link, which brings its window; all texts together cost one pass."""
        urls = [link.url for link in links]
        anchors = [link.anchor or link.alt for link in links]
        befores = [link.before for link in links]
        afters = [link.after for link in links]
        paths = [path_tokens(_without_parameters(url)) for url in urls]
        path_texts = [" ".join(path) for path in paths]
        texts = [*path_texts, *anchors, *befores, *afters]
        found, count = self._reader.in_texts(texts, raised=2 * len(links)), len(links)
        by_source = (
            self._reader.in_hosts(urls),
            [(*f, *self._reader.run_together(p, f)) for f, p in zip(found, paths, strict=False)],
            *(found[part * count : (part + 1) * count] for part in (1, 2, 3)),
            list(map(self.registered_in, urls)) if self._registrations else [()] * count,
        )
        evidence = map(self._counting, map(_join, *by_source), path_texts, anchors, befores, afters)
        return list(map(Context, urls, anchors, befores, afters, evidence))

    def _counting(self, clues: tuple[Clue, ...], *texts: str) -> tuple[Clue, ...]:
        """The clues of one link without short aliases, narrowed by the codes after their names.

        `texts` are its path, its anchor, and the words before and after it.
        """
        if not clues:
            return ()
        by_source = dict(zip(SOURCES[1:5], texts, strict=True))
        counting = []
        for clue in clues:
            toponym = without_short_aliases(clue.toponym)
            if toponym is not None and (text := by_source.get(clue.source)):
                toponym = self._codes.narrow(toponym, text, is_lower=clue.source == "path")
            if toponym is not None:
                counting.append(Clue(toponym, clue.source))
        return tuple(counting)

    def read_url(self, url: str) -> tuple[Clue, ...]:
        """The evidence of a normal URL alone, such as a seed."""
        bare = Link.to(url)
        return self.read_links([bare])[0].evidence

    def registered_in(self, url: str) -> tuple[Toponym, ...]:
        """Where the registrant of the URL's domain is."""
        record = registration_of(host_of(url), self._registrations)
        if record is None:
            return ()
        if record.domain not in self._registered:
            place = self._registrant_place(record)
            found = place and Toponym(place.name, (place,), len(place.name.split()))
            self._registered[record.domain] = (found,) if found else ()
        return self._registered[record.domain]

    def _registrant_place(self, record: RegistrationRecord) -> Place | None:
        place = registrant_place(record, self._gazetteer)
        if place is None or not self._in_wordnet:
            return place
        around = (place, *self._gazetteer.ancestors(place))
        return next((area for area in around if self._gazetteer.synsets(area)), None)


def _without_parameters(url: str) -> str:
    """The URL without the names of its parameters, which are the programmer's: "sid", "print".

    >>> _without_parameters("http://example.org/find?city=Boston&sid=7")
    'http://example.org/find?Boston&7'
    """
    return _PARAMETER.sub(r"\1", url) if "=" in url else url


def _join(*by_source: Sequence[Toponym]) -> tuple[Clue, ...]:
    """The toponyms of one link, each with its source; most links have none."""
    if not any(by_source):
        return ()
    pairs = zip(SOURCES, by_source, strict=True)
    return tuple([Clue(toponym, source) for source, found in pairs for toponym in found])


_TERM = re.compile(r"\w[\w'’.-]*")
_ANCHOR = ("anchor",)
_WINDOW = ("anchor", "before", "after")


def mean_distance_km(places: Sequence[Place]) -> float:
    """The mean great-circle distance over all pairs; 0 where there is none."""
    pairs = len(places) * (len(places) - 1) // 2
    if not pairs:
        return 0.0
    return sum(distance_km(a.point, b.point) for a, b in combinations(places, 2)) / pairs


def correlation(mean_km: float, reference_km: float) -> float:
    """1 for places at one spot, 0 for those as far apart as the reference length.

    >>> round(correlation(4.0, 4500.0), 3), correlation(9000.0, 4500.0)
    (0.999, 0.0)
    """
    if reference_km <= 0:
        return 1.0 if mean_km <= 0 else 0.0
    return min(1.0, max(0.0, 1.0 - mean_km / reference_km))


def decaying_correlation(mean_km: float, scale_km: float) -> float:
    """The same with a decay in place of a straight line: half at 0.69 of the scale."""
    return exp(-mean_km / scale_km)


def reference_area_km(region: Region | None, gazetteer: Gazetteer) -> float:
    """The greatest distance in the mainland of the region's countries; in the region without.

    Mainland, because Alaska and Réunion are not what "the United States" and "France" mean here:
    the contiguous states measure some 4,600 km, with Hawaii it would be 8,900. Without a region
    it is half way round the globe.
    """
    if region is None:
        return HALF_WAY_ROUND_KM
    mainlands = [_mainland(code, gazetteer) for code in sorted(region.countries)]
    outline = [point for mainland in mainlands for point in mainland]
    return measure_diameter(outline) or region.diameter_km or HALF_WAY_ROUND_KM


def _mainland(country: str, gazetteer: Gazetteer) -> list[Point]:
    """The outline of the largest part of a country; empty where no boundary is known."""
    for candidate in gazetteer.candidates(country):
        place = candidate.place
        if place.kind is Kind.COUNTRY and place.country == country:
            boundary = gazetteer.boundary(place)
            if boundary is not None:
                ring = max(decode_rings(boundary).rings, key=_area)
                return [Point(latitude, wrap_longitude(x)) for x, latitude in ring]
    return []


def _area(ring: Ring) -> float:
    """Twice the area on the map; good enough to tell a mainland from its islands."""
    closed = (*ring, ring[0])
    return abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(closed)))


def focus_in(context: Context, text: str, count: str) -> float:
    """The share of place names, from 0 to 1; 0 where there are no terms.

    `text` is "anchor", "window" or "anchor-or-window": the window where the anchor has no terms.
    `count` is "entities", where New York is one, or "tokens", where it is two.
    """
    if not context.evidence:
        return 0.0
    if text == "window" or (text == "anchor-or-window" and not _TERM.search(context.anchor)):
        texts = (context.before, context.anchor, context.after)
        return _share(context, _WINDOW, sum(map(_count_terms, texts)), count)
    return _share(context, _ANCHOR, _count_terms(context.anchor), count)


def _share(context: Context, sources: tuple[str, ...], terms: int, count: str) -> float:
    found = [piece.toponym for piece in context.evidence if piece.source in sources]
    if not found or not terms:
        return 0.0
    named = sum(toponym.words for toponym in found) if count == "tokens" else len(found)
    return min(1.0, named / terms)


def _count_terms(text: str) -> int:
    return len(_TERM.findall(text)) if text else 0
