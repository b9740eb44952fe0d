"""Finds assignments by their entry points and makes them from a text such as "anchor:window=10"."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points

from geoscout.collaborate.base import Aim, Collaboration
from geoscout.errors import UsageError

GROUP = "geoscout.collaborations"


def collaboration_names() -> tuple[str, ...]:
    """Every assignment that is installed."""
    return tuple(sorted(entry_points(group=GROUP).names))


def create_collaboration(spec: str, aim: Aim) -> Collaboration:
    """The collaboration a text names, with its options over those of `aim`.

    Raises:
        UsageError: no assignment has that name, it has no such option, or it lacks what it needs.
    """
    name, *pairs = spec.split(":")
    options = dict(aim.options)
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key and equals):
            raise UsageError(f"{pair!r} in {spec!r} should be an option and its value: window=10")
        options[key.replace("-", "_")] = value
    collaboration: Collaboration = _find(name).load().create(replace(aim, options=options))
    return collaboration


def _find(name: str) -> EntryPoint:
    found = entry_points(group=GROUP, name=name)
    if not found:
        known = ", ".join(collaboration_names())
        raise UsageError(f"no collaboration is called {name!r}; there are: {known}")
    return next(iter(found))
