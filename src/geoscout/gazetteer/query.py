"""Reads what a user types for a place: a name and, mostly after commas, what it lies in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """A name and the names of areas it must lie in."""

    name: str
    qualifiers: tuple[str, ...] = ()


def readings(text: str) -> Iterator[Query]:
    """The ways to read `text`, the likeliest first.

    >>> [(q.name, q.qualifiers) for q in readings("Lisbon, NH")]
    [('Lisbon, NH', ()), ('Lisbon', ('NH',))]
    >>> [(q.name, q.qualifiers) for q in readings("Portland Oregon")]
    [('Portland Oregon', ()), ('Portland', ('Oregon',))]
    """
    yield Query(text)
    parts = [part.strip() for part in text.split(",")]
    parts = [part for part in parts if part]
    if len(parts) > 1:
        yield Query(parts[0], tuple(parts[1:]))
        return
    words = text.split()
    for cut in range(len(words) - 1, 0, -1):
        yield Query(" ".join(words[:cut]), (" ".join(words[cut:]),))
