"""What a strategy can do: asked once, and then called without asking again.

A strategy may have `score` alone. For what it lacks, `Abilities` has the answer of one without an
opinion. So the loop and the simulations call every strategy alike, and look for no method while
they run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from geoscout.strategy.base import (
    LinkOutcome,
    Reason,
    Scores,
    Source,
    Strategy,
    StrategyTraits,
)
from geoscout_places.model import Link, Request


class Abilities:
    """All that a crawl asks of a strategy."""

    score: Callable[[Source, Sequence[Link]], Scores]
    traits = StrategyTraits()  # they never change

    def __init__(self, strategy: Strategy) -> None:
        self.score, self._strategy = strategy.score, strategy
        for name in ("learn", "due", "rescore", "save", "load", "explain", "hear_words", "traits"):
            if hasattr(strategy, name):
                setattr(self, name, getattr(strategy, name))

    def learn(self, outcome: LinkOutcome) -> None:
        """Take in what became of a link; called once for each, before the links of its page."""

    @property
    def new_entities(self) -> int | None:
        """How many the outcome that it learned from last brought; None if they do not count."""
        return getattr(self._strategy, "new_entities", None)

    def due(self, responses: int) -> int:  # noqa: ARG002
        """How many waiting requests, the best first, to score again after this many responses.

        Asked after each response, in a crawl that was resumed with the responses of all its runs.
        0: none now.
        """
        return 0

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        """The priorities of waiting requests as the strategy sees them now."""
        return [request.priority for request in waiting]

    def save(self) -> bytes:
        """What was learned, for `load` in a later process; empty for nothing."""
        return b""

    def load(self, state: bytes) -> None:
        """Go on from what `save` gave; an empty state changes nothing.

        Raises:
            UsageError: another version or other options made it.
        """

    def explain(self, source: Source, link: Link) -> Reason:
        """Why a link has its priority, as of now; the score alone where it gives no reasons."""
        (scored,) = self.score(source, [link])
        if scored is None:
            return Reason("priority", 0.0, "the strategy drops this link")
        return Reason("priority", scored.score)

    def hear_words(self, words: Sequence[str]) -> None:
        """Take in words that a `LinkReader` has met, so that people can read its model.

        They come from other processes, which may tell the same ones again.
        """


def abilities_of(strategy: Strategy) -> Abilities:
    """What a strategy can do."""
    return Abilities(strategy)
