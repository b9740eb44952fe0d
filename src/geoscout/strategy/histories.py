"""What became of links so far, by the groups they belong to: host, folder, list, template, page.

A group's share of relevant pages is taken with an honest prior, so that one page proves little.
Only groups met lately are kept: the memory does not grow with the crawl.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout.urls import host_of

GROUPS = ("host", "folder", "list", "template", "siblings")
_MOST_GROUPS = 100_000  # of one generation; two are kept
_PRIOR_ANSWERS = 3.0  # that the expectation is worth
_PRIOR_RELEVANT = 1.0  # of ten answers
# Relevant pages after which half of the evidence counts: before one was found it says nothing.
_TRUSTED_AFTER = 3.0
_SEPARATOR = "\n"
_NONE = (0.0, 0.0)


def groups_of(url: str, parent: str, list_number: int) -> tuple[str, str, str, str, str]:
    """The groups a link belongs to, in the order of `GROUPS`.

    The list is where in its page it stands; the template is that place on any page of the site.
    """
    folder = url.partition("?")[0].rpartition("/")[0]
    place = f" {list_number}"
    return _host(url), f"{folder}/", parent + place, _host(parent) + place, f"{parent} *"


@lru_cache(1000)
def _host(url: str) -> str:
    return host_of(url) if url else ""


class Histories:
    """Counts of outcomes by group; what has not been met for two generations is forgotten."""

    def __init__(self, most: int = _MOST_GROUPS) -> None:
        self._most = most
        self._young: dict[str, tuple[float, float]] = {}
        self._old: dict[str, tuple[float, float]] = {}
        self._all = (
            10.0,
            _PRIOR_RELEVANT,
        )  # answers, relevant: what is expected before anything is known

    @property
    def share(self) -> float:
        """Relevant pages among all answers, as expected of a group without a history."""
        return self._all[1] / self._all[0]

    def count(self, group: str) -> float:
        """How many outcomes a group has had."""
        return (self._young.get(group) or self._old.get(group) or _NONE)[0]

    def evidence(self, groups: Iterable[str], known: dict[str, float]) -> list[float]:
        """How far each group is above what is expected, in log odds; 0 without outcomes.

        `known` keeps what was worked out: links of a page share most of their groups.
        """
        found = []
        for group in groups:
            value = known.get(group)
            if value is None:
                value = known[group] = self._evidence(group)
            found.append(value)
        return found

    def _evidence(self, group: str) -> float:
        count, total = self._young.get(group) or self._old.get(group) or _NONE
        if not count:
            return 0.0
        expected = self.share
        share = (total + _PRIOR_ANSWERS * expected) / (count + _PRIOR_ANSWERS)
        above = math.log(share / (1 - share)) - math.log(expected / (1 - expected))
        found = self._all[1] - _PRIOR_RELEVANT
        return above * found / (found + _TRUSTED_AFTER)

    def add(self, groups: Iterable[str], worth: float) -> None:
        """Count an outcome, worth 0 to 1, for each of the groups."""
        for group in groups:
            count, total = self._young.get(group) or self._old.get(group) or _NONE
            self._young[group] = (count + 1.0, total + worth)
        if len(self._young) > self._most:
            self._old, self._young = self._young, {}
        self._all = (self._all[0] + 1.0, self._all[1] + worth)

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays."""
        kept = {**self._old, **self._young}
        names = _SEPARATOR.join(kept).encode("utf-8", "replace")
        return {
            "groups": np.frombuffer(names, np.uint8),
            "outcomes": np.array(list(kept.values()), np.float32).reshape(-1, 2),
            "all": np.array(self._all),
        }

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `save` gave."""
        names = arrays["groups"].tobytes().decode("utf-8", "replace")
        counts = arrays["outcomes"].astype(float).tolist()
        groups = names.split(_SEPARATOR) if counts else []
        self._young = {g: (n, total) for g, (n, total) in zip(groups, counts, strict=True)}
        self._all = (float(arrays["all"][0]), float(arrays["all"][1]))
