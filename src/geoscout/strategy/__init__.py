"""Which link comes first? A strategy scores; the frontier alone decides order and politeness.

One module or folder for each strategy, with `create(aim)`; see `base.py` for what it must do and
what it may do. Strategies are found by their entry point, so that yours can be one of them:
docs/extend/strategy.md.
"""

from dataclasses import replace
from types import ModuleType

from geoscout.strategy.base import (
    Abilities,
    LinkOutcome,
    LinkReader,
    Reason,
    Scored,
    Scores,
    Source,
    Strategy,
    StrategyAim,
    StrategyTraits,
    abilities_of,
)
from geoscout_places.plugins import load_plugin, plugin_names, split_spec

__all__ = [
    "Abilities",
    "LinkOutcome",
    "LinkReader",
    "Reason",
    "Scored",
    "Scores",
    "Source",
    "Strategy",
    "StrategyAim",
    "StrategyTraits",
    "abilities_of",
    "create_strategy",
    "link_reader_of",
    "strategy_names",
]

GROUP = "geoscout.strategies"


def strategy_names() -> tuple[str, ...]:
    """Every strategy that is installed."""
    return plugin_names(GROUP)


def create_strategy(spec: str, aim: StrategyAim) -> Strategy:
    """The strategy that a text such as "adaptive:depth=3" names; its options win over the aim's."""
    module, aim = _find(spec, aim)
    strategy: Strategy = module.create(aim)
    return strategy


def link_reader_of(spec: str, aim: StrategyAim) -> LinkReader | None:
    """What reads links for that strategy in other processes; None: it reads them itself."""
    module, aim = _find(spec, aim)
    create = getattr(module, "create_link_reader", None)
    reader: LinkReader | None = create(aim) if create else None
    return reader


def _find(spec: str, aim: StrategyAim) -> tuple[ModuleType, StrategyAim]:
    """The module of a strategy, and the aim with its options."""
    name, options = split_spec(spec)
    module = load_plugin(GROUP, name, "strategy")
    return module, replace(aim, options={**aim.options, **options})
