"""What the hybrid remembers of a crawl: what became of groups of links, and the way to each page.

A group is a host, a folder, a list or a template. It is a 32-bit number and has one place in a
table, which it shares with others: the last to come has it, so that memory is bounded and a group
that has not been met for long is forgotten. Whole pages of links are looked up at once.

The way on which a page was found is kept for the latest pages, so that a relevant one can credit
the pages that led to it.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from geoscout.strategy.hybrid.models import one_by_one

GROUPS = ("host", "folder", "template", "list")
_WITHIN = (None, 0, None, 2)  # the group that each is a part of, by its number
_BITS = 20  # of the number of groups remembered
_PRIOR_RESPONSES = 3.0  # the expectation counts as much as this many responses
_PRIOR_RELEVANT = 1.0  # of ten responses
# Half of the evidence counts after this many relevant pages, and none before the first: until a
# relevant page was found, no group is better than another.
_TRUSTED_AFTER = 3.0
_PAGES_REMEMBERED = 10_000  # the latest; some 30 MB with what a model saw of each

Groups = NDArray[np.uint32]
Floats = NDArray[np.float64]
Seen = TypeVar("Seen")


class Histories:
    """Counts of outcomes by group."""

    def __init__(self, bits: int = _BITS) -> None:
        self._mask = np.uint32((1 << bits) - 1)
        self._owners = np.zeros(1 << bits, np.uint32)  # whose counts they are
        self._counts = np.zeros((1 << bits, 2), np.float32)  # responses, relevant
        # What is expected before anything is known.
        self._all = np.array([10.0, _PRIOR_RELEVANT])

    @property
    def share(self) -> float:
        """Relevant pages among all responses, as expected of a group without a history."""
        return float(self._all[1] / self._all[0])

    @property
    def found(self) -> float:
        """Relevant pages among all responses."""
        return float(self._all[1]) - _PRIOR_RELEVANT

    def count(self, groups: Groups) -> Floats:
        """How many outcomes each group has had."""
        return self._of(groups)[..., 0]

    def evidence(self, groups: Groups) -> Floats:
        """What each group of a link adds, in log odds; 0 without outcomes. A row a link.

        A folder is compared with its host and a list with its template, the host and the template
        with all responses: what two groups have in common counts once.
        """
        counts = self._of(groups)
        odds = np.empty(groups.shape)
        added = np.empty(groups.shape)
        shares: list[Floats] = []
        for number, within in enumerate(_WITHIN):
            expected = self.share if within is None else shares[within]
            before = _log_odds(self.share) if within is None else odds[:, within]
            share = counts[:, number, 1] + _PRIOR_RESPONSES * expected
            share /= counts[:, number, 0] + _PRIOR_RESPONSES
            shares.append(share)
            odds[:, number] = one_by_one(_log_odds, share)
            added[:, number] = odds[:, number] - before
        return np.asarray(added * (self.found / (self.found + _TRUSTED_AFTER)))

    def add(self, groups: Groups, success: float) -> None:
        """Count an outcome for each of the groups; a success is 1, the opposite 0."""
        counts = self._of(groups) + np.array([1.0, success])
        places = groups & self._mask
        self._owners[places] = groups
        self._counts[places] = counts
        self._all += (1.0, success)

    def _of(self, groups: Groups) -> Floats:
        places = groups & self._mask
        is_theirs = self._owners.take(places) == groups
        counts = self._counts.take(places, axis=0)
        return np.asarray(np.multiply(counts, is_theirs[..., None], dtype=np.float64))

    def tables(self) -> tuple[NDArray[Any], ...]:
        """All that it knows; these arrays are never replaced by others."""
        return self._owners, self._counts, self._all

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays."""
        places = np.flatnonzero(self._counts[:, 0])
        return {
            "groups": self._owners[places],
            "outcomes": self._counts[places],
            "all": self._all.copy(),
        }

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `save` gave."""
        places = arrays["groups"] & self._mask
        self._owners[places] = arrays["groups"]
        self._counts[places] = arrays["outcomes"]
        self._all[:] = arrays["all"]


def _log_odds(share: float) -> float:
    return math.log(share / (1.0 - share))


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
        """What was seen of a page and of those on the way to it, `most` of them, nearest first."""
        for _ in range(most):
            if url not in self._pages:
                return
            url, seen = self._pages[url]
            if seen is not None:
                yield seen
