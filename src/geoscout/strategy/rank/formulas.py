"""`Rank` of Kozanidis, Stamou and Spiros (2009) for links and seeds, and its open readings.

The paper leaves much open: docs/rank.md has every reading (K-1 to K-14). Those that concern the
order of links are options here, with the reading we take for the right one as default.

The strategy `rank` and the seed filter share this module. What is kept of a link that waits is its
focus and the places it named: the link itself is gone by the time a registry has told who
registered its domain, and these are enough to rank it again.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from geoscout.registrations import RegistrationRecord
from geoscout.strategy.base import StrategyAim
from geoscout.strategy.rank.measures import (
    Clue,
    Context,
    SenseChooser,
    StructuralParser,
    correlation,
    decaying_correlation,
    focus_in,
    mean_distance_km,
    reference_area_km,
)
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.sphere import HALF_WAY_ROUND_KM
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link, Place
from geoscout_places.plugins import PluginOptions, setting
from geoscout_places.toponyms.geowordnet import GeoWordNetNames
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader
from geoscout_places.windows import WINDOW_TOKENS

_CHOICES = {
    "rank": ("mean", "literal"),
    "focus": ("window", "anchor", "anchor-or-window"),
    "count": ("entities", "tokens"),
    "gazetteer": ("full", "geowordnet"),
    "senses": ("", "weighed", "first", "population"),
    "admission": ("figure2", "good-seeds", "either"),
    "order": ("rank", "fifo"),
    "places": ("any", "region"),
}
_REFERENCES = ("area", "region", "globe", "batch", "decay")


@dataclass(frozen=True, slots=True)
class RankOptions(PluginOptions):
    """The readings of the paper, by K number of docs/rank.md."""

    gazetteer: str = setting("full", "whose names count: full, or geowordnet as in the paper")
    admission: str = setting(
        "figure2",
        "links by focus, as in figure 2; good-seeds: and none of a seed whose corr is 0.5 or less;"
        " either: corr or focus is enough",
    )
    rank: str = setting("mean", "K-1: mean of corr and focus, or literal: corr + focus / 2")
    reference: str = setting(
        "area", "K-2: what corr is measured by: area, region, globe, batch, decay or a length in km"
    )
    focus: str = setting("window", "K-5: the text whose share of places is the focus")
    count: str = setting("entities", "K-6: New York is one of the entities, or two tokens")
    senses: str = setting(
        "",
        "K-7: weighed by people and nearness or first, after qualifiers and the region, or"
        " population; empty for weighed with the full gazetteer and first with GeoWordNet",
    )
    epsilon: bool = setting(
        default=False, reason="K-10: links without a place wait behind all others, not dropped"
    )
    order: str = setting("rank", "by Rank, or fifo: first found, first fetched, to compare with")
    places: str = setting("any", "any place is evidence, as in the paper, or the region's only")
    window: int = setting(
        WINDOW_TOKENS, "words of the page on either side of the link, over block borders", "tokens"
    )
    registrations: str = setting("", "K-8: a table of registration records; empty for none")


def check_rank_options(options: RankOptions) -> None:
    """Complain about a value that is none of the choices."""
    for name, choices in _CHOICES.items():
        if getattr(options, name) not in choices:
            raise UsageError(f"rank: {name} must be {' or '.join(filter(None, choices))}")
    if options.window < 0:
        raise UsageError("rank: window must be 0 tokens or more")
    length_km(options.reference)


def length_km(text: str) -> float:
    """The kilometres a reference gives; 0 for one of the words."""
    if text in _REFERENCES:
        return 0.0
    try:
        length = float(text)
    except ValueError:
        length = 0.0
    if not 0 < length < float("inf"):
        words = ", ".join(_REFERENCES)
        raise UsageError(f"rank: reference must be {words} or a length in km, not {text!r}")
    return length


LEAST_CORRELATION = 0.5  # both thresholds as printed
LEAST_FOCUS = 0.0
MOST_PLACES = 200  # no link has as many, a seed that lists cities might: the work grows as n²
_CACHED = 50_000
_LINKS_KEPT = 20_000  # some 15 MB
_DECAY_KM = 200.0
_FOCUS = struct.Struct("<f")
_ID_BYTES = 8  # ids of places are below 2 ** 63


@dataclass(frozen=True, slots=True)
class Ranked:
    """The rank of a link or a seed, with its parts."""

    evidence: tuple[Clue, ...]
    places: tuple[Place, ...]
    mean_km: float
    correlation: float
    focus: float
    rank: float


NOWHERE = Ranked((), (), 0.0, 0.0, 0.0, rank=0.0)


class Ranking:
    """Ranks links and seeds for one aim."""

    def __init__(self, aim: StrategyAim, options: RankOptions) -> None:
        gazetteer = aim.gazetteer or (aim.region.gazetteer if aim.region else None)
        if gazetteer is None:
            raise UsageError("strategy 'rank' needs a gazetteer")
        self._options = options
        self._gazetteer = gazetteer
        self._region = aim.region if options.places == "region" else None
        self._reference_km = _reference_km(aim, options, gazetteer)
        in_wordnet = options.gazetteer == "geowordnet"
        names = GeoWordNetNames(gazetteer, aim.region) if in_wordnet else None
        reader = ToponymReader(gazetteer, aim.region, names)
        self._parser = StructuralParser(reader, gazetteer, in_wordnet=in_wordnet)
        how = options.senses or ("first" if in_wordnet else "weighed")
        self._senses = SenseChooser(gazetteer, aim.region, how)
        self._links: dict[tuple[str, str, str, str], Ranked] = {}
        self._distances: dict[tuple[int, ...], float] = {}
        self._narrowed: dict[tuple[str, tuple[int, ...]], Toponym | None] = {}

    def add_registrations(self, records: Mapping[str, RegistrationRecord]) -> None:
        """Take registrations into account, by domain."""
        self._parser.add_registrations(records)
        self._links.clear()

    def admits_seed(self, ranked: Ranked) -> bool:
        """The first test of figure 2: the places of the seed lie together."""
        return ranked.correlation > LEAST_CORRELATION or (
            self._options.admission == "either" and ranked.focus > LEAST_FOCUS
        )

    def admits_link(self, ranked: Ranked) -> bool:
        """The second: what is around it names a place."""
        return ranked.focus > LEAST_FOCUS or (
            self._options.admission == "either" and ranked.correlation > LEAST_CORRELATION
        )

    def of_links(self, links: Sequence[Link]) -> list[Ranked]:
        """The links of one page, widened; they are the batch where the reference is one.

        Most links of a page stand on other pages of its site too, so what came out is kept.
        """
        if self._options.reference == "batch":
            return self._of_new_links(links)
        keys = [(link.url, link.anchor or link.alt, link.before, link.after) for link in links]
        known = self._links
        new = {key: link for key, link in zip(keys, links, strict=True) if key not in known}
        if new:
            if len(known) + len(new) > _LINKS_KEPT:
                known.clear()
                new = dict(zip(keys, links, strict=True))
            known.update(zip(new, self._of_new_links(list(new.values())), strict=True))
        return [known[key] for key in keys]

    def again(self, url: str, kept: bytes) -> Ranked:
        """A link by what was kept of it, with the registration that is known by now."""
        kept_focus, ids = unpack_clues(kept)
        found = filter(None, map(self._gazetteer.place, ids))
        evidence = [Clue(Toponym(str(place.id), (place,), 1), "path") for place in found]
        registered = [Clue(found, "registration") for found in self._parser.registered_in(url)]
        pieces = (*evidence, *self._in_region(tuple(registered)))
        return self.of_evidence([pieces], [kept_focus])[0]

    def _of_new_links(self, links: Sequence[Link]) -> list[Ranked]:
        contexts = self.read_links(links)
        focuses = [self.focus(context) for context in contexts]
        return self.of_evidence([context.evidence for context in contexts], focuses)

    def of_evidence(
        self, evidence: Sequence[tuple[Clue, ...]], focuses: Sequence[float]
    ) -> list[Ranked]:
        """The same for evidence and focus that are known."""
        places = [self._places(pieces) for pieces in evidence]
        means = [self._mean_km(chosen) for chosen in places]
        measure = self._measure([m for m, p in zip(means, places, strict=True) if p])
        ranked: list[Ranked] = []
        for pieces, chosen, mean_km, focus in zip(evidence, places, means, focuses, strict=True):
            if not chosen and not focus:
                ranked.append(NOWHERE)
                continue
            corr = measure(mean_km) if chosen else 0.0  # K-3: one place is at one spot, none is not
            rank = corr + focus / 2 if self._options.rank == "literal" else (corr + focus) / 2
            ranked.append(Ranked(pieces, tuple(chosen), mean_km, corr, focus, rank=rank))
        return ranked

    def read_links(self, links: Sequence[Link]) -> list[Context]:
        """The links with the evidence that counts."""
        contexts = self._parser.read_links(links)
        if self._region is None:
            return contexts
        return [c._replace(evidence=self._in_region(c.evidence)) for c in contexts]

    def read_url(self, url: str) -> tuple[Clue, ...]:
        """The evidence of a URL alone that counts."""
        return self._in_region(self._parser.read_url(url))

    def label(self, piece: Clue, ranked: Ranked) -> str:
        """The place that was taken for a name, with what contains it."""
        senses = {place.id for place in piece.toponym.senses}
        chosen = next((place for place in ranked.places if place.id in senses), None)
        return self._gazetteer.label(chosen) if chosen else ""

    def focus(self, context: Context) -> float:
        """The location focus of a link."""
        return focus_in(context, self._options.focus, self._options.count)

    def _in_region(self, evidence: tuple[Clue, ...]) -> tuple[Clue, ...]:
        """The names that may mean a place of the region, with these senses only."""
        if self._region is None or not evidence:
            return evidence
        narrowed = [(self._narrow(piece.toponym), piece.source) for piece in evidence]
        return tuple(Clue(toponym, source) for toponym, source in narrowed if toponym)

    def _narrow(self, toponym: Toponym) -> Toponym | None:
        key = toponym.name, tuple([place.id for place in toponym.senses])
        if key not in self._narrowed and self._region is not None:
            senses = tuple(filter(self._region.contains_place, toponym.senses))
            self._narrowed[key] = replace(toponym, senses=senses) if senses else None
        return self._narrowed[key]

    def _places(self, evidence: Sequence[Clue]) -> list[Place]:
        if not evidence:
            return []
        return self._senses.choose(_narrowest(evidence)[:MOST_PLACES])

    def _mean_km(self, places: Sequence[Place]) -> float:
        """Neighbouring links speak of the same places, so the answers are kept."""
        if len(places) < 2:
            return 0.0
        key = tuple([place.id for place in places])
        mean_km = self._distances.get(key)
        if mean_km is None:
            if len(self._distances) > _CACHED:
                self._distances.clear()
            mean_km = self._distances[key] = mean_distance_km(places)
        return mean_km

    def _measure(self, means: Sequence[float]) -> Callable[[float], float]:
        if self._options.reference == "decay":
            return lambda mean_km: decaying_correlation(mean_km, _DECAY_KM)
        least, length = 0.0, self._reference_km
        if self._options.reference == "batch":
            least = min(means, default=0.0)
            length = max(means, default=0.0) - least
        return lambda mean_km: correlation(mean_km - least, length)


def _narrowest(evidence: Sequence[Clue]) -> list[Toponym]:
    """Each name once, with the senses where a code has narrowed it most."""
    found: dict[str, Toponym] = {}
    for piece in evidence:
        name, toponym = piece.toponym.name, piece.toponym
        if name not in found or len(toponym.senses) < len(found[name].senses):
            found[name] = toponym
    return list(found.values())


def _reference_km(aim: StrategyAim, options: RankOptions, gazetteer: Gazetteer) -> float:
    if options.reference == "area":
        return reference_area_km(aim.region, gazetteer)
    if options.reference == "region" and aim.region is not None:
        return aim.region.diameter_km
    return length_km(options.reference) or HALF_WAY_ROUND_KM


def pack_clues(focus: float, ids: Sequence[int]) -> bytes:
    """Focus and places as bytes; empty where there are neither.

    >>> unpack_clues(pack_clues(0.5, [4930956]))
    (0.5, (4930956,))
    """
    if not focus and not ids:
        return b""
    return _FOCUS.pack(focus) + b"".join(
        id.to_bytes(_ID_BYTES, "little", signed=True) for id in ids
    )


def unpack_clues(kept: bytes) -> tuple[float, tuple[int, ...]]:
    """What `pack_clues` was given."""
    if not kept:
        return 0.0, ()
    starts = range(_FOCUS.size, len(kept), _ID_BYTES)
    ids = [int.from_bytes(kept[at : at + _ID_BYTES], "little", signed=True) for at in starts]
    return _FOCUS.unpack_from(kept)[0], tuple(ids)
