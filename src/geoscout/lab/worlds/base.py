"""What a simulated crawl runs in: a closed web whose truth is known.

Pages are numbers from 0, so that a simulation keeps arrays instead of texts, and a page is made
only when a strategy wants to look at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from geoscout.model import Link, Page


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
