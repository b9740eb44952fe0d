"""What is a link worth? A strategy scores; the frontier alone decides order and politeness.

One module a strategy, with `create(aim)`; see `base.py` for what it must do. They are found by
their entry point, so that yours can be among them: docs/extend/strategy.md.
"""

from geoscout.strategy.base import DROP, Aim, Outcome, Reason, Scored, Source, Strategy
from geoscout.strategy.registry import create_strategy, strategy_names

__all__ = [
    "DROP",
    "Aim",
    "Outcome",
    "Reason",
    "Scored",
    "Source",
    "Strategy",
    "create_strategy",
    "strategy_names",
]
