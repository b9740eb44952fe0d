"""What the hybrid learns: two small linear models, and what became of groups of links.

`Logistic` says how likely something is, `Rate` how many of something to expect, over hashed terms.
Each weight has a step of its own that shrinks as it is used (AdaGrad), so that rare terms learn
quickly and frequent ones settle. A table of weights instead of a dictionary: a page of links is
scored with one look-up. `CompiledScorer` has the same in C. So that both give the same bits, sums
are taken one by one in the order of the terms and numbers, and logarithms and powers are those of
the C library (`one_by_one`): numpy has its own, which differ in the last bit from machine to
machine.

What the models believe before the first page is a short table that people can read, `prior.tsv`.
Its words are learned on synthetic webs only (`python -m tools.prior`, tuning webs 101 to 104), and
mean the same everywhere, such as "contact" and "imprint"; names of places are left to the
gazetteer. The weights of the gazetteer's cues were set by hand.

A group is a host, a folder, a list or a template. It is a 32-bit number and has one place in a
table, which it shares with others: the last to come has it, so that memory is bounded and a group
that has not been met for long is forgotten. The way on which a page was found is kept for the
latest pages, so that a relevant one can credit the pages that led to it.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from geoscout.strategy.terms import Terms, term_number

Floats = NDArray[np.float64]
BITS = 18
_MASK = np.uint32((1 << BITS) - 1)
LOG_MOST = math.log(20.0)  # the logarithm of the most that is expected
_NUMBERS_SETTLED = 10.0  # how well the numbers are known from the start, in squared steps


def slots_of(numbers: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The places of terms in the table."""
    return np.asarray((numbers ^ (numbers >> np.uint32(14))) & _MASK)


def one_by_one(function: Callable[[float], float], values: Floats) -> Floats:
    """A function of `math` for each value of an array."""
    found = np.fromiter(map(function, values.ravel().tolist()), np.float64, values.size)
    return found.reshape(values.shape)


