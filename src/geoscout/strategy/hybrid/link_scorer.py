"""Scores links and learns from what became of them, with all that the hybrid knows.

A link is what `Features.pack` made of it: the bytes that come with it from the frontier. There are
two forms with the same results, bit for bit: `ArrayScorer` works on all links at once in numpy, and
`CompiledScorer` has a kernel that works on the same tables. It takes less time for a page of links,
and much less for one link, since numpy takes a microsecond for every operation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from geoscout.strategy.hybrid.link_features import Features
from geoscout.strategy.hybrid.models import GROUPS, LOG_MOST, Floats, one_by_one
from geoscout.strategy.hybrid.signals import SIGNALS, Knowledge, Links, Signal
from geoscout_places._native import kernel


class ArrayScorer:
    """The form in numpy."""

    def __init__(self, knowledge: Knowledge, signals: Sequence[Signal] = SIGNALS) -> None:
        self._known, self._signals = knowledge, signals

    def scores(self, packed: list[bytes], distances: list[int], urls: Sequence[str]) -> Floats:
        """The score of each link, that many links away from a relevant page."""
        known, habits = self._known, self._known.habits
        features = Features.unpack(packed)
        terms, numbers = features.terms, self._numbers(packed, distances, urls)
        scores = known.likely.predict(terms, numbers)
        if habits.future:
            scores += habits.future * one_by_one(math.log1p, known.leads.predict(terms, numbers))
        return scores * known.domains.worth(features.groups[:, 0])

    def unknown_hosts(self, packed: list[bytes]) -> list[int]:
        """The positions of links whose hosts have to be told to `TiredDomains.note`."""
        return self._known.domains.unknown(Features.unpack(packed).groups[:, 0])

    def numbers(self, packed: bytes, distance: int, url: str) -> Floats:
        """What is known of a link by now, in the order of `signals.NAMES`."""
        return np.asarray(self._numbers([packed], [distance], [url])[0])

    def _numbers(self, packed: list[bytes], distances: list[int], urls: Sequence[str]) -> Floats:
        links = Links(packed, distances, urls)
        evidence = self._known.histories.evidence(links.heads[:, : len(GROUPS)])
        given = _given(self._known, self._signals, links)
        numbers = np.concatenate([evidence, given], axis=1)
        numbers[:, self._known.left_out] = 0.0
        return numbers

    def learn(self, packed: bytes, numbers: Floats, success: float) -> None:
        """Teach `likely` what became of a link, and count it in the histories."""
        features = Features.unpack([packed])
        self._known.likely.learn(features.terms.numbers, numbers, success)
        self._known.histories.add(features.groups[0], success)

    def begin(self, packed: bytes, numbers: Floats) -> None:
        """Show `leads` a link of which nothing has come yet."""
        self._known.leads.begin(Features.unpack([packed]).terms.numbers, numbers)

    def credit(self, packed: bytes, numbers: Floats, count: float) -> None:
        """Tell `leads` that something came of a link that it was shown."""
        self._known.leads.add(Features.unpack([packed]).terms.numbers, numbers, count)


class CompiledScorer:
    """The form in C."""

    def __init__(
        self, knowledge: Knowledge, compiled: Any, signals: Sequence[Signal] = SIGNALS
    ) -> None:
        habits = knowledge.habits
        self._given = partial(_given, knowledge, signals)
        self._size = len(GROUPS) + len(signals)
        self._kernel = compiled.Scorer(
            knowledge.likely.tables(),
            knowledge.leads.tables(),
            knowledge.histories.tables(),
            knowledge.domains.tables(),
            self._size,
            list(knowledge.left_out),
            (habits.step, habits.future, habits.tires_after, LOG_MOST),
        )
        self.unknown_hosts = self._kernel.unknown_hosts
        self.learn, self.begin = self._kernel.learn, self._kernel.begin
        self.credit = self._kernel.credit

    def scores(self, packed: list[bytes], distances: list[int], urls: Sequence[str]) -> Floats:
        scores = np.empty(len(packed))
        self._kernel.score(packed, self._given(Links(packed, distances, urls)), scores)
        return scores

    def numbers(self, packed: bytes, distance: int, url: str) -> Floats:
        numbers = np.empty(self._size)
        self._kernel.numbers(packed, self._given(Links([packed], [distance], [url])), numbers)
        return numbers


def _given(known: Knowledge, signals: Sequence[Signal], links: Links) -> Floats:
    """The numbers of links besides their histories, a row a link."""
    found = np.empty((len(links.heads), len(signals)))
    for column, signal in enumerate(signals):
        found[:, column] = signal.values(known, links)
    return found


def make_scorer(knowledge: Knowledge) -> ArrayScorer | CompiledScorer:
    """The form in C where there is one."""
    compiled = kernel("models")
    return CompiledScorer(knowledge, compiled) if compiled else ArrayScorer(knowledge)
