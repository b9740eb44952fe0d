"""What a country has to tell the extractor, and what it is told.

A country is an `AddressFormat`: patterns for the rare things its addresses carry (a postcode, a
state code), and functions that read the address around them. Everything else, from the scan to the
choice between two readings of one line, is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import IntEnum
from typing import Any, TypeVar

from msgspec import Struct

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Place, Point

# What the patterns of postcodes begin with. Most numbers of a text are shorter, so the scan asks
# for this once and not for each pattern.
LONG_NUMBER = "(?=[0-9]{3})"
_Fact = TypeVar("_Fact")
WINDOW = 260  # how far an address may reach from its trigger, in code points


class StreetEvidence(IntEnum):
    """How much of a street a line shows, from nothing to certainty."""

    NONE = 0  # a postal line: "Austin, TX 78712"
    BOX = 1  # "PO Box 12"
    BARE = 2  # a number and a name, which could be anything: "500 Unicorn"
    BUILDING = 3  # a number and a name that streets share with houses: "4130 Upson Hall"
    UNNUMBERED = 4  # a street for sure, without a number: "Dorfstrasse"
    LIKELY = 5  # a number and a directional or an ordinal: "300 W. 2nd"
    TYPED = 6  # a number and a street word: "12 Main St", "Hauptstr. 5"


class Sighting:
    """A trigger in a text: where a format looks for an address."""

    __slots__ = (
        "_facts", "end", "floor", "gazetteer", "is_alone", "leftmost", "start", "text",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - made in one place, once for each trigger
        self, text: str, start: int, end: int, floor: int, gazetteer: Gazetteer, *, is_alone: bool
    ) -> None:
        self.text = text
        self.start = start  # of the trigger
        self.end = end
        self.floor = floor  # nothing left of this can belong to the address
        self.leftmost = max(floor, start - WINDOW)
        self.gazetteer = gazetteer
        # The whole text is one short line, so street and trigger need no other proof.
        self.is_alone = is_alone
        self._facts: dict[Callable[[Sighting], Any], Any] = {}

    def once(self, find: Callable[[Sighting], _Fact]) -> _Fact:
        """What a function says of this sighting, for which the formats of many countries ask."""
        if find not in self._facts:
            self._facts[find] = find(self)
        found: _Fact = self._facts[find]
        return found

    def moved(self, start: int, end: int) -> Sighting:
        """The same sighting with a trigger that begins or ends elsewhere."""
        return Sighting(self.text, start, end, self.floor, self.gazetteer, is_alone=self.is_alone)

    @property
    def trigger(self) -> str:
        return self.text[self.start : self.end]


class Street(Struct, frozen=True):
    """The line of an address that leads to the door."""

    start: int  # code points into the text
    end: int
    number: str
    name: str
    unit: str
    evidence: StreetEvidence


class Town(Struct, frozen=True):
    """A town as the text writes it, and what is known of it."""

    start: int
    end: int
    name: str
    place: Place | None
    is_proven: bool  # the postcode, the region or both say that this town is there


class Finding(Struct, frozen=True):
    """An address a format has read; the extractor makes an `Address` of it."""

    start: int
    end: int
    street: Street | None
    town: Town | None
    region: str = ""
    postcode: str = ""
    point: Point | None = None
    is_tentative: bool = False  # gives way to any other finding in the same text
    country: str = ""  # where it is another than the format's own
    is_contradicted: bool = False  # the name of another country follows it
    is_guess: bool = False  # nobody knows the town: only counts if one country alone reads it so

    @property
    def is_complete(self) -> bool:
        """Whether nothing of it can belong to another address."""
        has_town = self.town is not None and self.town.is_proven
        is_ended = bool(self.postcode) or self.evidence >= StreetEvidence.LIKELY
        return has_town and is_ended and not self.is_tentative

    @property
    def evidence(self) -> StreetEvidence:
        return self.street.evidence if self.street else StreetEvidence.NONE


AddressReader = Callable[[Sighting], Finding | None]


class Trigger(Struct, frozen=True):
    """A rare thing that addresses of a country carry, and how to read the address around it.

    `pattern` is a regular expression that starts on a comma or on the first digit of a number
    (look-behinds or `LONG_NUMBER` may come first), for the scan stops only there. It must be
    bounded: no `*` or `+` over anything that can match a digit, a comma or a space. One that begins
    with a comma is tried at commas only.
    """

    pattern: str
    read: AddressReader


class AddressFormat(Struct, frozen=True, eq=False):  # one for a country; hashed for every text
    """How the addresses of one country are found and read."""

    country: str  # ISO 3166 alpha-2
    triggers: tuple[Trigger, ...]
    # Reads a text that is one short line without any trigger, from its start to its end.
    read_line: AddressReader | None = None
    other_countries: frozenset[str] = frozenset()  # whose addresses it reads, too

    def reads(self, countries: Collection[str]) -> bool:
        """Whether it reads addresses of any of these countries."""
        return self.country in countries or not self.other_countries.isdisjoint(countries)
