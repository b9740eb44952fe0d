"""Traces of small crawls."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from geoscout_lab.simulation.simulate import Trace


def make_trace(pages: Sequence[int], parents: Sequence[int]) -> Trace:
    """The trace of these visits; a parent is the number of a visit, -1 for a seed."""
    numbers = np.array(pages, dtype=np.int64)
    return Trace(
        numbers,
        np.array(parents, dtype=np.int64),
        depths=numbers,
        priorities=numbers.astype(np.float64),
        relevant=np.zeros(len(pages), dtype=np.bool_),
        statuses=numbers,
    )
