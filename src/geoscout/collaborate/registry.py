"""Finds assignments by their entry points and makes them from a text such as "anchor:window=10"."""

from __future__ import annotations

from dataclasses import replace

from geoscout.collaborate.base import Aim, Collaboration
from geoscout.plugins import load_plugin, plugin_names, split_spec

GROUP = "geoscout.collaborations"


def collaboration_names() -> tuple[str, ...]:
    """Every assignment that is installed."""
    return plugin_names(GROUP)


def create_collaboration(spec: str, aim: Aim) -> Collaboration:
    """The collaboration a text names, with its options over those of `aim`.

    Raises:
        UsageError: no assignment has that name, it has no such option, or it lacks what it needs.
    """
    name, options = split_spec(spec)
    module = load_plugin(GROUP, name, "collaboration")
    collaboration: Collaboration = module.create(replace(aim, options={**aim.options, **options}))
    return collaboration
