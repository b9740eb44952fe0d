"""What a simulated crawl runs in: a closed web whose truth is known.

Pages are numbers from 0, so that a simulation keeps arrays instead of texts, and a page is made
only when a strategy wants to look at it.

Every world is a `World`. One that was made by rule also knows what no reader of its pages can be
sure of, and is a `KnownWorld`; one whose pages were read before is a `ReadWorld`, and one
that has sitemaps is a `MappedWorld`. Code that needs more than a `World` asks with `isinstance`, so
a world that wraps another must have the methods itself: attributes handed on by `__getattr__` do
not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol, Self, runtime_checkable

from geoscout.registrations import RegistrationRecord
from geoscout_places.model import Link, Page, Place, Reading

OK = 200  # the status of a page; every other response is none


class World(Protocol):
    """A web, a region in it and where to start."""

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int:
        """How many pages there are."""
        ...

    @property
    def seeds(self) -> Sequence[int]: ...

    def url(self, page: int) -> str:
        """In normal form."""
        ...

    def status(self, page: int) -> int:
        """200 for a page, 3xx for a redirect to its only target, else an error; 0 for none."""
        ...

    def targets(self, page: int) -> Sequence[int]:
        """The pages it links to, each once, in the order of the page."""
        ...

    def links(self, page: int) -> Sequence[Link]:
        """The links to the targets, one for each, in the same order, as the parser sees them."""
        ...

    def page(self, page: int) -> Page:
        """The whole page as the parser sees it; takes about a millisecond."""
        ...

    def is_relevant(self, page: int) -> bool:
        """Whether it is about the region."""
        ...

    def entities(self, page: int) -> Sequence[str]:
        """The addresses of the region in it, in a normal form; the same text is the same entity."""
        ...

    def host(self, page: int) -> int:
        """The number of its host."""
        ...


class KnownAddress(NamedTuple):
    """An address that a page of a `KnownWorld` shows."""

    normal_form: str  # the same text is the same address
    city: Place


@runtime_checkable
class KnownWorld(World, Protocol):
    """A world that was made by rule, so that the whole truth about it is known."""

    def place(self, page: int) -> Place | None:
        """The city a page is about."""
        ...

    def addresses(self, page: int) -> Sequence[KnownAddress]:
        """Every address in it, of the region or not."""
        ...

    def server(self, host: int) -> Place | None:
        """The location of a host's server in tables; None if they do not have it."""
        ...

    def registrations(self) -> Iterable[RegistrationRecord]:
        """The registrant of each domain, as registries have it, with their errors."""
        ...

    def from_seeds(self, seeds: Sequence[int]) -> Self:
        """The same world, crawled from other seeds."""
        ...


@runtime_checkable
class GradedWorld(World, Protocol):
    """A world whose pages are judged by degree, such as archives."""

    def degree(self, page: int) -> float:
        """How much the page is about the region, from 0 to 1."""
        ...


@runtime_checkable
class ReadWorld(World, Protocol):
    """A world whose pages have been read by the geoparser, such as archives."""

    def reading(self, page: int) -> Reading:
        """What the geoparser found in it."""
        ...

    def fingerprint(self, page: int) -> int:
        """The fingerprint of its text, as `parse.likeness` has it; 0 for none."""
        ...


@runtime_checkable
class MappedWorld(World, Protocol):
    """A world that has sitemaps; they are pages that are not relevant."""

    def is_sitemap(self, page: int) -> bool: ...

    def sitemaps(self, page: int) -> Sequence[int]:
        """The sitemaps a crawl asks for because of a page, or of a sitemap that lists them."""
        ...
