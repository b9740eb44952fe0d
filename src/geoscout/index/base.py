"""What goes into the index: a page with its words, and the evidence of where it belongs."""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.model import Point


@dataclass(frozen=True, slots=True)
class PlaceEvidence:
    """What a page itself says about one place; what contains the place inherits it."""

    place_id: int
    share: float = 0.0  # of the page's scope, with all that lies inside the place; 0 to 1
    mentions: int = 0
    has_address: bool = False
    is_main: bool = False  # the first place of the page's scope


@dataclass(frozen=True, slots=True)
class Spot:
    """A point a page belongs to, for questions by distance."""

    point: Point
    strength: float  # 1 for an address, less for what only names the place


@dataclass(frozen=True, slots=True)
class Document:
    """One page as the index takes it."""

    url: str  # its key: a document replaces the one of the same URL
    title: str
    text: str
    visit: int  # the visit of the store it was made from
    fetched_at: float  # seconds since the epoch, UTC
    anchor: str = ""  # of the link by which the page was found
    language: str = ""
    relevant: bool = False
    places: tuple[PlaceEvidence, ...] = ()
    spots: tuple[Spot, ...] = ()
    addresses: tuple[tuple[int, int], ...] = ()  # where in the text they stand, in code points
