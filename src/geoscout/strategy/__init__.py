"""Which link comes first? A strategy scores; the frontier alone decides order and politeness.

One module or folder for each strategy, with `create(aim)`; see `base.py` for what it must do and
what it may do. Strategies are found by their entry point, so that yours can be one of them:
docs/extend/strategy.md.
"""

from __future__ import annotations

from dataclasses import replace

from geoscout.plugins import load_plugin, plugin_names, split_spec
from geoscout.strategy.abilities import Abilities, abilities_of
from geoscout.strategy.base import (
    LinkOutcome,
    Reason,
    Scored,
    Scores,
    Source,
    Strategy,
    StrategyAim,
    StrategyTraits,
)

__all__ = [
    "Abilities",
    "LinkOutcome",
    "Reason",
    "Scored",
    "Scores",
    "Source",
    "Strategy",
    "StrategyAim",
    "StrategyTraits",
    "abilities_of",
    "create_strategy",
    "strategy_names",
]

GROUP = "geoscout.strategies"


def strategy_names() -> tuple[str, ...]:
    """Every strategy that is installed."""
    return plugin_names(GROUP)


def create_strategy(spec: str, aim: StrategyAim) -> Strategy:
    """The strategy a text such as "adaptive:depth=3" names, with its options over those of `aim`.

    Raises:
        UsageError: no strategy has that name, or it has no such option.
    """
    name, options = split_spec(spec)
    module = load_plugin(GROUP, name, "strategy")
    strategy: Strategy = module.create(replace(aim, options={**aim.options, **options}))
    return strategy
