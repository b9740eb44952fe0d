"""The measures of Kozanidis, Stamou and Spiros 2009, and what they say of a simulated crawl.

A page is geographic if its text has a name of GeoWordNet, wherever that place is; no context is
weighed, so a page about Charlotte Brontë is one. The crawlers never see the text when they decide:
`rank` has the test of figure 1, which looks at the URL, the registrant and the links of a page; the
classifier of `anchors` looks at the anchor that led to it.

Their accuracy is not precision. It is the share of the geographic pages visited that was also
"retrieved" (K-9 in docs/rank.md). We take the pages visited for those whose contents were looked
at, and those retrieved for the ones that the crawler's own test took for geographic. Another
reading is the share of the geographic pages that a crawl saw links to and then fetched; it needs
the truth about pages that were never fetched, and says nothing where everything is fetched.
Precision is measured as well.
"""

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any, NamedTuple, Protocol, runtime_checkable
from weakref import WeakKeyDictionary

from geoscout.strategy import Strategy
from geoscout_lab.measures.analysis import SEED
from geoscout_lab.measures.harvest import share_of
from geoscout_lab.simulation.simulate import Trace, late_page
from geoscout_lab.worlds.truth import OK, World
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link, Page
from geoscout_places.toponyms.geowordnet import GeoWordNetNames
from geoscout_places.toponyms.short_texts import ToponymReader


class NamedSynset(NamedTuple):
    """A mention of a place: how it was called, and which synset that name means first."""

    name: str
    offset: int


class GeographicTruth:
    """The places named in the pages of a world, found when they are needed."""

    def __init__(self, world: World, gazetteer: Gazetteer) -> None:
        self._world = world
        self._names = GeoWordNetNames(gazetteer)
        self._reader = ToponymReader(gazetteer, None, self._names)
        self._known: dict[int, tuple[NamedSynset, ...]] = {}

    def entities(self, page: int) -> tuple[NamedSynset, ...]:
        """All mentions of places on a page, in order; empty if the URL is not a page."""
        if page not in self._known:
            has_page = self._world.status(page) == OK
            self._known[page] = self._read(self._world.page(page).text) if has_page else ()
        return self._known[page]

    def has_place(self, page: int) -> bool:
        """Whether it is geographic."""
        return bool(self.entities(page))

    def _read(self, text: str) -> tuple[NamedSynset, ...]:
        (found,) = self._reader.in_texts([text])
        return tuple(
            NamedSynset(toponym.name, self._names.senses(toponym.name)[0].offset)
            for toponym in found
        )


_TRUTHS: WeakKeyDictionary[Any, GeographicTruth] = WeakKeyDictionary()  # Any: worlds are a Protocol


def truth_of(world: World, gazetteer: Gazetteer) -> GeographicTruth:
    """The same one for every strategy that crawls a world."""
    if world not in _TRUTHS:
        _TRUTHS[world] = GeographicTruth(world, gazetteer)
    return _TRUTHS[world]


def regional_seeds(
    world: World, truth: GeographicTruth, count: int, chance: random.Random
) -> list[int]:
    """Home pages that name a place, drawn at random."""
    homes = [p for p in range(world.size) if world.status(p) == OK and _is_home(world.url(p))]
    chance.shuffle(homes)
    return list(islice(filter(truth.has_place, homes), count))


def _is_home(url: str) -> bool:
    return url.count("/") == 3 and url.endswith("/")  # two of the scheme, one path


SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)  # of the visits, at which geographic pages are counted
_MOST_HOPS = 5  # of redirects

Pages = Sequence[Sequence[NamedSynset]]  # the mentions of places on each page


def coverage_of_names(pages: Pages) -> float:
    """Distinct places over the distinct names they were found by (K-11)."""
    mentions = {mention for page in pages for mention in page}
    return share_of(len({m.offset for m in mentions}), len({m.name for m in mentions}))


def coverage_of_occurrences(pages: Pages) -> float:
    """Distinct places over all mentions (K-11 a)."""
    places = [mention.offset for page in pages for mention in page]
    return share_of(len(set(places)), len(places))


def coverage_of_types(pages: Pages) -> float:
    """The same with a place counted once a page (K-11 b)."""
    places = [offset for page in pages for offset in {mention.offset for mention in page}]
    return share_of(len(set(places)), len(places))


def coverage_of_seen(fetched: Pages, seen: Pages) -> float:
    """The share of the places on pages seen that is also on a page fetched; each counts once."""
    available = _places_of(seen)
    return share_of(len(available & _places_of(fetched)), len(available))


def _places_of(pages: Pages) -> set[int]:
    return {mention.offset for page in pages for mention in page}


@dataclass(frozen=True, slots=True)
class Sighted:
    """What a crawl fetched and what it saw links to, both in order, each page once."""

    fetched: tuple[int, ...]
    seen: tuple[int, ...]


def sighted(world: World, trace: Trace) -> Sighted:
    """The pages of a crawl; a redirect counts as its target, and a dead link does not count."""
    fetched = [page for page in trace.pages.tolist() if world.status(page) == OK]
    seen = dict.fromkeys(int(page) for page in world.seeds)
    for page in fetched:
        seen.update(dict.fromkeys(world.targets(page)))
    ends = dict.fromkeys([*fetched, *(_end_of(world, page) for page in seen)])
    return Sighted(tuple(fetched), tuple(page for page in ends if world.status(page) == OK))


