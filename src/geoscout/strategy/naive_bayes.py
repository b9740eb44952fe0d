"""Naive Bayes over the terms of links, one class for each depth at which a relevant page may lie.

The model is nothing but counts: how many links had a term, and how many of them led to a relevant
page in exactly one step, two steps, and so on. What was published leaves room for readings; each is
a word in `Form` (A-4 and A-5 in docs/strategies.md). All links of a page are scored at once: the
weights of their terms are looked up in one table and summed, which is what makes it fast.

Ahlers and Boll leave a comparison of classifiers to others. Two more look at the same links in the
same way: the nearer of two centroids, which the counts tell as well, and logistic regression.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout.strategy.terms import Terms

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
Numbers = NDArray[np.uint32]

PRESENCE, MULTINOMIAL, CENTROID, LOGISTIC = "presence", "multinomial", "centroid", "logistic"
SUM, MARGINALS = "sum", "marginals"
LAPLACE, PROPORTIONAL = "laplace", "proportional"
_ROUNDS, _STEP, _PRIOR_LINKS = 60, 0.5, 1.0  # of logistic regression, over all links at a time
NAMES_KEPT = 3000  # of the most frequent terms, so that people can read a model


@dataclass(frozen=True, slots=True)
class Form:
    """Which naive Bayes it is."""

    # A term is there or not; or it counts as often as it stands; or see `_centroids`, `regressed`.
    model: str = PRESENCE
    evidence: str = SUM  # p(f): the sum over both classes; or the product of the terms' shares
    ignore_unknown: bool = False  # or an unknown term counts as one seen zero times
    # Laplace adds one link with the term to each class. Where few links are relevant that one
    # weighs more in their class, so that a term seen rarely or never speaks for a link. Shared
    # out in proportion to the classes, the same one link says nothing for either.
    smoothing: str = LAPLACE


@dataclass(frozen=True, slots=True)
class Examples:
    """Links whose outcome is known."""

    terms: Terms
    outcomes: NDArray[np.bool_]  # a row a link, a column a depth


@dataclass(frozen=True)
class LinkModel:
    """Counts of terms; row 0 is the term never seen."""

    numbers: Numbers
    seen: Counts  # links with the term, or times it stood in one
    hits: Counts  # a column a depth: of those, with a relevant page that many steps away
    links: int
    good: Counts  # links with a relevant page at each depth
    form: Form = Form()
    names: Mapping[int, str] = field(default_factory=dict)  # texts of frequent terms
    learned: Floats | None = None  # by regression: the prior in row 0, then the terms
    weights: Floats = field(init=False, repr=False)
    prior: Floats = field(init=False, repr=False)  # logarithms, as the weights are

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", self._weights())
        object.__setattr__(self, "prior", self._prior())

    @property
    def depth(self) -> int:
        """How many steps ahead it predicts."""
        return len(self.good)

    def cut(self, depth: int) -> LinkModel:
        """The same model for the first steps only."""
        learned = self.learned if self.learned is None else self.learned[:, :depth]
        return replace(self, hits=self.hits[:, :depth], good=self.good[:depth], learned=learned)

    def predict(self, terms: Terms) -> Floats:
        """p(geoRel_k | link): a row a link, a column a depth."""
        if not self.links:  # nothing was learned
            return np.zeros((len(terms.starts), self.depth))
        weights = self.weights[self._rows(terms.numbers)]
        sums = np.add.reduceat(weights, terms.starts, axis=0)
        if self.form.model == CENTROID:  # half of the difference of two cosines, around a half
            return np.asarray((1 + sums / np.sqrt(terms.lengths())[:, None]) / 2)
        return self._probability(sums + self.prior)

    def _rows(self, numbers: Numbers) -> Counts:
        """The row of each term among the weights; 0 for the unknown."""
        places = np.minimum(np.searchsorted(self.numbers, numbers), len(self.numbers) - 1)
        return np.where(self.numbers[places] == numbers, places + 1, 0)

    def weights_of(self, numbers: Numbers) -> Floats:
        """How much each term speaks for a relevant page at each depth; below 0: against."""
        return np.asarray(self.weights[self._rows(numbers)])

    def counts_of(self, number: int) -> tuple[int, list[int]]:
        """In how many links a term was seen, and how many of them led to a relevant page."""
        row = int(self._rows(np.array([number], np.uint32))[0]) - 1
        if row < 0:
            return 0, [0] * self.depth
        return int(self.seen[row]), [int(hits) for hits in self.hits[row]]

    def _probability(self, logarithm: Floats) -> Floats:
        with np.errstate(over="ignore"):
            if self.form.evidence == MARGINALS:  # the terms are not independent: it may exceed 1
                return np.minimum(np.exp(logarithm), 1.0)
            return 1.0 / (1.0 + np.exp(-logarithm))

    def _prior(self) -> Floats:
        if self.learned is not None:
            return np.asarray(self.learned[0])
        with np.errstate(divide="ignore", invalid="ignore"):
            good = np.log(self.good)
            whole = self.links if self.form.evidence == MARGINALS else self.links - self.good
            return np.asarray(np.where(self.good > 0, good - np.log(whole), -np.inf))

    def _weights(self) -> Floats:
        """What each term adds to the logarithm, Laplace-smoothed; row 0 for unknown terms."""
        if self.learned is not None:
            return np.vstack([np.zeros((1, self.depth)), self.learned[1:]])
        if self.form.model == CENTROID:
            return self._centroids()
        seen = np.concatenate([[0], self.seen])[:, None]
        hits = np.vstack([np.zeros((1, self.depth), np.int64), self.hits])
        if self.form.model == MULTINOMIAL:
            extra, good, whole = len(self.seen), self.hits.sum(axis=0), int(self.seen.sum())
        else:
            extra, good, whole = 2, self.good, self.links
        weights = _logarithm(hits, good, self._added(good, whole), extra)
        if self.form.evidence == MARGINALS:
            weights -= _logarithm(seen, np.array(whole), np.array(1.0), extra)
        else:
            bad = whole - good
            weights -= _logarithm(seen - hits, bad, self._added(bad, whole), extra)
        if self.form.ignore_unknown:
            weights[0] = 0.0
        # A class without links is never predicted, whatever the terms say: the prior sees to it.
        return np.asarray(np.where((good > 0) & (good < whole), weights, 0.0))

    def _centroids(self) -> Floats:
        """What a term adds to the cosine with the mean relevant link, less that with the others."""
        with np.errstate(divide="ignore", invalid="ignore"):
            for_it, against = (
                part / np.linalg.norm(part, axis=0)
                for part in (self.hits, self.seen[:, None] - self.hits)
            )
        difference = np.nan_to_num(for_it) - np.nan_to_num(against)
        return np.vstack([np.zeros((1, self.depth)), difference])

    def _added(self, size: Counts, whole: int) -> Floats:
        """The links with each term that smoothing adds to a class of this size."""
        if self.form.smoothing == PROPORTIONAL:
            return np.asarray(size / max(whole, 1))
        return np.ones(len(size))


def _logarithm(counts: Counts, size: Counts, added: Floats, extra: int) -> Floats:
    """Of p(term | class); -inf or nan for a class that is empty."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.log(counts + added) - np.log(size + extra * added))


