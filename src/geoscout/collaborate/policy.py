"""From the places a link is claimed for to the nodes it is sent to.

Policy A sends a link to the one node that owns the best claim, policy B to every node that owns a
claim of some weight. B costs more (lemma 2 of the paper, which the experiment measures) and lets
several nodes fetch the same page.

A request for another node is a row in that node's part of the frontier, put there in the commit of
the visit that found it. So nothing is ever on its way, and a crash between two nodes loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.errors import UsageError
from geoscout_places.model import Request
from geoscout_places.plugins import PluginOptions, setting

if TYPE_CHECKING:  # as in `base.py`
    from geoscout.collaborate.partition import Partition


class Claim(NamedTuple):
    """A place a link or page seems to be about."""

    place: int  # the id of an owned place
    weight: float  # above 0; comparable among the claims of one link


Claims = Sequence[Claim]  # best first; empty when nothing is known


@dataclass(frozen=True, slots=True)
class CollaborationOptions(PluginOptions):
    """What every assignment lets a user choose; each adds its readings of the paper's gaps."""

    policy: str = setting("A", "A: the node of the best place; B: the nodes of all places")
    threshold: float = setting(
        0.05, "policy B leaves out places with less of the weight; a classifier excludes no place"
    )
    unclaimed: str = setting(
        "general", "where a link without a place goes: a general node, or stay at its node"
    )


def best_place(claims: Claims) -> int:
    """The place of the best claim; 0 without one."""
    return claims[0].place if claims else 0


class Policy:
    """Chooses nodes by claims."""

    def __init__(self, partition: Partition, options: CollaborationOptions) -> None:
        check_policy(options)
        self._partition = partition
        self._threshold = options.threshold
        self._to_all = options.policy == "B"
        self._stay = options.unclaimed == "stay"

    def choose(self, claims: Sequence[Claim], url: str, node: str) -> tuple[str, ...]:
        """The nodes for a link; `node` is where it was found."""
        if claims and self._to_all:
            if owners := self._all_owners(claims):
                return owners
        elif claims and (owner := self._partition.owner(claims[0].place)):
            return (owner,)
        return (node,) if self._stay and node else (self._partition.unclaimed(url),)

    def _all_owners(self, claims: Sequence[Claim]) -> tuple[str, ...]:
        least = self._threshold * sum(claim.weight for claim in claims)
        owners = (self._partition.owner(c.place) for c in claims if c.weight > least)
        return tuple(dict.fromkeys(owner for owner in owners if owner))


def check_policy(options: CollaborationOptions) -> None:
    """Refuse words that are none of the choices."""
    choices = {"policy": ("A", "B"), "unclaimed": ("general", "stay")}
    for option, known in choices.items():
        value = getattr(options, option)
        if value not in known:
            raise UsageError(f"{option} must be {' or '.join(known)}, not {value!r}")


class Dispatch(Struct, frozen=True):
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