def _end_of(world: World, page: int) -> int:
    """Where redirects from a page lead."""
    for _ in range(_MOST_HOPS):
        targets = world.targets(page) if 300 <= world.status(page) < 400 else ()
        if not len(targets):
            break
        page = int(targets[0])
    return page


def measure_geographic(
    world: World, trace: Trace, truth: GeographicTruth, accepted: Collection[int] | None
) -> dict[str, Any]:
    """Their measures of a crawl, and the course of it.

    `accepted` are the pages that the crawler took for geographic; None where it does not say.
    """
    pages = sighted(world, trace)
    found = [page for page in pages.fetched if truth.has_place(page)]
    seen = [page for page in pages.seen if truth.has_place(page)]
    entities = [truth.entities(page) for page in found]
    available = [truth.entities(page) for page in seen]
    mentions = {mention for page in entities for mention in page}
    return {
        "visits": len(trace),
        "fetched_pages": len(pages.fetched),
        "seen_pages": len(pages.seen),
        **_measure_test(pages.fetched, found, accepted),
        "visited_geo_pages": len(found),
        "accuracy_of_seen": share_of(len(found), len(seen)),
        "precision": share_of(len(found), len(pages.fetched)),
        "entities": len({mention.name for mention in mentions}),
        "distinct_entities": len({mention.offset for mention in mentions}),
        "coverage": coverage_of_names(entities),
        "coverage_of_occurrences": coverage_of_occurrences(entities),
        "coverage_of_types": coverage_of_types(entities),
        "coverage_of_seen": coverage_of_seen(entities, available),
        "geo_found_at": found_at(trace.pages.tolist(), truth.has_place),
        "geo_auc": area([truth.has_place(page) for page in trace.pages.tolist()]),
    }


def _measure_test(
    fetched: Sequence[int], geographic: Sequence[int], accepted: Collection[int] | None
) -> dict[str, Any]:
    """How well a crawler's own test tells the geographic pages that it fetched (K-9)."""
    if accepted is None:
        return {"retrieved_geo_pages": None, "accuracy": None, "false_accepted": None}
    retrieved = sum(page in accepted for page in geographic)
    mistaken = sum(page in accepted for page in fetched) - retrieved
    others = len(fetched) - len(geographic)
    return {
        "retrieved_geo_pages": retrieved,
        "accuracy": share_of(retrieved, len(geographic)),
        "false_accepted": share_of(mistaken, others) if others else None,
    }


def area(flags: Sequence[bool]) -> float:
    """The mean, over the visits of a crawl, of the share of its finds that it had by then.

    It tells orders of the same pages apart: a half where the finds are spread evenly.

    >>> area([True, False, False]), area([False, False, True])
    (1.0, 0.3333333333333333)
    """
    found = list(accumulate(flags, initial=0))[1:]
    return sum(found) / (found[-1] * len(found)) if found and found[-1] else 0.0


def found_at(pages: Sequence[int], has_place: Callable[[int], bool]) -> dict[str, float]:
    """The share of geographic pages among the first visits of a crawl."""
    flags = [has_place(page) for page in pages]
    return {f"{share:.0%}": _share(flags, share) for share in SHARES}


def _share(flags: Sequence[bool], share: float) -> float:
    first = flags[: max(1, round(share * len(flags)))]
    return share_of(sum(first), len(first))


@runtime_checkable
class PageTester(Protocol):
    """A strategy that judges a page by its URL and what stands around its links."""

    def is_geographic(self, page: Page, links: Sequence[Link]) -> bool:
        """Whether it takes the page for geographic."""
        ...


@runtime_checkable
class LinkTester(Protocol):
    """A strategy that judges a page by the link that led to it."""

    def expects_place(self, link: Link) -> bool:
        """Whether it takes the target for geographic."""
        ...


def accepted_pages(world: World, trace: Trace, strategy: Strategy) -> frozenset[int] | None:
    """The pages fetched that pass the test of the strategy; None where it has none.

    A classifier is asked with what it had learned at the end of the crawl.
    """
    if isinstance(strategy, PageTester):
        return frozenset(
            page
            for page in trace.pages.tolist()
            if world.status(page) == OK
            and strategy.is_geographic(late_page(world, page, world.url(page)), world.links(page))
        )
    if isinstance(strategy, LinkTester):
        links = zip(trace.pages.tolist(), _links_followed(world, trace), strict=True)
        return frozenset(
            page
            for page, link in links
            if world.status(page) == OK and strategy.expects_place(link)
        )
    return None


def _links_followed(world: World, trace: Trace) -> list[Link]:
    """The link that led to each page; that of a redirect leads to its target, too.

    A seed has none, and so has what came of one by redirects: an empty link stands for it.
    """
    found: list[Link] = []
    pages, parents = trace.pages.tolist(), trace.parents.tolist()
    for page, parent in zip(pages, parents, strict=True):
        if parent == SEED:
            found.append(Link.to(world.url(page)))
        elif world.status(pages[parent]) != OK:
            found.append(found[parent])
        else:
            found.append(_link_between(world, pages[parent], page))
    return found


def _link_between(world: World, source: int, target: int) -> Link:
    links = zip(world.targets(source), world.links(source), strict=True)
    return next((link for end, link in links if end == target), Link.to(world.url(target)))
