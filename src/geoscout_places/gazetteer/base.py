"""What the rest of geoscout may ask about places.

The stages depend on this Protocol, not on the file behind it, so that a test can hand in a dozen
places and a cluster a database.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from geoscout_places.gazetteer.automaton import NameSearch
from geoscout_places.gazetteer.wordnet import Synset
from geoscout_places.model import Candidate, Kind, NameRole, Place, Point, Postcode


class View(NamedTuple):
    """A part of the map in degrees; `west` > `east` across the antimeridian."""

    west: float
    south: float
    east: float
    north: float


class Lineage(NamedTuple):
    """A place and what contains it, by their ids."""

    region: int  # the first-level region among them; 0 for none
    ids: tuple[int, ...]  # from the place up to the continent; empty when there is no such place


class Gazetteer(Protocol):
    """The knowledge of places; several threads may ask one."""

    @property
    def identity(self) -> str:
        """A text that differs between gazetteers with different places or hierarchies.

        A search index keeps it, and is made again when the gazetteer is another one.
        """
        ...

    def __hash__(self) -> int:
        """As every object has it: readers remember what they found with a gazetteer."""
        ...

    def close(self) -> None:
        """Let go of what it uses; then nothing can be asked."""
        ...

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

    def lineage(self, id: int) -> Lineage:
        """The ids of a place and of its ancestors: as `ancestors`, where nothing else is asked."""
        ...

    def children(self, place: Place) -> Sequence[Place]:
        """The places right inside it, most populous first."""
        ...

    def path(self, place: Place) -> list[str]:
        """The names from the continent down to the place; equal neighbours are one step."""
        ...

    def label(self, place: Place) -> str:
        """The name of the place with region and country, as a user would write it."""
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

    def postcodes_of(self, place: Place) -> Sequence[Postcode]:
        """The postcodes that serve the place, in their order."""
        ...

    def boundary(self, place: Place) -> bytes | None:
        """The outline of the place, for `areas.boundaries.decode_rings`; None without one.

        Countries, most first-level regions, and districts of some countries have one.
        """
        ...

    @property
    def has_streets(self) -> bool:
        """Whether a street table was imported."""
        ...

    def is_street(self, street: str, city: Place) -> bool | None:
        """Whether the imported street tables have this street in the city; None without a table."""
        ...

    def street_point(self, street: str, house_number: str, city: Place) -> Point | None:
        """Where the street of a city is, or the part of it a house is in.

        None when no imported street table with coordinates has the street.
        """
        ...

    def automaton(self) -> NameSearch:
        """The automaton that finds every spelling."""
        ...

    def synsets(self, place: Place) -> Sequence[Synset]:
        """The GeoWordNet synsets that mean this place; empty when none is known."""
        ...

    def complete(self, beginning: str, limit: int) -> list[Place]:
        """The likeliest places with a name that begins like this; each place once."""
        ...

    def in_view(self, view: View, limit: int) -> list[Place]:
        """The most populous towns in a part of the map."""
        ...

    def of_kind(self, kind: Kind) -> list[Place]:
        """Every place of a kind, the most populous first."""
        ...

    def describe(self) -> dict[str, str | int]:
        """Where it lies, counts and origins, for `geoscout gazetteer info`."""
        ...
