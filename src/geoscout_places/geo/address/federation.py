"""Addresses that end in "City, State Postcode": the United States, Canada, Australia.

They are read from right to left. The state or province stands before the postcode, or after a
comma where there is no postcode; the town is the longest run of words before it that the
gazetteer has in that state; the street is what the walk to the left finds.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address import towns
from geoscout_places.geo.address.base import Finding, Sighting, Street, StreetEvidence, Town
from geoscout_places.geo.address.segments import (
    Grammar,
    Segment,
    find_street,
    leftward,
    segment_words,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Kind, Place, Postcode

_LONGEST_TOWN = 5  # words
_TOWN_WORD = lazy_pattern(r"[^\W\d_][\w.'’/-]*")


class Federation:
    """A country whose addresses name the state."""

    def __init__(
        self,
        country: str,
        table: Mapping[str, str],
        grammar: Grammar,
        *,
        own_name: re.Pattern[str],
        area_digits: int = 0,
    ) -> None:
        """`own_name` is the country's name where it stands before the postcode.

        `table` has for the postal code of each state, with bars between: GeoNames' code where that
        is another, the name as the gazetteer has it, and what else people write. `area_digits` of
        a postcode lie in one state, whatever follows; 0 for none.
        """
        self.country, self.grammar = country, grammar
        self.own_name, self._area_digits = own_name, area_digits
        self.states: dict[str, str] = {}  # every spelling, folded, to the postal code of the state
        self.names: dict[str, str] = {}  # the postal code of a state to the name
        self._divisions: dict[str, str] = {}  # GeoNames' code of a division to the postal one
        for code, line in table.items():
            division, *names = line.split("|")
            if not division.isdigit():
                division, names = code, [division, *names]
            self._divisions[division], self.names[code] = code, names[0]
            self.states.update((fold(spelling), code) for spelling in (code, *names))
        self.codes = {name: code for code, name in self.names.items()}

    def state_of(self, rows: Sequence[Postcode]) -> str:
        """The state the post has for these rows, "" when unknown."""
        return self._divisions.get(rows[0].region, "") if rows else ""

    def state_around(self, code: str, gazetteer: Gazetteer) -> str:
        """The state of the codes next to one that is unknown, such as a retired one; "" for none.

        It proves no town and no point, but that the number is a postcode of the state.
        """
        area = code[: self._area_digits]
        free = len(code) - self._area_digits
        for number in range(10**free if area else 0):
            if rows := gazetteer.postcodes(self.country, f"{area}{number:0{free}}"):
                return self.state_of(rows)
        return ""

    def state_before(self, text: str, start: int, end: int) -> tuple[int, str]:
        """The state whose name ends at `end`: where it starts and its code; (end, "") for none."""
        window = text[max(start, end - 32) : end]
        words = list(_TAIL_WORD.finditer(window))[-3:]
        for count in range(len(words), 0, -1):
            first = words[-count].start()
            if code := self.states.get(fold(window[first:])):
                return end - len(window) + first, code
        return end, ""


_TAIL_WORD = lazy_pattern(r"[^\W\d_][\w.'’-]*")


class RegionClue(Struct, frozen=True):
    """What is known at the right end of an address before its town is read."""

    sighting: Sighting
    state: str  # postal code, "" when the text names none
    state_of_post: str  # the one the postcode lies in, "" when unknown
    postcode: str  # "" when there is none
    rows: Sequence[Postcode]  # what the gazetteer knows of the postcode
    town_end: int

    @property
    def is_state_right(self) -> bool:
        return not self.state or self.state_of_post in ("", self.state)


def read_with_known_postcode(
    sighting: Sighting, federation: Federation, code: str
) -> Finding | None:
    """The address that ends in the postcode at the sighting, which the gazetteer has by `code`."""
    text = sighting.text
    before = _skip_gap(text, sighting.start, sighting.leftmost)
    if not _is_word_before(text, before, sighting.leftmost):
        return None
    if name := federation.own_name.search(text, max(sighting.leftmost, before - 30), before):
        before = _skip_gap(text, name.start(), sighting.leftmost)
        if not _is_word_before(text, before, sighting.leftmost):
            return None
    start, state = federation.state_before(text, sighting.leftmost, before)
    rows = sighting.gazetteer.postcodes(federation.country, code)
    if not rows and not state:
        return None
    town_end = _skip_gap(text, start, sighting.leftmost) if state else before
    post = federation.state_of(rows) or federation.state_around(code, sighting.gazetteer)
    clue = RegionClue(sighting, state, post, sighting.trigger, rows, town_end=town_end)
    if not rows and not clue.is_state_right and not sighting.is_alone:
        return None  # nothing is left to prove a town: the "in 80331" of a German text
    return read_clue(clue, federation)


def _is_word_before(text: str, end: int, floor: int) -> bool:
    return end > floor and (text[end - 1].isalpha() or text[end - 1] == ".")


def read_with_region(sighting: Sighting, federation: Federation) -> Finding | None:
    """The address that ends in a comma and a state, which together are the sighting."""
    state = federation.states.get(fold(sighting.trigger), "")
    if not state or not _has_number(sighting):
        return None
    return read_clue(RegionClue(sighting, state, "", "", (), town_end=sighting.start), federation)


# Its first character comes before what must not stand left of it: so most text is skipped fast.
_HOUSE_NUMBER = lazy_pattern(
    r"[0-9NSEWOT](?<![\w.$/:-].)(?:(?<=[0-9])[0-9]{0,5}[\w½-]{0,6}|(?<=[NSEW])[0-9]+[\w]{0,6}"
    r"|(?<=O)ne|(?<=T)(?:wo|hree)),?\s(?=[A-Z0-9½])"
)


def _has_number(sighting: Sighting) -> bool:
    return _HOUSE_NUMBER.search(sighting.text, sighting.leftmost, sighting.start) is not None


_TOWN_AND_CODE = lazy_pattern(
    r"[A-Z][\w.'’-]*(?: [A-Z][a-z][\w.'’-]*){0,3} (?P<state>[A-Z]{2,3})(?=\s*(?:$|[\n,.;|)]))"
)


def read_with_code_behind_town(sighting: Sighting, federation: Federation) -> Finding | None:
    """The address of which the sighting is the street: "500 Market Street, Camden NJ"."""
    match = _TOWN_AND_CODE.match(sighting.text, sighting.end)
    if match is None or match["state"] not in federation.names:
        return None
    clue = RegionClue(
        sighting.moved(*match.span("state")),
        match["state"],
        state_of_post="",
        postcode="",
        rows=(),
        town_end=match.start("state") - 1,
    )
    finding = read_clue(clue, federation)
    return finding if finding and finding.town and finding.town.is_proven else None


_LAST_OF_LABELS = "epEP"
_LABEL = lazy_pattern(r"(?:zip|postal|post)?\s?code$|\b(?:zip|state|province)$", re.IGNORECASE)


def _skip_gap(text: str, end: int, floor: int) -> int:
    """Where the text before a gap ends; "State:" and "Zip:" are part of the gap."""
    end = skip_separators(text, end, floor)
    if text[end - 1 : end] not in _LAST_OF_LABELS:
        return end
    if label := _LABEL.search(text, max(floor, end - 12), end):
        return skip_separators(text, label.start(), floor)
    return end


def skip_separators(text: str, end: int, floor: int) -> int:
    while end > floor and (text[end - 1].isspace() or text[end - 1] in ",.;|()·•-–:"):
        end -= 1
    # The full stop of an abbreviation belongs to it, not to the gap.
    return end + 1 if end < len(text) and text[end] == "." and text[end - 1].isalpha() else end


def read_clue(clue: RegionClue, federation: Federation) -> Finding | None:
    segments = leftward(clue.sighting.text, clue.sighting.leftmost, clue.town_end)
    last = next(segments, None)
    if last is None or clue.town_end - last.end > 2:
        return None
    if _COUNTY.fullmatch(last.text):  # "Seattle, King County, WA 98103"
        last = next(segments, last)
    town, rest = _read_town(clue, federation, last)
    if town and not town.is_proven and not rest and (left := next(segments, None)):
        # "Lahaina, Maui, HI 96761": an island or a county stands between the town and the state.
        better = _served_town(clue, left)
        town, rest = (better, []) if better else (town, [left])
    if town and town.is_proven and not rest and (left := next(segments, None)):
        # "Charlotte Amalie, St. Thomas, VI 00802": the town on its island.
        rest = [] if _served_town(clue, left) else [left]
    street = find_street(chain(rest, segments), federation.grammar)
    town = town or _town_of_post(clue, street)
    return _finding(clue, town, street) if _is_enough(clue, town, street) else None


_COUNTY = lazy_pattern(r"[A-Z][\w.' -]{2,24}\s(?:County|Parish)")


def _served_town(clue: RegionClue, segment: Segment) -> Town | None:
    if fold(segment.text) not in towns.names_of(clue.rows):
        return None
    place = towns.postal_place(clue.sighting.gazetteer, clue.rows, segment.text)
    return Town(segment.start, segment.end, segment.text, place, is_proven=True)


def _town_of_post(clue: RegionClue, street: Street | None) -> Town | None:
    """The town the post has for the code, where the text leaves it out: "12 Oak St, PA 18977"."""
    is_adjacent = street is not None and clue.town_end - street.end <= 2
    if not street or not is_adjacent or street.evidence is not StreetEvidence.TYPED:
        return None
    if not clue.rows or not clue.state or not clue.is_state_right:
        return None
    name = clue.rows[0].town
    place = towns.postal_place(clue.sighting.gazetteer, clue.rows, name)
    return Town(street.end, street.end, name, place, is_proven=True)


def _read_town(
    clue: RegionClue, federation: Federation, last: Segment
) -> tuple[Town | None, list[Segment]]:
    """The town at the end of the last segment, and what is left of that segment, if anything."""
    words = segment_words(last.text)[-_LONGEST_TOWN:]
    region = _region(clue, federation)
    for index, word in enumerate(words):
        name = last.text[word.start :].rstrip(",")
        if any(map(str.isdigit, name)) or not _TOWN_WORD.match(name):
            continue
        full = _expanded(name)
        is_served = fold(full) in towns.names_of(clue.rows)
        place = _place(clue, full, region, is_served=is_served)
        if is_served or place:
            town = Town(last.start + word.start, last.end, name, place, is_proven=True)
            return town, _head(last, word.start)
        if index == len(words) - 1:
            break
    return _unproven_town(clue, federation, last)


_COMPASS = {"n": "North", "s": "South", "e": "East", "w": "West"}


def _expanded(name: str) -> str:
    """The name with its point of the compass in full: "W. Palm Beach"."""
    first, _, rest = name.partition(" ")
    compass = _COMPASS.get(first.rstrip(".").lower())
    return f"{compass} {rest}" if compass and rest else name


def _place(clue: RegionClue, name: str, region: Place | None, *, is_served: bool) -> Place | None:
    gazetteer = clue.sighting.gazetteer
    if is_served:
        return towns.postal_place(gazetteer, clue.rows, name)
    if not clue.is_state_right and not clue.sighting.is_alone:
        # Only the postcode is left to prove the town.
        return None
    return towns.town_in(gazetteer, name, region) if region else None


def _region(clue: RegionClue, federation: Federation) -> Place | None:
    name = federation.names.get(clue.state or clue.state_of_post)
    return towns.region_named(clue.sighting.gazetteer, name, federation.country) if name else None


def _head(segment: Segment, end: int) -> list[Segment]:
    head = segment.part(0, end)
    return [head] if head.text else []


def _unproven_town(
    clue: RegionClue, federation: Federation, last: Segment
) -> tuple[Town | None, list[Segment]]:
    """A town the gazetteer does not have, where the postcode confirms the state."""
    if not clue.rows or not clue.state or not clue.is_state_right:
        return None, [last]
    street = federation.grammar.read_street(last)
    first = street.end - last.start if street and street.evidence is StreetEvidence.TYPED else 0
    tail = last.part(first, len(last.text))
    is_town = 1 <= len(tail.text.split()) <= 4 and not any(map(str.isdigit, tail.text))
    if not is_town or not tail.text[0].isalpha():
        return None, [last]
    place = towns.postal_place(clue.sighting.gazetteer, clue.rows, tail.text)
    town = Town(tail.start, tail.end, tail.text, place, is_proven=False)
    return town, _head(last, first)


def _is_enough(clue: RegionClue, town: Town | None, street: Street | None) -> bool:
    """Whether the parts confirm each other."""
    is_clear = street is not None and street.evidence >= StreetEvidence.LIKELY
    if clue.sighting.is_alone:
        is_partly_there = street is not None or bool(clue.postcode)
        return is_clear or (town is not None and town.is_proven and is_partly_there)
    if town is None:
        return False
    is_post = bool(clue.rows or clue.state_of_post)
    if is_post and clue.state and clue.is_state_right:
        return is_clear or (town.is_proven and town.name[0].isupper())
    return town.is_proven and is_clear


def _finding(clue: RegionClue, town: Town | None, street: Street | None) -> Finding:
    starts = [part.start for part in (street, town) if part]
    point = clue.rows[0].point if clue.rows else None
    region = clue.state or clue.state_of_post
    start = min(starts, default=clue.sighting.start)
    return Finding(
        start, clue.sighting.end, street, town, region, postcode=clue.postcode, point=point
    )


def with_state(finding: Finding, gazetteer: Gazetteer, federation: Federation) -> Finding:
    """The finding with the state its town lies in."""
    place = finding.town.place if finding.town else None
    codes = federation.codes
    for area in gazetteer.ancestors(place) if place else ():
        if area.kind is Kind.REGION and area.name in codes:
            return replace(finding, region=codes[area.name])
    return finding
