"""Writes the mapped file of a gazetteer, from the SQLite file that has just been built.

What was imported is in that file too, so it needs nothing of its own here. Beside the places, the
bearers of names and the postal codes it has all names as a trie, which a kernel reads where it is.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate, groupby
from operator import itemgetter
from pathlib import Path
from struct import Struct
from zlib import crc32

import numpy as np
from msgspec import json
from numpy.typing import ArrayLike, NDArray

from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import (
    BEARER_RECORD,
    KINDS,
    LENGTH_BYTES,
    MAGIC,
    PLACE_RECORD,
    POSTCODE_RECORD,
    ROLES,
    SAME_SPELLING_BONUS,
    TERM_END,
    TEXT_END,
    ArrayDirectory,
)

AddPart = Callable[[str, bytes], None]  # writes a part of the file under a name

_ALIGNED = 8  # bytes, so that numbers can be read where they lie
_END = 0x8000  # added to the symbol of a node at which a name ends
_Symbols = NDArray[np.uint16]
_KINDS = {str(kind): number for number, kind in enumerate(KINDS)}
_ROLES = {str(role): number for number, role in enumerate(ROLES)}
_Groups = Sequence[tuple[str, bytes]]  # strings, and the records of each one after the other
_Bearer = tuple[float, int, int]  # the fields of a `BEARER_RECORD`


@contextmanager
def write_array_file(path: Path) -> Iterator[AddPart]:
    """Gives what adds the parts one after the other; the file is whole when the block ends well.

    The directory comes last, so that a file that was cut off has none and is refused.
    """
    directory: ArrayDirectory = {}
    with path.open("wb") as file:

        def add(name: str, content: bytes) -> None:
            directory[name] = (file.tell(), len(content))
            file.write(content + bytes(-len(content) % _ALIGNED))

        yield add
        packed = json.encode(directory)
        file.write(packed + len(packed).to_bytes(LENGTH_BYTES, "little") + MAGIC)
        file.flush()
        os.fsync(file.fileno())


def write_arrays(
    path: Path, connection: sqlite3.Connection, written: Sequence[str], automaton: bytes
) -> None:
    """Write the file; `written` are the names in texts, by the numbers that the automaton gives."""
    with write_array_file(path) as add:
        add("automaton", automaton)
        write_trie(add, written)
        numbers = _write_places(add, connection)
        names = _names(connection, numbers)
        packed = [(name, _packed(bearers)) for name, bearers in names.items()]
        _write_groups(add, ("names", "bearers"), BEARER_RECORD, packed)
        _write_bearers(add, written, _in_order(connection, written, names))
        _write_groups(add, ("codes", "postcodes"), POSTCODE_RECORD, _codes(add, connection))


def _write_places(add: AddPart, connection: sqlite3.Connection) -> dict[int, int]:
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
    add("ids", np.array(ids, np.int64).tobytes())
    add("places", b"".join(records))
    add("place names", b"".join(names))
    add("terms", TERM_END.join(terms).encode())
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


def _write_bearers(add: AddPart, written: Sequence[str], bearers: Iterable[list[_Bearer]]) -> None:
    """Write the bearers of each name in texts, by its number."""
    counts = np.zeros(len(written), np.int64)
    records = []
    for number, found in enumerate(bearers):
        counts[number] = len(found)
        records.append(_packed(found))
    add("first written bearers", _sums(counts))
    add("written bearers", b"".join(records))


def _codes(add: AddPart, connection: sqlite3.Connection) -> _Groups:
    rows = connection.execute(
        "SELECT country || ' ' || code, latitude, longitude, place, town, region, names"
        " FROM postcode ORDER BY country, code, town"
    ).fetchall()
    texts = [_texts(*row[4:]).encode() for row in rows]
    add("postcode texts", b"".join(texts))
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


def _write_groups(add: AddPart, names: tuple[str, str], record: Struct, groups: _Groups) -> None:
    """Write an index of strings, and the records of each in its order."""
    index, part = names
    order = _write_strings(add, index, [string for string, _ in groups])
    records = [groups[number][1] for number in order]
    add(f"first {part}", _sums([len(found) // record.size for found in records]))
    add(part, b"".join(records))


def _write_strings(add: AddPart, name: str, strings: Sequence[str]) -> list[int]:
    """Write an index of strings that differ; gives the number of the string in each row."""
    keys = [string.encode() for string in strings]
    size = 1 << len(keys).bit_length()
    buckets = np.array([crc32(key) & (size - 1) for key in keys], np.int64)
    rows: list[int] = np.argsort(buckets, kind="stable").tolist()
    add(f"{name} buckets", _sums(np.bincount(buckets, minlength=size)))
    add(f"{name} ends", _sums([len(keys[number]) for number in rows]))
    add(f"{name} strings", b"".join([keys[number] for number in rows]))
    return rows


def _sums(counts: ArrayLike) -> bytes:
    """Where each run begins, and at last where all end."""
    sums = np.cumsum(np.asarray(counts, np.int64))
    return np.concatenate([[0], sums]).astype(np.uint32).tobytes()


def _starts(texts: Iterable[bytes]) -> Iterator[int]:
    return accumulate(map(len, texts), initial=0)


def write_trie(add: AddPart, names: Sequence[str]) -> None:
    """Write the trie of names that differ, in the order of their code points.

    The nodes come level by level, so that the children of a node lie side by side; node 0 is the
    root. The order of the names gives everything: a name begins new nodes from where it differs
    from the one before it.
    """
    letters = sorted(set("".join(names)))
    if len(letters) >= _END:
        raise ValueError(f"{len(letters)} letters are too many for the trie of names")
    symbols = np.zeros(ord(letters[-1]) + 1 if letters else 1, np.uint16)
    symbols[list(map(ord, letters))] = np.arange(1, len(letters) + 1)
    rows, lengths = _letters(names, symbols)
    shared = _shared(rows, lengths)
    labels, values, counts = [np.zeros(1, np.uint16)], [np.zeros(1, np.uint32)], []
    above = np.zeros(1, np.int64)  # by node of the level above, the first name that has it
    for depth in range(1, rows.shape[1] + 1):
        own = np.flatnonzero((lengths >= depth) & (shared < depth))
        counts.append(np.bincount(np.searchsorted(above, own, "right") - 1, minlength=len(above)))
        labels.append(rows[own, depth - 1] | np.where(lengths[own] == depth, _END, 0).astype("H"))
        values.append(own.astype(np.uint32))
        above = own
    counts.append(np.zeros(len(above), np.int64))
    first = 1 + np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    add("trie symbols", symbols.tobytes())
    add("trie labels", np.concatenate(labels).tobytes())
    add("trie values", np.concatenate(values).tobytes())
    add("trie first", first.astype(np.uint32).tobytes())


def _letters(names: Sequence[str], symbols: _Symbols) -> tuple[_Symbols, NDArray[np.int64]]:
    """The symbols of each name, with 0 behind its last, and the lengths."""
    lengths = np.fromiter(map(len, names), np.int64, len(names))
    rows = np.zeros((len(names), int(lengths.max(initial=0))), np.uint16)
    codes = np.frombuffer("".join(names).encode("utf-32-le"), np.uint32)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = symbols[codes]
    return rows, lengths


def _shared(rows: _Symbols, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many letters each name has in common with the one before it, from the first on."""
    differs = rows[1:] != rows[:-1]
    first = np.where(differs.any(axis=1), differs.argmax(axis=1), lengths[1:])
    return np.concatenate([[0], first])[: len(rows)]
