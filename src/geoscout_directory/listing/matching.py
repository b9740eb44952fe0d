"""Entries that a search asks for: words of names, sorts of things, a place or a point.

Unlike the filters of a list, which somebody sets, this is what a query was understood as: some of
its words must be in the name, others name a category, and the best come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Point

_KM_PER_DEGREE = 111.2
_SHORTEST_BEGINNING = 5  # letters of a word that may be the beginning of one: not "bar" of Barbara


@dataclass(frozen=True, slots=True)
class CategoryWord:
    """A word that names a sort of thing: entries are of it, or have the word in their names."""

    forms: tuple[str, ...]  # of the word
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EntryWanted:
    """What entries must have to answer a search."""

    names: tuple[tuple[str, ...], ...] = ()  # one form of each is in the name; "pizz*" begins one
    sorts: tuple[CategoryWord, ...] = ()  # with `names` they only count for the order
    place: int = 0  # they are in this place; 0 anywhere
    near: Point | None = None
    radius_km: float = 0.0
    region: Region | None = None  # they are inside


def wanted_query(wanted: EntryWanted) -> tuple[str, list[object]]:
    """The query for numbers, points and towns, the best first."""
    parts: list[str] = []
    values: list[object] = []
    if wanted.names:
        parts.append("n IN (SELECT rowid FROM words WHERE words MATCH ?)")
        values.append(" AND ".join(map(_in_name, wanted.names)))
    else:
        for sort in wanted.sorts:
            parts.append(
                f"(n IN (SELECT n FROM category WHERE tag IN ({_marks(sort.tags)}))"  # noqa: S608
                " OR n IN (SELECT rowid FROM words WHERE words MATCH ?))"
            )
            values += [*sort.tags, _in_name(sort.forms)]
    _add_where(wanted, parts, values)
    tags = [tag for sort in wanted.sorts for tag in sort.tags]
    of_sort = f"n IN (SELECT n FROM category WHERE tag IN ({_marks(tags)})) DESC,"  # noqa: S608
    order = f"{of_sort if tags else ''} sites DESC, name, id"
    return f"SELECT n, lat, lon, place FROM entry WHERE {' AND '.join(parts)} ORDER BY {order}", [  # noqa: S608
        *values,
        *tags,
    ]


def _add_where(wanted: EntryWanted, parts: list[str], values: list[object]) -> None:
    if wanted.place:
        parts.append("place IN (SELECT place FROM town WHERE above = ?)")
        values.append(wanted.place)
    if wanted.near:
        reach = wanted.radius_km / _KM_PER_DEGREE
        aside = reach / max(cos(radians(wanted.near.latitude)), 0.01)
        parts.append("lat BETWEEN ? AND ? AND lon BETWEEN ? AND ?")
        latitude, longitude = wanted.near.latitude, wanted.near.longitude
        values += [latitude - reach, latitude + reach, longitude - aside, longitude + aside]


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))


def _in_name(forms: Sequence[str]) -> str:
    """A query of FTS5 for a name that has one of these forms."""
    return f"name : ({' OR '.join(map(_form, forms))})"


def _form(form: str) -> str:
    """A form as FTS5 takes it; a long one may be the beginning of a word."""
    is_beginning = form.endswith("*") or len(form) >= _SHORTEST_BEGINNING
    plain = form.rstrip("*").replace('"', "")
    return f'"{plain}" *' if is_beginning else f'"{plain}"'
