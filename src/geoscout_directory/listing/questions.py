"""What can be asked of a listing, and the conditions in SQL that it means."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import View
from geoscout_places.model import Place, Point


@dataclass(frozen=True, slots=True)
class ListingQuestion:
    """What entries must have; nothing asked for is had by all."""

    words: tuple[str, ...] = ()  # folded; each begins a word of the entry
    categories: frozenset[str] = frozenset()  # one of these tags
    within: str = ""  # what `region` was read from: two regions are compared by it
    region: Region | None = None
    box: View | None = None
    since: float = 0.0  # new or changed since; seconds since the epoch
    newest_first: bool = False  # by the last change; else by name

    @property
    def key(self) -> Hashable:
        """The same for questions with the same answer."""
        return (
            self.words, self.categories, self.within, self.box, self.since, self.newest_first,
        )  # fmt: skip


def match_text(words: Iterable[str], column: str = "") -> str:
    """A query of FTS5 for all of these beginnings of words."""
    wanted = " AND ".join('"{}" *'.format(word.replace('"', '""')) for word in words)
    return f"{column} : ({wanted})" if column else wanted


def conditions_of(question: ListingQuestion) -> tuple[str, list[object]]:
    parts: list[str] = []
    values: list[object] = []
    if question.words:
        parts.append("n IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(match_text(question.words))
    if question.categories:
        marks = ",".join("?" * len(question.categories))
        parts.append(f"n IN (SELECT n FROM category WHERE tag IN ({marks}))")  # noqa: S608
        values += sorted(question.categories)
    if question.box:
        west, south, east, north = question.box
        between = "lon >= ? AND lon <= ?" if west <= east else "(lon >= ? OR lon <= ?)"
        parts.append(f"lat >= ? AND lat <= ? AND {between}")
        values += [south, north, west, east]
    if question.since:
        parts.append("changed_at >= ?")
        values.append(question.since)
    return (f"WHERE {' AND '.join(parts)}" if parts else ""), values


def those_inside(
    rows: Iterable[tuple[Any, ...]], region: Region, place_of: Callable[[int], Place | None]
) -> Iterator[tuple[Any, ...]]:
    """Those whose point or town is in a region."""
    towns: dict[int, bool] = {0: False}
    for row in rows:
        _, latitude, longitude, town = row
        if town not in towns:
            place = place_of(town)
            towns[town] = place is not None and region.contains_place(place)
        if towns[town] or (
            latitude is not None and region.contains_point(Point(latitude, longitude))
        ):
            yield row
