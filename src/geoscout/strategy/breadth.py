"""Breadth first: the fewer links from a seed, the earlier. The baseline of every comparison."""

from __future__ import annotations

from geoscout.model import Link
from geoscout.settings import Settings
from geoscout.strategy.base import Source, Strategy


def create(_settings: Settings) -> Strategy:
    """The strategy that knows nothing."""
    return score


def score(_link: Link, source: Source) -> float:
    """Minus the depth of the link."""
    return -float(source.request.depth + 1)
