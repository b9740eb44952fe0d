"""Weighs the place names of a page: how much of them lies in the region.

Names weigh less where readers do not look for what a page is about (menus, footers, lists). What
contains the region is neutral: "Austin, Texas" names Austin once, not Austin and somewhere else.

The region's own name counts, with less weight, also where the geoparser did not take it for a
place ("UT Austin", "UW-Madison"), and where it took it for a namesake although the page names the
state around the region.
"""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from enum import Enum, auto

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Block, Kind, Mention, MentionKind, NameRole, Page, Part, Place
from geoscout_places.toponyms import (
    ORDINARY,
    UNKNOWN,
    NameFinder,
    is_first_bearer,
    read_words,
    sight,
)

PART_WEIGHT = {
    Part.MAIN: 1.0, Part.ADDRESS: 1.0, Part.HEADER: 0.6,
    Part.ASIDE: 0.3, Part.NAVIGATION: 0.1, Part.FOOTER: 0.3,
}  # fmt: skip
_OWN_PARTS = frozenset((Part.MAIN, Part.ADDRESS, Part.HEADER))  # not the frame around the page
_DEMONYM = 0.5  # "Texan" against "Texas"
_WHOLE_LINE = 0.3  # a line that is nothing but a name: menus, lists of branches
_REPEATS = tuple(max(0.9**times, 0.5) for times in range(8))  # what the n-th mention weighs
_LAST_REPEAT = len(_REPEATS) - 1
_BARE_NAME = 0.6  # the region's name where the geoparser saw no place
_NAMESAKE = 0.5  # and where it saw another place of that name, though the state is named
_SHORTEST_NAME = 4
_MOST_SPELLINGS = 8
_MOST_PLACES = 100_000  # remembered, about 10 MB
_LOCAL, _OF_PEOPLE = MentionKind.LOCAL, MentionKind.DEMONYM


class Standing(Enum):
    """Where a place lies as seen from the region."""

    INSIDE = auto()
    AROUND = auto()  # it contains the region
    ELSEWHERE = auto()


_INSIDE, _AROUND = Standing.INSIDE, Standing.AROUND  # to ask an enumeration takes a while


class NameWeights:
    """The names of one page, added up as they are read."""

    __slots__ = ("elsewhere", "has_state", "inside", "itself", "length", "namesakes")

    def __init__(self) -> None:
        self.inside = self.elsewhere = self.namesakes = 0.0
        self.itself = 0.0  # what of `inside` is the region and not only a place in it
        self.has_state = False  # whether it names a state or district around the region
        self.length = 0  # characters of the page itself

    def settle(self) -> None:
        """Decide for whom the namesakes speak."""
        if self.has_state:
            self.inside += _NAMESAKE * self.namesakes
            self.elsewhere -= self.namesakes


def _part_weights(blocks: Sequence[Block], positions: Iterable[int]) -> Iterator[float]:
    """For positions in rising order, what the part of the page weighs where they are."""
    rest = iter(blocks)
    block = next(rest, None)
    for position in positions:
        while block is not None and block.end <= position:
            block = next(rest, None)
        is_outside = block is None or position < block.start
        yield 1.0 if block is None or is_outside else PART_WEIGHT[block.part]


