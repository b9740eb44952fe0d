"""How long records take to build and to send to another process.

    python benchmarks/records.py

Prints, for `model.Link` and for a frozen dataclass with the same fields, the time to build one, and
to encode and decode the links of a page: the struct by `Codec`, the dataclass by pickle.
"""

from __future__ import annotations

import pickle
import time
from dataclasses import dataclass
from timeit import repeat
from typing import TypeVar

from geoscout_places.codec import Codec
from geoscout_places.model import Link, Part

Kind = TypeVar("Kind", Link, "PlainLink")
LINKS = 70  # of a page
TIMES = 20_000
_BUILD = """kind(url="u", anchor="a", title="", rel=(), alt="", before="b", after="c",
    tag_path="body/a", part=part)"""


@dataclass(frozen=True, slots=True)
class PlainLink:
    """`Link` as it was before it became a struct."""

    url: str
    anchor: str
    title: str
    rel: tuple[str, ...]
    alt: str
    before: str
    after: str
    tag_path: str
    part: Part


def make(kind: type[Kind], number: int) -> Kind:
    return kind(
        url=f"https://example.org/section/page-{number}.html",
        anchor=f"What is said about page {number}",
        title="",
        rel=("nofollow",),
        alt="",
        before=f"twenty words or so stand before the link with the number {number}",
        after=f"and a few more stand behind it, up to the end of block {number}",
        tag_path="body/main/ul/li/a",
        part=Part.MAIN,
    )


def microseconds(statement: str, times: int, **names: object) -> float:
    """The CPU time of a statement, the best of some runs."""
    runs = repeat(statement, globals=names, number=times, repeat=7, timer=time.process_time)
    return min(runs) / times * 1e6


def main() -> None:
    codec = Codec(tuple[Link, ...])
    links = tuple(make(Link, number) for number in range(LINKS))
    plain = tuple(make(PlainLink, number) for number in range(LINKS))
    built = [microseconds(_BUILD, TIMES, kind=kind, part=Part.MAIN) for kind in (Link, PlainLink)]
    sent = [
        microseconds("codec.decode(codec.encode(links))", 200, codec=codec, links=links),
        microseconds("loads(dumps(links, 5))", 200, links=plain, **vars(pickle)),
    ]
    lengths = [len(codec.encode(links)), len(pickle.dumps(plain, 5))]

    print(f"{'':24}{'struct':>12}{'dataclass':>12}")
    print(f"{'build a link, us':24}{built[0]:12.2f}{built[1]:12.2f}")
    print(f"{f'send {LINKS} links, us':24}{sent[0]:12.1f}{sent[1]:12.1f}")
    print(f"{'bytes':24}{lengths[0]:12,}{lengths[1]:12,}")


if __name__ == "__main__":
    main()