class Linear:
    """A weighted sum of terms and numbers; the base of both models."""

    def __init__(self, numbers: Sequence[float], bias: float, step: float) -> None:
        """Start with these weights of the numbers, and no weight for any term."""
        self.weights = np.zeros(1 << BITS, np.float32)
        self.numbers = np.array([*numbers, bias], np.float64)
        self._used = np.ones(1 << BITS, np.float32)
        self._numbers_used = np.full(len(self.numbers), _NUMBERS_SETTLED)
        self._learned = np.ones(len(self.numbers))  # 0 for a number whose weight is held
        self._step = step

    def hold(self, number: int, *, held: bool) -> None:
        """Keep the weight of a number as it is, or let it be learned again."""
        self._learned[number] = not held

    def set_weight(self, number: int, weight: float) -> None:
        """Give a term a weight before anything is learned."""
        self.weights[slots_of(np.array([number], np.uint32))] = weight

    def weight(self, number: int) -> float:
        """The weight of a term."""
        return float(self.weights[slots_of(np.array([number], np.uint32))][0])

    def sums(self, terms: Terms, numbers: Floats) -> Floats:
        """The sum for each row; a row's terms together count as the root of how many they are."""
        lengths = terms.lengths()
        rows = np.repeat(np.arange(len(lengths)), lengths)
        # `bincount` adds one after the other.
        weights = self.weights.take(slots_of(terms.numbers))
        total = np.bincount(rows, weights, len(lengths)) / np.sqrt(np.maximum(lengths, 1))
        for number, weight in zip(numbers.T, self.numbers[:-1].tolist(), strict=True):
            total += number * weight
        return np.asarray(total + self.numbers[-1])

    def move(self, terms: NDArray[np.uint32], numbers: Floats, error: float) -> None:
        """Take a step that makes the sum of such a row larger by an error above 0."""
        slots, slope = slots_of(terms), error / math.sqrt(max(len(terms), 1))
        used = self._used.take(slots) + slope * slope
        self._used[slots] = used
        self.weights[slots] += self._step * slope / np.sqrt(used)
        slopes = np.append(numbers, 1.0) * (error * self._learned)
        self._numbers_used += slopes * slopes
        self.numbers += 0.5 * self._step * slopes / np.sqrt(self._numbers_used)

    def sum_of(self, terms: NDArray[np.uint32], numbers: Floats) -> float:
        """The sum for one row."""
        return float(self.sums(Terms(terms, np.zeros(1, np.int64)), numbers[None, :])[0])

    def tables(self) -> tuple[NDArray[Any], ...]:
        """All that it knows; these arrays are never replaced by others."""
        return self.weights, self._used, self.numbers, self._numbers_used, self._learned

    def save(self, name: str) -> dict[str, NDArray[Any]]:
        """What was learned, as arrays under names that begin with this one."""
        slots = np.flatnonzero(self._used > 1.0)
        return {
            f"{name}-slots": slots.astype(np.uint32),
            f"{name}-weights": self.weights[slots],
            f"{name}-used": self._used[slots],
            f"{name}-numbers": np.stack([self.numbers, self._numbers_used]),
        }

    def load(self, name: str, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `save` gave."""
        slots = arrays[f"{name}-slots"]
        self.weights[slots] = arrays[f"{name}-weights"]
        self._used[slots] = arrays[f"{name}-used"]
        self.numbers[:], self._numbers_used[:] = arrays[f"{name}-numbers"]


class Logistic(Linear):
    """How likely it is."""

    def predict(self, terms: Terms, numbers: Floats) -> Floats:
        """A probability for each row."""
        return one_by_one(_likelihood, self.sums(terms, numbers))

    def learn(self, terms: NDArray[np.uint32], numbers: Floats, truth: float) -> None:
        """See one row with what it turned out to be."""
        self.move(terms, numbers, truth - _likelihood(self.sum_of(terms, numbers)))


class Rate(Linear):
    """How many to expect."""

    def predict(self, terms: Terms, numbers: Floats) -> Floats:
        """An expected count for each row."""
        return one_by_one(_expectation, self.sums(terms, numbers))

    def begin(self, terms: NDArray[np.uint32], numbers: Floats) -> None:
        """See a row of which nothing has come yet."""
        self.move(terms, numbers, -_expectation(self.sum_of(terms, numbers)))

    def add(self, terms: NDArray[np.uint32], numbers: Floats, count: float) -> None:
        """Something came of a row that `begin` has seen."""
        self.move(terms, numbers, count)


def _likelihood(total: float) -> float:
    return 1.0 / (1.0 + math.exp(-min(max(total, -30.0), 30.0)))


def _expectation(total: float) -> float:
    return math.exp(min(max(total, -10.0), LOG_MOST))


@cache
def read_prior() -> tuple[tuple[str, float, float], ...]:
    """Terms with their weight for being relevant and for leading to what is."""
    text = (Path(__file__).parent / "prior.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return tuple((term, float(likely), float(leads)) for term, likely, leads in rows)


GROUPS = ("host", "folder", "template", "list")
_WITHIN = (None, 0, None, 2)  # the group that each is a part of, by its number
_GROUP_BITS = 20  # of the number of groups remembered
_PRIOR_RESPONSES = 3.0  # the expectation counts as much as this many responses
_PRIOR_RELEVANT = 1.0  # of ten responses
# Half of the evidence counts after this many relevant pages, and none before the first: until a
# relevant page was found, no group is better than another.
_TRUSTED_AFTER = 3.0
_PAGES_REMEMBERED = 10_000  # the latest; some 30 MB with what a model saw of each

Groups = NDArray[np.uint32]
Seen = TypeVar("Seen")


class Histories:
    """Counts of outcomes by group."""

    def __init__(self, bits: int = _GROUP_BITS) -> None:
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

    @property
    def trust(self) -> float:
        """How much of the evidence counts, from 0 to 1."""
        return self.found / (self.found + _TRUSTED_AFTER)

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
        return np.asarray(added * self.trust)

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


_URL_BITS = 20  # of the number of URLs remembered: 6 MB
_URL_MASK = np.uint32((1 << _URL_BITS) - 1)
_MOST_PARENTS = 255


class Parents:
    """How many pages link to each URL, and how many of these are relevant.

    What relevant pages name together is likely relevant too. The link that a request was made of
    tells of one page only.
    """

    def __init__(self) -> None:
        self._owners = np.zeros(1 << _URL_BITS, np.uint32)
        self._counts = np.zeros((1 << _URL_BITS, 2), np.uint8)  # pages, relevant

    def add(self, urls: Iterable[str], *, relevant: bool) -> None:
        """Count one page for each of the URLs that it links to."""
        numbers = _numbers_of(urls)
        places = numbers & _URL_MASK
        counts = self._of(numbers)
        is_room = counts[:, 0] < _MOST_PARENTS
        counts[is_room] += np.array([1, relevant], np.uint8)
        self._owners[places], self._counts[places] = numbers, counts

    def evidence(self, urls: Iterable[str], histories: Histories) -> Floats:
        """What the pages that link to each URL say of it, in log odds; 0 where none is known."""
        counts = self._of(_numbers_of(urls)).astype(np.float64)
        shares = counts[:, 1] + _PRIOR_RESPONSES * histories.share
        shares /= counts[:, 0] + _PRIOR_RESPONSES
        added = one_by_one(_log_odds, shares) - _log_odds(histories.share)
        return np.where(counts[:, 0] > 0, added * histories.trust, 0.0)

    def _of(self, numbers: Groups) -> NDArray[np.uint8]:
        places = numbers & _URL_MASK
        is_theirs = self._owners.take(places) == numbers
        return np.asarray(self._counts.take(places, axis=0) * is_theirs[:, None])

    def save(self) -> dict[str, NDArray[Any]]:
        """Everything, as arrays."""
        places = np.flatnonzero(self._counts[:, 0])
        return {"urls": self._owners[places], "parents": self._counts[places]}

    def load(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from what `save` gave."""
        places = arrays["urls"] & _URL_MASK
        self._owners[places], self._counts[places] = arrays["urls"], arrays["parents"]


def _numbers_of(urls: Iterable[str]) -> Groups:
    return np.array(list(map(term_number, urls)), np.uint32)


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
