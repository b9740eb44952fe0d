"""What a collaboration is: for every link of a page it names the node, or nodes, that shall own it.

An assignment weighs places (`Claim`); the policy turns places into nodes. So each assignment of
Gao, Lee and Miao (2006) is one small function from evidence to places, and policies A and B, the
general nodes and the partition are the same for all of them.

Like a strategy it sees values and returns values: no network, disk, clock or chance. What it needs
of the world, such as where a server stands, is a look-up handed in with the `Aim`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from geoscout.collaborate.partition import Partition
from geoscout.collaborate.policy import Policy
from geoscout.collaborate.text_classifier import TextClassifier
from geoscout.gazetteer.base import Gazetteer
from geoscout.model import Link, Page, Place

# Where a server stands: asked with an IP address, or a host name where a table of hosts is known.
Locate = Callable[[str], Place | None]


class Claim(NamedTuple):
    """A place a link or page seems to be about."""

    place: int  # the id of an owned place
    weight: float  # above 0; comparable among the claims of one link


Claims = Sequence[Claim]  # best first; empty when nothing is known


@dataclass(frozen=True, slots=True)
class Origin:
    """A page whose links are assigned."""

    page: Page
    node: str = ""  # the node that fetched it
    address: str = ""  # IP address of its server; "" where unknown


@dataclass(frozen=True, slots=True)
class Aim:
    """What a collaboration is made for; handed to `create`."""

    partition: Partition
    gazetteer: Gazetteer
    options: Mapping[str, str] = field(default_factory=dict)  # as in "anchor:window=10"
    locate: Locate | None = None  # needed by `ip`
    model: TextClassifier | None = None  # needed by `classifier`


class Collaboration:
    """Names the nodes of links. An assignment says what it claims; see `claims`."""

    # False: it never looks at more than the URLs of links, so a simulation need not make them.
    reads_links = False
    # False: it never looks at the text of a page.
    reads_pages = False
    # True: a URL has the same nodes wherever it is found, so a redirect's target is assigned too.
    goes_by_url = False

    def __init__(self, partition: Partition, policy: Policy) -> None:
        self.partition = partition
        self._policy = policy

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        """The places each link seems to be about; one sequence a link."""
        raise NotImplementedError

    def label(self, origin: Origin) -> int:
        """The place the page itself is about by this assignment; 0 for none.

        Measures of locality compare the labels of pages.
        """
        raise NotImplementedError

    def assign(self, origin: Origin, links: Sequence[Link]) -> Sequence[tuple[str, ...]]:
        """The nodes that shall own each link: one under policy A, one or more under B."""
        choose, node = self._policy.choose, origin.node
        return [
            choose(claims, link.url, node)
            for link, claims in zip(links, self.claims(origin, links), strict=True)
        ]


def best_place(claims: Claims) -> int:
    """The place of the best claim; 0 without one."""
    return claims[0].place if claims else 0
