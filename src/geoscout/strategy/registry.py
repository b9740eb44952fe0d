"""Finds strategies by their entry points and makes them from a text such as "adaptive:depth=3"."""

from __future__ import annotations

from dataclasses import replace

from geoscout.plugins import load_plugin, plugin_names, split_spec
from geoscout.strategy.base import Aim, Strategy

GROUP = "geoscout.strategies"


def strategy_names() -> tuple[str, ...]:
    """Every strategy that is installed."""
    return plugin_names(GROUP)


def create_strategy(spec: str, aim: Aim) -> Strategy:
    """The strategy a text names, with its options over those of `aim`.

    Raises:
        UsageError: no strategy has that name, or it has no such option.
    """
    name, options = split_spec(spec)
    module = load_plugin(GROUP, name, "strategy")
    strategy: Strategy = module.create(replace(aim, options={**aim.options, **options}))
    return strategy
