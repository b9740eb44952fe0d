"""What the rest of geoscout may ask about places.

The stages depend on this Protocol, not on the file behind it, so that a test can hand in a dozen
places and a cluster a database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from geoscout.gazetteer.automaton import Automaton
from geoscout.model import Candidate, NameRole, Place, Point, Postcode


class Gazetteer(Protocol):
    """The knowledge of places."""

    def candidates(self, name: str) -> Sequence[Candidate]:
        """Places bearing this very name (folded: case, diacritics, punctuation), likeliest first.

        Empty when nothing bears it. No qualifier is understood here: see `find`.
        """
        ...

    def search(self, name: str, country: str = "") -> Sequence[Candidate]:
        """Like `candidates`, and understands qualifiers ("Lisbon, NH", "Athens, Alabama")."""
        ...

    def find(self, name: str, country: str = "") -> Sequence[Candidate]:
        """Like `search`, for names a user typed.

        Raises:
            UnknownPlaceError: nothing bears the name; carries the nearest spellings.
        """
        ...

    def place(self, id: int) -> Place | None:
        """The place with this id."""
        ...

    def names(self, places: Sequence[Place]) -> Mapping[int, Sequence[tuple[str, NameRole]]]:
        """Every folded name of these places with its role, by the id of the place.

        Reads all names there are: ask once for many places.
        """
        ...

    def ancestors(self, place: Place) -> Sequence[Place]:
        """What contains the place, from its parent up to the continent."""
        ...

    def children(self, place: Place) -> Sequence[Place]:
        """The places right inside it, most populous first."""
        ...

    def is_inside(self, inner: Place, outer: Place) -> bool:
        """True when `outer` is `inner` or one of its ancestors."""
        ...

    def nearest(self, point: Point, *, minimum_population: int = 0) -> Place | None:
        """The populated place closest to the point; None when none is within 300 km."""
        ...

    def postcodes(self, country: str, code: str) -> Sequence[Postcode]:
        """The rows of a postal code in the country's own spelling; empty when unknown.

        Where only the first part of the code is held (Canada, Great Britain), that part is found.
        """
        ...

    def boundary(self, place: Place) -> bytes | None:
        """The outline of the place, for `areas.boundaries.decode`; None without one.

        Countries, most first-level regions, and districts of some countries have one.
        """
        ...

    def is_street(self, street: str, city: Place) -> bool | None:
        """Whether the imported street tables have this street in the city; None without a table."""
        ...

    def automaton(self) -> Automaton:
        """The automaton that finds every spelling."""
        ...