class NameReader:
    """Weighs the names of pages for one region."""

    def __init__(self, region: Region) -> None:
        self._region = region
        self._spellings = spellings(region)
        self._finder = NameFinder([*self._spellings, *(f"{name}s" for name in self._spellings)])
        self._named = {place.id for place in region.places}  # none of a region that is drawn
        above = {a.id for place in region.places for a in region.gazetteer.ancestors(place)}
        self._around = above - self._named
        self._standings: dict[int, Standing] = {}
        self._namesakes: dict[str, bool] = {}  # by the text of a mention

    def read(self, page: Page, mentions: Sequence[Mention]) -> NameWeights:
        """The names of a page; `page` has its blocks."""
        names = NameWeights()
        text, times = page.text, dict[int, int]()
        own = [m for m in mentions if m.place is not None and m.kind is not _LOCAL]
        weights = _part_weights(page.blocks, [mention.start for mention in own])
        for mention, by_part in zip(own, weights, strict=True):
            place, start, end = mention.place, mention.start, mention.end
            assert place is not None
            times[place.id] = nth = times.get(place.id, -1) + 1
            weight = by_part * mention.confidence
            weight *= _REPEATS[nth] if nth < _LAST_REPEAT else _REPEATS[-1]
            if mention.kind is _OF_PEOPLE:
                weight *= _DEMONYM
            if start > 0 and text[start - 1] == "\n" and text[end : end + 1] in ("\n", ""):
                weight *= _WHOLE_LINE
            self._count(names, mention, place, weight)
        names.length = _own_length(page)
        self._add_bare_names(names, page, mentions)
        names.settle()
        return names

    def standing(self, place: Place) -> Standing:
        """Where a place lies as seen from the region."""
        known = self._standings.get(place.id)
        if known is None:
            if len(self._standings) >= _MOST_PLACES:
                self._standings.clear()
            known = self._standings[place.id] = self._find(place)
        return known

    def names_region(self, text: str) -> bool:
        """Whether a text has the region's own name, in any case of letters."""
        return bool(self._finder.whole_words(_view(text)))

    def _find(self, place: Place) -> Standing:
        if self._region.contains_place(place):
            return Standing.INSIDE
        return Standing.AROUND if place.id in self._around else Standing.ELSEWHERE

    def _count(self, names: NameWeights, mention: Mention, place: Place, weight: float) -> None:
        standing = self._standings.get(place.id) or self.standing(place)
        if standing is _INSIDE:
            names.inside += weight
            if place.id in self._named or not self._named:
                names.itself += weight
        elif standing is _AROUND:
            if place.kind not in (Kind.CONTINENT, Kind.COUNTRY):
                names.has_state = True
        else:
            names.elsewhere += weight
            if self._is_own_name(mention.text):
                names.namesakes += weight

    def _is_own_name(self, text: str) -> bool:
        known = self._namesakes.get(text)
        if known is None:
            if len(self._namesakes) >= _MOST_PLACES:
                self._namesakes.clear()
            known = self._namesakes[text] = _view(text) in self._spellings
        return known

    def _add_bare_names(self, names: NameWeights, page: Page, mentions: Sequence[Mention]) -> None:
        """Count the region's own name where no mention covers it."""
        found = self._finder.whole_words(_view(page.text))
        bare = _uncovered([start for start, _ in found], mentions) if found else ()
        for nth, by_part in enumerate(_part_weights(page.blocks, bare)):
            weight = _BARE_NAME * by_part * _REPEATS[min(nth, _LAST_REPEAT)]
            names.inside += weight
            names.itself += weight


def spellings(region: Region) -> frozenset[str]:
    """The region's own names and the nearest spellings of them that mean it first of all places.

    Names that are ordinary words are left out: only the geoparser can tell them from the word.
    """
    gazetteer, words = region.gazetteer, read_words()
    found: set[str] = set()
    for place in region.places:
        named = gazetteer.names([place]).get(place.id, ())
        aliases = [n for n, role in named if role is NameRole.ALIAS and n.isascii()]
        own = sight(place.name).lower()
        near = get_close_matches(own, aliases, _MOST_SPELLINGS, 0.6)
        found |= {own, *(name for name in near if is_first_bearer(place, name, gazetteer))}
    return frozenset(
        name
        for name in found
        if len(name) >= _SHORTEST_NAME and words.get(name, UNKNOWN).uses < ORDINARY
    )


def _view(text: str) -> str:
    """The text in lower case, without marks on letters and hyphens; every character in place."""
    lower = text.lower()
    if text.isascii():
        return lower.replace("-", " ")
    # Without capitals `sight` has less to do; a few of them have a longer small form.
    return sight(lower) if len(lower) == len(text) else sight(text).lower()


def _own_length(page: Page) -> int:
    """Characters of the page itself."""
    if not page.blocks:
        return len(page.text)
    return sum([block.end - block.start for block in page.blocks if block.part in _OWN_PARTS])


def _uncovered(positions: Iterable[int], mentions: Iterable[Mention]) -> list[int]:
    """The positions where no mention of a place stands, which has been counted; both in order."""
    rest, end = iter(mentions), 0
    mention = next(rest, None)
    found = []
    for position in positions:
        while mention is not None and mention.start <= position:
            end = mention.end if _is_located(mention) else 0
            mention = next(rest, None)
        if end <= position:
            found.append(position)
    return found


def _is_located(mention: Mention) -> bool:
    """Whether a place is meant; a street or feature is located by the places named around it."""
    return mention.place is not None and mention.kind is not _LOCAL
