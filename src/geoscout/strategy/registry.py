"""Finds strategies by their entry points and makes them from a text such as "adaptive:depth=3"."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points

from geoscout.errors import UsageError
from geoscout.strategy.base import Aim, Strategy

GROUP = "geoscout.strategies"


def strategy_names() -> tuple[str, ...]:
    """Every strategy that is installed."""
    return tuple(sorted(entry_points(group=GROUP).names))


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the options in a text.

    >>> split_spec("adaptive:depth=3:labels=tree")
    ('adaptive', {'depth': '3', 'labels': 'tree'})

    Raises:
        UsageError: an option has no value.
    """
    name, *pairs = spec.split(":")
    options = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise UsageError(f"{pair!r} in {spec!r} should be an option and its value: depth=3")
        options[key.replace("-", "_")] = value
    return name, options


def create_strategy(spec: str, aim: Aim) -> Strategy:
    """The strategy a text names, with its options over those of `aim`.

    Raises:
        UsageError: no strategy has that name, or it has no such option.
    """
    name, options = split_spec(spec)
    strategy: Strategy = _find(name).load().create(replace(aim, options={**aim.options, **options}))
    return strategy


def _find(name: str) -> EntryPoint:
    found = entry_points(group=GROUP, name=name)
    if not found:
        known = ", ".join(strategy_names())
        raise UsageError(f"no strategy is called {name!r}; there are: {known}")
    return next(iter(found))
