"""Scores links and learns from what became of them, with all that the hybrid knows.

A link is what `Features.pack` made of it: the bytes that come with it from the frontier. There are
two forms with the same results, bit for bit: `ArrayScorer` works on all links at once in numpy, and
`CompiledScorer` has a kernel that works on the same tables. It takes less time for a page of links,
and much less for one link, since numpy takes a microsecond for every operation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from geoscout.strategy.hybrid.domains import TiredDomains
from geoscout.strategy.hybrid.histories import GROUPS, Floats, Histories
from geoscout.strategy.hybrid.link_features import Features
from geoscout.strategy.hybrid.models import LOG_MOST, Logistic, Rate, one_by_one
from geoscout.strategy.hybrid.options import Habits
from geoscout.strategy.named_places import CUE_VALUES
from geoscout.strategy.registrants import RegistrantPlaces
from geoscout_places._native import kernel

NUMBERS = (
    *GROUPS,
    "links since a relevant page",
    "host not yet seen",
    "places named",
    "place of the registrant",
)
DISTANCE, _NEW_HOST, _CUE, _REGISTRANT = range(len(GROUPS), len(NUMBERS))  # columns
_FARTHEST = 6  # links since a relevant page that are told apart


class Knowledge(Struct, frozen=True):
    """What the score of a link depends on."""

    likely: Logistic  # how likely it leads to a relevant page
    leads: Rate  # how many relevant pages will be found through it
    histories: Histories
    domains: TiredDomains
    registrants: RegistrantPlaces | None  # None: their places do not count
    left_out: Sequence[int]  # columns of `NUMBERS` that are always 0
    habits: Habits


class LinkScorer(Protocol):
    """Scores links and learns from them."""

    def scores(self, packed: list[bytes], distances: list[int]) -> Floats:
        """The score of each link, that many links away from a relevant page."""

    def unknown_hosts(self, packed: list[bytes]) -> list[int]:
        """The positions of links whose hosts have to be told to `TiredDomains.note`."""

    def numbers(self, packed: bytes, distance: int) -> Floats:
        """What is known of a link by now, in the order of `NUMBERS`."""

    def learn(self, packed: bytes, numbers: Floats, success: float) -> None:
        """Teach `likely` what became of a link, and count it in the histories."""

    def begin(self, packed: bytes, numbers: Floats) -> None:
        """Show `leads` a link of which nothing has come yet."""

    def credit(self, packed: bytes, numbers: Floats, count: float) -> None:
        """Tell `leads` that something came of a link that it was shown."""


class ArrayScorer:
    """The form in numpy."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._known = knowledge

    def scores(self, packed: list[bytes], distances: list[int]) -> Floats:
        known, habits = self._known, self._known.habits
        features = Features.unpack(packed)
        hosts = features.groups[:, 0]
        numbers = self._numbers(features, distances)
        scores = known.likely.predict(features.terms, numbers)
        if habits.future:
            leads = known.leads.predict(features.terms, numbers)
            scores += habits.future * one_by_one(math.log1p, leads)
        return scores * known.domains.worth(hosts)

    def unknown_hosts(self, packed: list[bytes]) -> list[int]:
        return self._known.domains.unknown(Features.unpack(packed).groups[:, 0])

    def numbers(self, packed: bytes, distance: int) -> Floats:
        return np.asarray(self._numbers(Features.unpack([packed]), [distance])[0])

    def _numbers(self, features: Features, distances: list[int]) -> Floats:
        known, hosts = self._known, features.groups[:, 0]
        numbers = np.empty((len(distances), len(NUMBERS)))
        numbers[:, : len(GROUPS)] = known.histories.evidence(features.groups)
        numbers[:, DISTANCE] = np.minimum(np.array(distances) - 1, _FARTHEST)
        numbers[:, _NEW_HOST] = known.histories.count(hosts) == 0
        numbers[:, _CUE] = features.cue_values()
        numbers[:, _REGISTRANT] = known.registrants.values(hosts) if known.registrants else 0.0
        numbers[:, known.left_out] = 0.0
        return numbers

    def learn(self, packed: bytes, numbers: Floats, success: float) -> None:
        features = Features.unpack([packed])
        self._known.likely.learn(features.terms.numbers, numbers, success)
        self._known.histories.add(features.groups[0], success)

    def begin(self, packed: bytes, numbers: Floats) -> None:
        self._known.leads.begin(Features.unpack([packed]).terms.numbers, numbers)

    def credit(self, packed: bytes, numbers: Floats, count: float) -> None:
        self._known.leads.add(Features.unpack([packed]).terms.numbers, numbers, count)


class CompiledScorer:
    """The form in C."""

    def __init__(self, knowledge: Knowledge, compiled: Any) -> None:
        habits, registrants = knowledge.habits, knowledge.registrants
        self._kernel = compiled.Scorer(
            knowledge.likely.tables(),
            knowledge.leads.tables(),
            knowledge.histories.tables(),
            knowledge.domains.tables(),
            registrants.tables() if registrants else None,
            CUE_VALUES.tolist(),
            list(knowledge.left_out),
            (habits.step, habits.future, habits.tires_after, LOG_MOST),
        )
        self.unknown_hosts = self._kernel.unknown_hosts
        self.learn, self.begin = self._kernel.learn, self._kernel.begin
        self.credit = self._kernel.credit

    def scores(self, packed: list[bytes], distances: list[int]) -> Floats:
        scores = np.empty(len(packed))
        self._kernel.score(packed, distances, scores)
        return scores

    def numbers(self, packed: bytes, distance: int) -> Floats:
        numbers = np.empty(len(NUMBERS))
        self._kernel.numbers(packed, distance, numbers)
        return numbers


def make_scorer(knowledge: Knowledge) -> LinkScorer:
    """The form in C where there is one."""
    compiled = kernel("models")
    return CompiledScorer(knowledge, compiled) if compiled else ArrayScorer(knowledge)
