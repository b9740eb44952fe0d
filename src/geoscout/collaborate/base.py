"""What a collaboration is: for every link of a page it names the node, or nodes, that will own it.

`Collaboration` is all that one must have. Ours are made of two parts: an assignment weighs places
(`Claim`), and the policy turns places into nodes. So each assignment of Gao, Lee and Miao (2006) is
one small class from evidence to places (`ClaimingCollaboration`), and policies A and B, the general
nodes and the partition are the same for all of them.

Like a strategy it sees values and returns values: no network, disk, clock or chance. What it needs
of the world, such as where a server stands, is a look-up handed in with the aim.

`DepthRule` is here because it holds for every assignment: without a limit to the levels of a domain
one endless site fills the queue of the node that owns it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from msgspec import Struct

from geoscout.collaborate.policy import Claims, Policy
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link, Page, Place
from geoscout_places.urls import host_of, registrable_domain

if TYPE_CHECKING:  # every crawl imports this module, and few have nodes
    from geoscout.collaborate.classifier import TextClassifier
    from geoscout.collaborate.partition import Partition

# Where a server stands: asked with an IP address, or a host name where a table of hosts is known.
Locate = Callable[[str], Place | None]


class Origin(Struct, frozen=True):
    """A page whose links are assigned."""

    page: Page
    node: str = ""  # the node that fetched it
    address: str = ""  # IP address of its server; "" where unknown


@dataclass(frozen=True, slots=True)
class CollaborationAim:
    """What a collaboration is made for; handed to `create`."""

    partition: Partition
    gazetteer: Gazetteer
    options: Mapping[str, str] = field(default_factory=dict)  # as in "anchor:window=10"
    # Opens the table of servers, which takes time and a file: for those who go by servers.
    locations: Callable[[], Locate] | None = None
    model: TextClassifier | None = None  # for those who classify pages; None: none was given


class CollaborationTraits(Struct, frozen=True):
    """What is always true of a collaboration; the defaults hold for one that says nothing."""

    # False: it never looks at more than the URLs of links, so a simulation need not make them.
    reads_links: bool = True
    # True: a URL has the same nodes wherever it is found, so a redirect's target is assigned too.
    goes_by_url: bool = False


class Collaboration(Protocol):
    """Names the nodes of links. This is enough for a collaboration."""

    @property
    def partition(self) -> Partition:
        """The nodes, and what they own."""

    def assign(self, origin: Origin, links: Sequence[Link]) -> Sequence[tuple[str, ...]]:
        """The nodes that will own each link: one under policy A, one or more under B."""


@runtime_checkable
class Labeller(Protocol):
    """Can say which place a page is about; measures of locality compare the labels of pages."""

    def label(self, origin: Origin) -> int:
        """The id of the place the page is about by this assignment; 0 for none."""


@runtime_checkable
class CollaborationWithTraits(Protocol):
    """Differs from what is expected of a collaboration that says nothing about itself."""

    @property
    def traits(self) -> CollaborationTraits:
        """Its traits; they never change."""


def traits_of(collaboration: Collaboration) -> CollaborationTraits:
    """What is always true of a collaboration; asked once, not for every page."""
    if isinstance(collaboration, CollaborationWithTraits):
        return collaboration.traits
    return CollaborationTraits()


class ClaimingCollaboration(ABC):
    """Assigns links by the places they seem to be about; the base of all of ours but the hash."""

    def __init__(self, partition: Partition, policy: Policy) -> None:
        self.partition = partition
        self._policy = policy

    @abstractmethod
    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        """The places each link seems to be about; one sequence for each link."""

    @abstractmethod
    def label(self, origin: Origin) -> int:
        """The place the page itself is about; 0 for none."""

    def assign(self, origin: Origin, links: Sequence[Link]) -> Sequence[tuple[str, ...]]:
        """The nodes that own the claims of each link, as the policy has it."""
        choose, node = self._policy.choose, origin.node
        return [
            choose(claims, link.url, node)
            for link, claims in zip(links, self.claims(origin, links), strict=True)
        ]


LEVELS = 5


class DepthRule(Struct, frozen=True):
    """How deep a domain is explored."""

    levels: int = LEVELS
    by_host: bool = False  # count in hosts instead of registrable domains

    def level(self, source: str, source_level: int, target: str) -> int | None:
        """The level of a link's target; None when it must not be followed."""
        if not self._is_same(host_of(source), host_of(target)):
            return 0
        return source_level + 1 if source_level < self.levels else None

    def _is_same(self, one: str, other: str) -> bool:
        if one == other or self.by_host:
            return one == other
        return registrable_domain(one) == registrable_domain(other)
