"""Which of the pages it fetched a crawler takes for geographic, by its own test.

The published accuracy is about this (K-9 in docs/rank.md): of the geographic pages whose contents
were looked at, how many did the crawler take for geographic? `rank` has the test of figure 1,
which looks at the URL, the registrant and the links of a page; the classifier of `anchors` looks
at the anchor that led to it. Neither sees the text by which pages are judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from geoscout.strategy import Strategy
from geoscout_lab.measures.tree import SEED
from geoscout_lab.simulation.trace import Trace
from geoscout_lab.worlds.base import OK, World
from geoscout_places.model import Link


@runtime_checkable
class PageTester(Protocol):
    """A strategy that judges a page by its URL and its links."""

    def is_geographic(self, url: str, links: Sequence[Link]) -> bool:
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
            for page in _fetched(world, trace)
            if strategy.is_geographic(world.url(page), world.links(page))
        )
    if isinstance(strategy, LinkTester):
        links = zip(trace.pages.tolist(), _links_followed(world, trace), strict=True)
        return frozenset(
            page
            for page, link in links
            if world.status(page) == OK and strategy.expects_place(link)
        )
    return None


def _fetched(world: World, trace: Trace) -> Iterable[int]:
    return (page for page in trace.pages.tolist() if world.status(page) == OK)


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