def fit(examples: Examples, form: Form) -> LinkModel:
    """Count the terms of links with known outcomes."""
    terms = examples.terms
    lengths = np.diff(terms.starts, append=len(terms.numbers))
    numbers, inverse = np.unique(terms.numbers, return_inverse=True)
    seen = np.bincount(inverse, minlength=len(numbers))
    hits = np.zeros((len(numbers), examples.outcomes.shape[1]), np.int64)
    for depth, outcome in enumerate(examples.outcomes.T):
        chosen = inverse[np.repeat(outcome, lengths)]
        hits[:, depth] = np.bincount(chosen, minlength=len(numbers))
    good = examples.outcomes.sum(axis=0, dtype=np.int64)
    return LinkModel(numbers, seen, hits, len(lengths), good, form=form)


def regressed(examples: Examples, model: LinkModel) -> LinkModel:
    """The model by logistic regression, with the prior of its counts to begin with.

    Steps shrink as they are used (AdaGrad), and a weight is drawn to 0 as by one link.
    """
    if not model.links:
        return model
    rows, starts = model._rows(examples.terms.numbers), examples.terms.starts  # noqa: SLF001
    owners = np.repeat(np.arange(len(starts)), examples.terms.lengths())
    learned = np.zeros((len(model.numbers) + 1, model.depth))
    learned[0] = np.clip(model.prior, -20, 20)
    for depth, outcome in enumerate(examples.outcomes.T):
        weights, used = learned[:, depth], np.ones(len(learned))
        for _ in range(_ROUNDS):
            sums = np.add.reduceat(weights[rows], starts) + weights[0]
            error = outcome - 1.0 / (1.0 + np.exp(-np.clip(sums, -30, 30)))
            slope = np.bincount(rows, error[owners], len(weights)) - _PRIOR_LINKS * weights
            slope[0] = error.sum()
            used += slope * slope
            weights += _STEP * slope / np.sqrt(used)
    return replace(model, learned=learned)


def pack_model(model: LinkModel) -> dict[str, NDArray[Any]]:
    """The model as arrays to be kept."""
    frequent = model.numbers[np.argsort(-model.seen, kind="stable")].tolist()
    named = [number for number in frequent if number in model.names][:NAMES_KEPT]
    names = "\n".join(model.names[number] for number in named)
    return {
        "numbers": model.numbers,
        "seen": model.seen.astype(np.uint32),
        "hits": model.hits.astype(np.uint32),
        "links": np.array(model.links),
        "good": model.good,
        "named": np.array(named, np.uint32),
        "names": np.frombuffer(names.encode(), np.uint8),
        **({} if model.learned is None else {"learned": model.learned}),
    }


def unpack_model(arrays: Mapping[str, NDArray[Any]], form: Form) -> LinkModel:
    """What `pack_model` gave, as a model again."""
    names = arrays["names"].tobytes().decode().split("\n") if arrays["named"].size else []
    return LinkModel(
        arrays["numbers"],
        arrays["seen"].astype(np.int64),
        arrays["hits"].astype(np.int64),
        int(arrays["links"]),
        arrays["good"],
        form=form,
        names=dict(zip(arrays["named"].tolist(), names, strict=True)),
        learned=arrays.get("learned"),
    )


def pack_arrays(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Arrays by name as bytes, compressed."""
    packed = io.BytesIO()
    np.savez_compressed(packed, **arrays)  # type: ignore[arg-type]  # stubs mistake a mapping
    return packed.getvalue()


def unpack_arrays(state: bytes) -> dict[str, NDArray[Any]]:
    """What `pack_arrays` was given."""
    with np.load(io.BytesIO(state), allow_pickle=False) as arrays:
        return dict(arrays)
