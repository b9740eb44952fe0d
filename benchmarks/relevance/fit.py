"""Fits the weights of the judge `about`: a logistic model whose signs are given.

A sign that is known beforehand keeps the fit from using what only happens to hold on a few sites:
that pages name more places of the region must never speak against it. It is done by plain gradient
steps, each followed by setting weights of the wrong sign to 0; there are seven numbers to find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
SIGNS = {"named": 1, "dense": 1, "lead": 1, "addresses": 1, "away": -1, "spread": -1}
SMALL_SITE = 15  # sites with fewer labelled pages are left out together
_PULL = 1.0  # of each weight towards 0
_STEPS = 20_000
_CLOSE = 1e-7


def fit(values: Numbers, is_about: NDArray[np.bool_]) -> Numbers:
    """The weights of the columns, and last the sum of a page that says nothing."""
    table = np.column_stack([values, np.ones(len(values))])
    signs = np.array([*SIGNS.values(), 0])
    pull = np.array([_PULL] * len(SIGNS) + [0.0])
    step = 1 / (0.25 * np.linalg.norm(table, 2) ** 2 + _PULL)
    weights = np.zeros(table.shape[1])
    for _ in range(_STEPS):
        slope = table.T @ (degrees(values, weights) - is_about) + pull * weights
        moved = weights - step * slope
        moved = np.where(signs * moved < 0, 0.0, moved)
        if np.abs(moved - weights).max() < _CLOSE:
            break
        weights = moved
    return weights


def degrees(values: Numbers, weights: Numbers) -> Numbers:
    """The degree of each page by these weights."""
    return np.asarray(1 / (1 + np.exp(-(values @ weights[:-1] + weights[-1]))))


def cross_validated(values: Numbers, is_about: NDArray[np.bool_], sites: Sequence[str]) -> Numbers:
    """The degree of each page by weights that were fitted without its site."""
    pages = Counter(sites)
    folds = np.array([site if pages[site] >= SMALL_SITE else "" for site in sites])
    found = np.zeros(len(values))
    for fold in sorted(set(folds.tolist())):
        kept = folds != fold
        found[~kept] = degrees(values[~kept], fit(values[kept], is_about[kept]))
    return found
