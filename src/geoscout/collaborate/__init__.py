"""Which node shall own a link? A collaboration only names nodes; it fetches and orders nothing.

Nodes own places (`partition.py`). One module an assignment, with `create(aim)`: the hash of the
URL, places in the URL, around the link or in the page, a text classifier, or where the server
stands. They are found by their entry point, so that yours can be among them: docs/collaboration.md.
"""

from geoscout.collaborate.base import Aim, Claim, Collaboration, Origin
from geoscout.collaborate.exchange import Dispatch, dispatch
from geoscout.collaborate.partition import Node, Partition
from geoscout.collaborate.registry import collaboration_names, create_collaboration

__all__ = [
    "Aim",
    "Claim",
    "Collaboration",
    "Dispatch",
    "Node",
    "Origin",
    "Partition",
    "collaboration_names",
    "create_collaboration",
    "dispatch",
]
