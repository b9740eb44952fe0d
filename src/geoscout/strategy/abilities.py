"""What a strategy can do: asked once, and then called without asking again.

A strategy may have `score` alone. `abilities_of` looks which of the optional Protocols of `base.py`
it has, and puts the plain answer of a strategy that has no opinion in place of the others. So the
loop and the simulations call every strategy alike, and look for no method while they run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from geoscout.strategy.base import (
    Explainer,
    Keeper,
    Learner,
    LinkOutcome,
    Reason,
    Rescorer,
    Scores,
    Source,
    Strategy,
    StrategyTraits,
    StrategyWithTraits,
    WordHearer,
)
from geoscout_places.model import Link, Request


class Abilities(Struct, frozen=True):
    """The methods of a strategy, with plain answers for those it does not have."""

    score: Callable[[Source, Sequence[Link]], Scores]
    learn: Callable[[LinkOutcome], None]
    due: Callable[[int], int]
    rescore: Callable[[Sequence[Request]], Sequence[float]]
    save: Callable[[], bytes]
    load: Callable[[bytes], None]
    explain: Callable[[Source, Link], Reason]
    hear_words: Callable[[Sequence[str]], None]
    traits: StrategyTraits


def abilities_of(strategy: Strategy) -> Abilities:
    """What a strategy can do."""
    return Abilities(
        score=strategy.score,
        learn=strategy.learn if isinstance(strategy, Learner) else _learn_nothing,
        due=strategy.due if isinstance(strategy, Rescorer) else _never_due,
        rescore=strategy.rescore if isinstance(strategy, Rescorer) else _as_before,
        save=strategy.save if isinstance(strategy, Keeper) else _nothing_to_keep,
        load=strategy.load if isinstance(strategy, Keeper) else _nothing_to_load,
        explain=strategy.explain if isinstance(strategy, Explainer) else _explained_by(strategy),
        hear_words=strategy.hear_words if isinstance(strategy, WordHearer) else _hear_nothing,
        traits=strategy.traits if isinstance(strategy, StrategyWithTraits) else StrategyTraits(),
    )


def _learn_nothing(outcome: LinkOutcome) -> None:
    """For a strategy that does not learn."""


def _never_due(responses: int) -> int:  # noqa: ARG001
    return 0


def _as_before(waiting: Sequence[Request]) -> Sequence[float]:
    return [request.priority for request in waiting]


def _nothing_to_keep() -> bytes:
    return b""


def _nothing_to_load(state: bytes) -> None:
    """For a strategy that keeps nothing."""


def _hear_nothing(words: Sequence[str]) -> None:
    """For a strategy that has no words."""


def _explained_by(strategy: Strategy) -> Callable[[Source, Link], Reason]:
    """The score alone, for a strategy that gives no reasons."""

    def explain(source: Source, link: Link) -> Reason:
        (scored,) = strategy.score(source, [link])
        if scored is None:
            return Reason("priority", 0.0, "the strategy drops this link")
        return Reason("priority", scored.score)

    return explain
