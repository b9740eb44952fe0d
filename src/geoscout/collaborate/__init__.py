"""Which node owns a link? A collaboration only names nodes; it fetches and orders nothing.

Nodes own places (`partition.py`). One module an assignment, with `create(aim)`: the hash of the
URL, places in the URL, around the link or in the page, a text classifier, or where the server
stands. They are found by their entry point, so that yours can be among them: docs/collaboration.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from geoscout.collaborate.base import Collaboration, CollaborationAim, Origin, traits_of
from geoscout.collaborate.policy import Claim, Dispatch, dispatch
from geoscout_places.plugins import load_plugin, plugin_names, split_spec

if TYPE_CHECKING:
    from geoscout.collaborate.partition import Node, Partition

__all__ = [
    "Claim",
    "Collaboration",
    "CollaborationAim",
    "Dispatch",
    "Node",
    "Origin",
    "Partition",
    "collaboration_names",
    "create_collaboration",
    "dispatch",
    "traits_of",
]

GROUP = "geoscout.collaborations"


def __getattr__(name: str) -> Any:
    """Import partitions when they are asked for: few crawls have nodes."""
    if name not in ("Node", "Partition"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from geoscout.collaborate import partition  # noqa: PLC0415

    return getattr(partition, name)


def collaboration_names() -> tuple[str, ...]:
    """Every assignment that is installed."""
    return plugin_names(GROUP)


def create_collaboration(spec: str, aim: CollaborationAim) -> Collaboration:
    """The collaboration that a text such as "anchor:window=10" names; its options win."""
    name, options = split_spec(spec)
    module = load_plugin(GROUP, name, "collaboration")
    collaboration: Collaboration = module.create(replace(aim, options={**aim.options, **options}))
    return collaboration
