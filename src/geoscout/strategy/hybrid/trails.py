"""The way on which each page was found, so that a relevant one can credit the pages on it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Generic, TypeVar

_PAGES_REMEMBERED = 10_000  # the latest; some 30 MB with what a model saw of each

Seen = TypeVar("Seen")


class Trails(Generic[Seen]):
    """Pages with their parents, and what a model saw of each before it was fetched."""

    def __init__(self, most: int = _PAGES_REMEMBERED) -> None:
        self._most = most
        self._pages: OrderedDict[str, tuple[str, Seen | None]] = OrderedDict()

    def add(self, url: str, parent: str, seen: Seen | None) -> None:
        """Remember a page; None for a redirect, which is a step on the way and earns nothing."""
        self._pages[url] = parent, seen
        if len(self._pages) > self._most:
            self._pages.popitem(last=False)

    def back_from(self, url: str, most: int) -> Iterator[Seen]:
        """What was seen of a page and of those on the way to it, at most so many, nearest first."""
        for _ in range(most):
            if url not in self._pages:
                return
            url, seen = self._pages[url]
            if seen is not None:
                yield seen
