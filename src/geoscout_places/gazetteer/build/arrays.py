"""Writes the mapped file of a gazetteer, from the SQLite file that has just been built.

What was imported is in that file too, so it needs nothing of its own here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, groupby
from operator import itemgetter
from pathlib import Path
from struct import Struct
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike

from geoscout_places.gazetteer.arrays.file import ArrayFileWriter
from geoscout_places.gazetteer.arrays.layout import (
    BEARER_RECORD,
    KINDS,
    PLACE_RECORD,
    POSTCODE_RECORD,
    ROLES,
    TERM_END,
    TEXT_END,
)
from geoscout_places.gazetteer.build.trie import write_trie
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.schema import SAME_SPELLING_BONUS

_KINDS = {str(kind): number for number, kind in enumerate(KINDS)}
_ROLES = {str(role): number for number, role in enumerate(ROLES)}
_Groups = Sequence[tuple[str, bytes]]  # strings, and the records of each one after the other
_Bearer = tuple[float, int, int]  # the fields of a `BEARER_RECORD`


def write_arrays(
    path: Path, connection: sqlite3.Connection, written: Sequence[str], automaton: bytes
) -> None:
    """Write the file; `written` are the names in texts, by the numbers that the automaton gives."""
    with ArrayFileWriter(path) as writer:
        writer.add("automaton", automaton)
        write_trie(writer, written)
        numbers = _write_places(writer, connection)
        names = _names(connection, numbers)
        packed = [(name, _packed(bearers)) for name, bearers in names.items()]
        _write_groups(writer, ("names", "bearers"), BEARER_RECORD, packed)
        _write_bearers(writer, written, _in_order(connection, written, names))
        _write_groups(writer, ("codes", "postcodes"), POSTCODE_RECORD, _codes(writer, connection))


def _write_places(writer: ArrayFileWriter, connection: sqlite3.Connection) -> dict[int, int]:
    """Write the places in order of their ids; gives the number of each id."""
    rows = connection.execute(
        "SELECT id, latitude, longitude, population, parent, name, country, timezone, feature,"
        " kind FROM place ORDER BY id"
    ).fetchall()
    names = [row[5].encode() for row in rows]
    terms: dict[str, int] = {}
    records = []
    for row, name, start in zip(rows, names, _starts(names), strict=False):
        shared = [terms.setdefault(term, len(terms)) for term in row[6:9]]
        records.append(PLACE_RECORD.pack(*row[:5], start, len(name), *shared, _KINDS[row[9]]))
    ids = [row[0] for row in rows]
    numbers = {id: number for number, id in enumerate(ids)}
    parents = [numbers.get(row[4], -1) + 1 for row in rows]
    writer.add("ids", np.array(ids, np.int64).tobytes())
    writer.add("parents", np.array(parents, np.uint32).tobytes())
    writer.add("places", b"".join(records))
    writer.add("place names", b"".join(names))
    writer.add("terms", TERM_END.join(terms).encode())
    return numbers


def _names(connection: sqlite3.Connection, numbers: dict[int, int]) -> dict[str, list[_Bearer]]:
    """The bearers of each folded name, the likeliest first."""
    # In the order of the table; sorting all names by score too would take SQLite a second.
    rows = connection.execute("SELECT folded, score, place, role FROM name ORDER BY folded, place")
    found = {}
    for folded, group in groupby(rows, key=itemgetter(0)):
        bearers = sorted(
            group, key=itemgetter(1), reverse=True
        )  # places of one score stay in order
        found[folded] = [(score, numbers[place], _ROLES[role]) for _, score, place, role in bearers]
    return found


def _packed(bearers: Iterable[_Bearer]) -> bytes:
    return b"".join([BEARER_RECORD.pack(*bearer) for bearer in bearers])


def _in_order(
    connection: sqlite3.Connection, written: Iterable[str], names: Mapping[str, list[_Bearer]]
) -> Iterator[list[_Bearer]]:
    """The bearers of each name in texts, as `PlaceArrays.candidates` orders them."""
    rows = connection.execute("SELECT name FROM place ORDER BY id")
    spellings = [name.casefold() for (name,) in rows]
    for name in written:
        spelling = name.casefold()
        found = names.get(fold(name), [])
        same = [spellings[number] == spelling for _, number, _ in found]
        if any(same):
            found = [
                (score + SAME_SPELLING_BONUS if is_same else score, number, role)
                for (score, number, role), is_same in zip(found, same, strict=True)
            ]
            found.sort(key=lambda bearer: (-bearer[0], bearer[1]))
        yield found


def _write_bearers(
    writer: ArrayFileWriter, written: Sequence[str], bearers: Iterable[list[_Bearer]]
) -> None:
    """Write the bearers of each name in texts, by its number."""
    counts = np.zeros(len(written), np.int64)
    records = []
    for number, found in enumerate(bearers):
        counts[number] = len(found)
        records.append(_packed(found))
    writer.add("first written bearers", _sums(counts))
    writer.add("written bearers", b"".join(records))


def _codes(writer: ArrayFileWriter, connection: sqlite3.Connection) -> _Groups:
    rows = connection.execute(
        "SELECT country || ' ' || code, latitude, longitude, place, town, region, names"
        " FROM postcode ORDER BY country, code, town"
    ).fetchall()
    texts = [_texts(*row[4:]).encode() for row in rows]
    writer.add("postcode texts", b"".join(texts))
    packed = (
        (row[0], POSTCODE_RECORD.pack(*row[1:4], start, len(text)))
        for row, text, start in zip(rows, texts, _starts(texts), strict=False)
    )
    return [
        (code, b"".join([record for _, record in group]))
        for code, group in groupby(packed, key=itemgetter(0))
    ]


def _texts(town: str, region: str, names: str) -> str:
    return TEXT_END.join([town, region, *(name for name in names.split("|") if name)])


def _write_groups(
    writer: ArrayFileWriter, names: tuple[str, str], record: Struct, groups: _Groups
) -> None:
    """Write an index of strings, and the records of each in its order."""
    index, part = names
    order = _write_strings(writer, index, [string for string, _ in groups])
    records = [groups[number][1] for number in order]
    writer.add(f"first {part}", _sums([len(found) // record.size for found in records]))
    writer.add(part, b"".join(records))


def _write_strings(writer: ArrayFileWriter, name: str, strings: Sequence[str]) -> list[int]:
    """Write an index of strings that differ; gives the number of the string in each row."""
    keys = [string.encode() for string in strings]
    size = 1 << len(keys).bit_length()
    buckets = np.array([crc32(key) & (size - 1) for key in keys], np.int64)
    rows: list[int] = np.argsort(buckets, kind="stable").tolist()
    writer.add(f"{name} buckets", _sums(np.bincount(buckets, minlength=size)))
    writer.add(f"{name} ends", _sums([len(keys[number]) for number in rows]))
    writer.add(f"{name} strings", b"".join([keys[number] for number in rows]))
    return rows


def _sums(counts: ArrayLike) -> bytes:
    """Where each run begins, and at last where all end."""
    sums = np.cumsum(np.asarray(counts, np.int64))
    return np.concatenate([[0], sums]).astype(np.uint32).tobytes()


def _starts(texts: Iterable[bytes]) -> Iterator[int]:
    return accumulate(map(len, texts), initial=0)
