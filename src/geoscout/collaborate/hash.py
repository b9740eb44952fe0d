"""By the hash of the URL: every node, the general ones too, gets its equal share at random.

The baseline. No page is fetched twice and no node is about anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from geoscout.collaborate.base import Aim, Collaboration, Origin
from geoscout.collaborate.options import Options, read_options
from geoscout.collaborate.partition import stable_hash
from geoscout.collaborate.policy import Policy
from geoscout.model import Link


def create(aim: Aim) -> Collaboration:
    """The collaboration that knows nothing."""
    return ByHash(aim.partition, Policy(aim.partition, read_options("hash", Options, aim.options)))


class ByHash(Collaboration):
    """The hash of the normal URL modulo the number of nodes."""

    goes_by_url = True

    def assign(
        self,
        origin: Origin,  # noqa: ARG002
        links: Sequence[Link],
    ) -> Sequence[tuple[str, ...]]:
        """One node a link, whatever the policy: there is nothing to weigh."""
        names = self.partition.names
        return [(names[stable_hash(link.url) % len(names)],) for link in links]

    def label(self, origin: Origin) -> int:  # noqa: ARG002
        """Nothing: a hash is about no place."""
        return 0
