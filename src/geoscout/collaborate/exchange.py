"""What a page's node hands to other nodes: requests with the name of their new owner.

A batch for another node is rows in that node's part of the frontier, put there in the commit of
the visit that found them. So nothing is ever on its way, and a crash between two nodes is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from geoscout.model import Request


@dataclass(frozen=True, slots=True)
class Dispatch:
    """The requests of one page, each with its owner, and how many left the node of the page."""

    requests: tuple[Request, ...]
    exchanged: int


def dispatch(node: str, requests: Sequence[Request], owners: Sequence[tuple[str, ...]]) -> Dispatch:
    """Give each request to its owners; under policy B that may be several."""
    sent = [
        replace(request, node=owner)
        for request, names in zip(requests, owners, strict=True)
        for owner in names
    ]
    return Dispatch(tuple(sent), sum(request.node != node for request in sent))
