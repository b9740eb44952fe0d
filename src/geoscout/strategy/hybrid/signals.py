"""The signals of the hybrid that are numbers, and its options, which say what it does without.

A row of `SIGNALS` is all that a new one needs: what it is called, what it weighs before anything is
learned, and its values for some links. The histories of groups come before them; the kernel works
these out, and is given the rest.

A scorer puts all that the hybrid knows together, and learns from what became of links. A link is
what `Features.pack` made of it: the bytes that come with it from the frontier. There are two forms
with the same results, bit for bit: `ArrayScorer` works on all links at once in numpy, and
`CompiledScorer` has a kernel that works on the same tables. It takes less time for a page of links,
and much less for one link, since numpy takes a microsecond for every operation.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from geoscout.strategy.hybrid.domains import TiredDomains
from geoscout.strategy.hybrid.link_features import Features, heads_of
from geoscout.strategy.hybrid.models import (
    GROUPS,
    LOG_MOST,
    Floats,
    Histories,
    Logistic,
    Parents,
    Rate,
    one_by_one,
)
from geoscout.strategy.named_places import CUE_VALUES
from geoscout.strategy.registrants import RegistrantPlaces
from geoscout_places._native import kernel
from geoscout_places.errors import UsageError
from geoscout_places.plugins import PluginOptions, setting

AIMS = ("pages", "entities")
TERMS = ("host", "path", "anchor", "around", "list", "part")  # signals that are terms
_LIST = GROUPS.index("list")
_FARTHEST = 6  # links since a relevant page that are told apart


@dataclass(frozen=True, slots=True)
class Habits:
    """How it learns and chooses; chosen on webs that were used for nothing else.

    Each is worth at most 3 % of what a crawl finds (docs/results/hybrid.md), so users have no say.
    """

    step: float = 0.5  # how large its steps of learning are at first
    future: float = 0.15  # weight of what a page leads to, besides what it is
    credit: float = 0.5  # what one more page on the way leaves of the credit
    credit_steps: int = 4  # pages on the way that are credited
    rescore_every: int = 5  # responses between two orderings of what waits; fewer while it is young
    rescore_most: int = 150  # links that are scored again, mostly
    distance_after: int = 3  # relevant pages before it learns how much link distance counts
    tires_after: float = 100.0  # responses with nothing new that halve a domain's worth; 0: none


@dataclass(frozen=True, slots=True)
class HybridOptions(PluginOptions):
    """What it values, and what it does without."""

    aim: str = setting("pages", "what counts: relevant pages, or entities that are new")
    patience: float = setting(
        0.5, "links with less than this share of the best score that can be fetched in seconds wait"
    )
    registrations: str = setting("", "a table of the registrants of domains; empty for none")
    without: str = setting("", "signals it does without, joined by +, to see how much each helps")

    @property
    def left_out(self) -> frozenset[str]:
        """The signals it does without."""
        return frozenset(filter(None, self.without.split("+")))


class Knowledge(Struct, frozen=True):
    """What the score of a link depends on."""

    likely: Logistic  # how likely it leads to a relevant page
    leads: Rate  # how many relevant pages will be found through it
    histories: Histories
    parents: Parents
    domains: TiredDomains
    registrants: RegistrantPlaces | None  # None: their places do not count
    left_out: Sequence[int]  # numbers of a link that are always 0
    habits: Habits


class Links:
    """Some links that are scored."""

    def __init__(
        self, packed: Iterable[bytes], distances: Sequence[int], urls: Sequence[str]
    ) -> None:
        self.heads = heads_of(packed)  # a row a link: its groups, and its strongest cue
        self.distances = distances  # links since a relevant page
        self.urls = urls

    @property
    def hosts(self) -> NDArray[np.uint32]:
        """The numbers of their hosts."""
        return self.heads[:, 0]


class Signal(NamedTuple):
    """A number that says something of a link."""

    name: str  # by which it can be left out
    label: str  # for those who read the model
    likely: float  # its weight in each model before anything is learned
    leads: float
    values: Callable[[Knowledge, Links], Floats]


def _registrants(known: Knowledge, links: Links) -> Floats:
    registrants = known.registrants
    return registrants.values(links.hosts) if registrants else np.zeros(len(links.heads))


def _tried(known: Knowledge, links: Links) -> Floats:
    """While nothing is found one page of a list tells enough, and the next may be of another."""
    if known.histories.found:
        return np.zeros(len(links.heads))
    return one_by_one(math.log1p, known.histories.count(links.heads[:, _LIST]))


SIGNALS = (
    Signal(
        "distance", "links since a relevant page", -0.7, -0.2,
        lambda _, links: np.minimum(np.array(links.distances, np.float64) - 1, _FARTHEST),
    ),
    Signal(
        "new host", "host not yet seen", 0.0, 0.2,
        lambda known, links: (known.histories.count(links.hosts) == 0).astype(np.float64),
    ),
    Signal(
        "cue", "places named", 1.0, 0.5, lambda _, links: CUE_VALUES.take(links.heads[:, -1])
    ),
    Signal("registrant", "place of the registrant", 0.5, 0.2, _registrants),
    Signal("tried list", "responses of its list, while nothing is found", -0.7, 0.0, _tried),
    Signal(
        "parents", "relevance of the pages that link to it", 0.3, 0.0,
        lambda known, links: known.parents.evidence(links.urls, known.histories),
    ),
)  # fmt: skip

# The numbers of a link: first what became of others of its groups, then the signals.
_HISTORY_WEIGHT = {"host": 0.4, "folder": 0.4, "template": 0.3, "list": 0.4}
NAMES = (*(f"{group} history" for group in GROUPS), *(signal.name for signal in SIGNALS))
LABELS = (*GROUPS, *(signal.label for signal in SIGNALS))
LIKELY = (*(_HISTORY_WEIGHT[group] for group in GROUPS), *(signal.likely for signal in SIGNALS))
LEADS = (*(0.0 for _ in GROUPS), *(signal.leads for signal in SIGNALS))
DISTANCE = NAMES.index("distance")


def check_hybrid_options(options: HybridOptions) -> None:
    """Complain about what cannot be."""
    if options.aim not in AIMS:
        raise UsageError(f"aim is one of {', '.join(AIMS)}, not {options.aim!r}")
    if not 0 <= options.patience <= 1:
        raise UsageError(f"patience is from 0 to 1, not {options.patience}")
    for name in sorted(options.left_out - {*NAMES, *TERMS}):
        known = ", ".join((*NAMES, *TERMS))
        raise UsageError(f"hybrid has no signal {name!r} to leave out; it has: {known}")


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
