"""What is a link worth? A strategy scores; the frontier alone decides order and politeness.

One module a strategy, with `create(settings)`; see `base.py` for what it must do.
"""

from geoscout.strategy.base import Source, Strategy

__all__ = ["Source", "Strategy"]
