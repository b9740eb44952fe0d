"""Sites without end: every page is proper, and there is always another one."""

from __future__ import annotations

import zlib

from tests.fakeweb.sites import markup
from tests.fakeweb.visitor import Handler, Visitor


async def calendar(visitor: Visitor) -> None:
    """Each month links to the next and the one before, each day to itself."""
    parts = [int(part) for part in visitor.path.split("/") if part.isdigit()]
    year, month = parts[:2] if len(parts) > 1 else (2024, 1)
    months = year * 12 + month - 1
    near = [divmod(months + step, 12) for step in (-1, 1)]
    links = [f"/calendar/{y:04d}/{m + 1:02d}/" for y, m in near]
    await visitor.answer(markup(f"Events of {year}-{month}", [*links, "/about"]))


async def sessions(visitor: Visitor) -> None:
    """Every answer gives its links a new session id."""
    mark = zlib.crc32(f"{visitor.path}?{visitor.query}".encode())
    links = [f"/page{n}?sid={mark:08x}{mark ^ n:08x}{n:02d}" for n in range(3)]
    await visitor.answer(markup(f"Shop {visitor.path}", [*links, "/about"]))


async def infinite_depth(visitor: Visitor) -> None:
    """A relative link that goes one level deeper each time, because folders have no slash."""
    await visitor.answer(markup(f"Folder {visitor.path}", [visitor.path.rstrip("/") + "/deeper/"]))


def duplicate_farm(copies: int) -> Handler:
    """The same page under many names, which differ by nothing else."""
    names = [f"/copy-{number}" for number in range(copies)]
    text = "The very same words, whatever the address says. " * 20

    async def handler(visitor: Visitor) -> None:
        await visitor.answer(markup("Copy", names, text))

    return handler
