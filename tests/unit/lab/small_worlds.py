"""Small webs made by hand, with the truth in plain sight."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from geoscout_places.model import Link, Page, Reading
from geoscout_places.parse.likeness import fingerprint

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass
class HandMadeWorld:
    """Pages are named by texts; the first ones are the seeds. Hosts are the first letters."""

    outlinks: Mapping[str, Sequence[str]]
    relevant: frozenset[str] = frozenset()
    starts: Sequence[str] = ()
    statuses: Mapping[str, int] = field(default_factory=dict)
    name: str = "hand-made"
    made: list[str] = field(default_factory=list)  # pages whose links or texts were made

    def __post_init__(self) -> None:
        targets = (target for row in self.outlinks.values() for target in row)
        self.names = list(dict.fromkeys([*self.outlinks, *targets]))
        self.numbers = {name: number for number, name in enumerate(self.names)}

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def seeds(self) -> Sequence[int]:
        return [self.numbers[name] for name in self.starts or self.names[:1]]

    def url(self, page: int) -> str:
        return f"http://{self.names[page][0]}.example/{self.names[page]}"

    def status(self, page: int) -> int:
        return self.statuses.get(self.names[page], 200)

    def targets(self, page: int) -> Sequence[int]:
        return [self.numbers[name] for name in self.outlinks.get(self.names[page], ())]

    def links(self, page: int) -> Sequence[Link]:
        self.made.append(self.names[page])
        return [
            Link(self.url(target), self.names[target], tag_path="a")
            for target in self.targets(page)
        ]

    def page(self, page: int) -> Page:
        self.made.append(self.names[page])
        return Page(self.url(page), self.names[page], "en", "", (), links=tuple(self.links(page)))

    def is_relevant(self, page: int) -> bool:
        return self.names[page] in self.relevant

    def entities(self, page: int) -> Sequence[str]:
        return [self.names[page]] if self.is_relevant(page) else []

    def host(self, page: int) -> int:
        return ord(self.names[page][0])


def crawl_order_figure() -> HandMadeWorld:
    """The logic of figure 3 of Ahlers and Boll: r is the seed, c is relevant."""
    outlinks = {"r": ["a", "b", "c"], "a": ["a1", "a2", "a3"], "c": ["c1", "c2"]}
    return HandMadeWorld(outlinks, frozenset("c"))


def hub() -> HandMadeWorld:
    """A page that leads to ten relevant ones, behind a list of twenty that lead nowhere."""
    rows = [f"n{number}" for number in range(20)]
    found = [f"h{number}" for number in range(10)]
    return HandMadeWorld({"s": [*rows, "hub"], "hub": found}, frozenset(found))


def trap() -> HandMadeWorld:
    """An endless calendar, and a relevant page two links away."""
    calendar = {f"t{day}": [f"t{day + 1}"] for day in range(50)}
    return HandMadeWorld({"s": ["t0", "a"], "a": ["b"], **calendar}, frozenset("b"))


class ReadByHand(HandMadeWorld):
    """A world whose pages were read: those of a host whose names end alike have one text."""

    def reading(self, page: int) -> Reading:
        raise NotImplementedError

    def fingerprint(self, page: int) -> int:
        return fingerprint(Page("", "", "", self.names[page].rpartition("-")[2], ()))


def three_bridges() -> HandMadeWorld:
    """A relevant seed, three pages that are not, a relevant page, and a tail of two."""
    chain = "s x y z g p q".split()
    rows = {page: [target] for page, target in pairwise(chain)}
    return HandMadeWorld(rows, frozenset("sg"))
