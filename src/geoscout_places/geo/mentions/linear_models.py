"""The learned weights, and the sums over them.

Two small linear models: one says whether a span is believed (logistic), one which place a name
means (softmax over its options). Their weights are text files, one feature a line, made by
tools/train/; the same feature names are used there and here. Sums that recur are kept,
because a page has thousands of spans and only a few hundred different surroundings.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path

from geoscout_places.caches import BoundedCache
from geoscout_places.model import Candidate, Kind, NameRole

# What the page can say of a span; a span's flags are a sum of these bits.
FLAGS = (
    "explained tight", "explained loose", "explains tight", "explains loose", "listed",
    "person elsewhere", "place elsewhere", "region", "square", "country", "stranger",
    "only name", "column",
)  # fmt: skip
BITS = {flag: 1 << position for position, flag in enumerate(FLAGS)}

BASE_FEATURES = (
    "prior", "alias", "region", "district", "neighbourhood", "country", "other kind", "namesake",
    "unpeopled", "seat",
)  # fmt: skip
PAGE_FEATURES = (
    "explained", "same country", "same region", "regions", "same square", "squares",
    "district named", "surrounds", "kind said", "kind listed",
)  # fmt: skip
BIAS = "bias"
_MOST_SUMS = 200_000  # that are kept
_MOST_NAME_SUMS = 20_000  # the same of names alone, whose keys are long
SEATS = ("PPLC", "PPLA", "PPLA2", "PPLA3")  # of a country, region, district
_OTHER_KINDS = (Kind.LANDMARK, Kind.WATER, Kind.AREA)


def read_weights(name: str) -> dict[str, float]:
    """A table of weights from the folder of this module."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line)
    return {feature: float(weight) for feature, weight in rows}


def name_features(sort: str, facts: Iterable[str]) -> tuple[str, ...]:
    """Features of a name alone."""
    return (BIAS, f"sort={sort}", *facts)


def context_features(sort: str, before: str, after: str, case: str, line: str) -> Iterator[str]:
    """Features of what stands around a span, of its case, and of the length of its line."""
    yield f"before={before}"
    yield f"after={after}"
    yield f"before={before} {sort}"
    yield f"after={after} {sort}"
    yield f"case={case}"
    yield f"case={case} {sort}"
    yield f"case={case} {before}"
    yield f"between={before} {after}"
    yield f"line={line} {sort}"
    yield f"line={line} {before} {after}"


def page_features(sort: str, flags: int) -> Iterator[str]:
    """Features of what the rest of the page says."""
    group, _, size = sort.partition("-")
    for flag, bit in BITS.items():
        if flags & bit:
            yield flag
            yield f"{flag} {group}"
            if size:
                yield f"{flag} {size}"


class BeliefModel:
    """Sums of weights; above 0 a span is rather a place than not."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.weights = weights
        # By the arguments of `context_features` and `page_features`; there are a few thousand.
        self.names = BoundedCache(self._name_score, _MOST_NAME_SUMS)  # by sort and features
        self.contexts = BoundedCache(self._context_score, _MOST_SUMS)
        self.pages = BoundedCache(self._page_score, _MOST_SUMS)

    def _name_score(self, key: tuple[str, tuple[str, ...]]) -> float:
        """The score of a name wherever it stands."""
        return self._sum(name_features(*key))

    def _context_score(self, key: tuple[str, str, str, str, str]) -> float:
        """What the neighbours of a span add."""
        return self._sum(context_features(*key))

    def _page_score(self, key: tuple[str, int]) -> float:
        """What the page adds."""
        return self._sum(page_features(*key))

    def _sum(self, features: Iterable[str]) -> float:
        return sum(map(self.weights.get, features, repeat(0.0)))


def base_features(candidate: Candidate, *, is_namesake: bool) -> list[float]:
    """What speaks for a candidate on any page, in the order of `BASE_FEATURES`."""
    kind = candidate.place.kind
    return [
        candidate.score,
        float(candidate.role != NameRole.NAME),
        float(kind is Kind.REGION),
        float(kind is Kind.DISTRICT),
        float(kind is Kind.NEIGHBOURHOOD),
        float(kind is Kind.COUNTRY),
        float(kind in _OTHER_KINDS),
        float(is_namesake),
        float(not candidate.place.population),
        float(candidate.place.feature in SEATS),
    ]


def _kind_feature(kind: Kind) -> str:
    return "other kind" if kind in _OTHER_KINDS else str(kind)


class SenseModel:
    """Weights for choosing among the options of a name."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.base = [weights.get(feature, 0.0) for feature in BASE_FEATURES]
        self.page = tuple(weights.get(feature, 0.0) for feature in PAGE_FEATURES)
        self._prior, self._alias, *_, self._namesake, self._unpeopled, self._seat = self.base
        self._kinds = {kind: weights.get(_kind_feature(kind), 0.0) for kind in Kind}

    def base_score(self, candidate: Candidate, is_namesake: bool) -> float:  # noqa: FBT001
        """How likely the candidate is meant: `base_features` written out, since it is hot."""
        score = self._prior * candidate.score
        if candidate.role is not NameRole.NAME:
            score += self._alias
        place = candidate.place
        score += self._kinds[place.kind]
        if not place.population:
            score += self._unpeopled
        if place.feature in SEATS:
            score += self._seat
        return score + self._namesake if is_namesake else score


def probability(score: float) -> float:
    """The logistic function.

    >>> probability(0.0), round(probability(1000.0), 6)
    (0.5, 1.0)
    """
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, score))))
