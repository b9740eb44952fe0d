"""From the places a link is claimed for to the nodes it is sent to.

Policy A sends a link to the one node that owns the best claim, policy B to every node that owns a
claim of some weight. B costs more (lemma 2 of the paper, which the experiment measures) and lets
several nodes fetch the same page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from geoscout.collaborate.options import Options
from geoscout.collaborate.partition import Partition
from geoscout.errors import UsageError

if TYPE_CHECKING:
    from geoscout.collaborate.base import Claim


class Policy:
    """Chooses nodes by claims."""

    def __init__(self, partition: Partition, options: Options) -> None:
        _check("policy", options.policy, ("A", "B"))
        _check("unclaimed", options.unclaimed, ("general", "stay"))
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


def _check(option: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise UsageError(f"{option} must be {' or '.join(known)}, not {value!r}")
