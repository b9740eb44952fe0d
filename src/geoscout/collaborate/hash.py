"""By the hash of the URL: every node, the general ones too, gets its equal share at random.

The baseline. No page is fetched twice and no node is about anything.
"""

from collections.abc import Sequence

from geoscout.collaborate.base import Collaboration, CollaborationAim, CollaborationTraits, Origin
from geoscout.collaborate.partition import Partition, stable_hash
from geoscout.collaborate.policy import CollaborationOptions, check_policy
from geoscout_places.model import Link
from geoscout_places.plugins import read_options


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that knows nothing."""
    options = read_options("hash", CollaborationOptions, aim.options)
    check_policy(options)
    return ByHash(aim.partition)


class ByHash:
    """The hash of the normal URL modulo the number of nodes."""

    traits = CollaborationTraits(reads_links=False, goes_by_url=True)

    def __init__(self, partition: Partition) -> None:
        self.partition = partition

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
