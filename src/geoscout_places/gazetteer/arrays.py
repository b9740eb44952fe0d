"""What the geoparser asks of each name it meets for the first time, from a file that is mapped.

A question takes one or two microseconds, five times less than of SQLite, and processes share the
pages; see docs/why/gazetteer-file.md. `build/arrays.py` writes the file.
"""

from __future__ import annotations

import mmap
import struct
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal, ParamSpec, TypeVar
from zlib import crc32

from msgspec import DecodeError, json

from geoscout_places._native import kernel
from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.automaton import NameSearch, load_automaton
from geoscout_places.gazetteer.base import Lineage
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
from geoscout_places.model import Candidate, Kind, NameRole, Place, Point, Postcode


class ArrayFile:
    """The parts of a mapped file."""

    def __init__(self, path: Path) -> None:
        """Raises: DamagedDataError when the file is missing, cut off or another one."""
        try:
            with path.open("rb") as file:
                self.content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._directory = _read_directory(self.content)
        except (OSError, ValueError, DecodeError) as error:
            raise DamagedDataError(f"gazetteer {path} cannot be read: {error}") from error
        self._views: list[memoryview[int]] = []

    def start(self, name: str) -> int:
        """Where in `content` a part begins."""
        return self._directory[name][0]

    def part(self, name: str) -> bytes:
        """A copy of a part."""
        start, length = self._directory[name]
        return self.content[start : start + length]

    def numbers(self, name: str, format: Literal["B", "H", "I", "q"]) -> memoryview[int]:
        """A part that is numbers of one format, as `struct` names it."""
        start, length = self._directory[name]
        view = memoryview(self.content)[start : start + length].cast(format)
        self._views.append(view)
        return view

    def close(self) -> None:
        """Let go of the file; what still asks gets a ValueError."""
        for view in self._views:
            view.release()
        self.content.close()


def _read_directory(content: mmap.mmap) -> ArrayDirectory:
    end = len(content) - len(MAGIC)
    if content[max(end, 0) :] != MAGIC:
        raise ValueError("its end is missing")
    length = int.from_bytes(content[end - LENGTH_BYTES : end], "little")
    end -= LENGTH_BYTES
    return json.decode(content[end - length : end], type=ArrayDirectory)


class StringIndex:
    """The strings of one part of a file."""

    __slots__ = ("_content", "_ends", "_first", "_mask", "_start")

    def __init__(self, file: ArrayFile, name: str) -> None:
        self._first = file.numbers(f"{name} buckets", "I")
        self._mask = len(self._first) - 2
        self._ends = file.numbers(f"{name} ends", "I")
        self._start = file.start(f"{name} strings")
        self._content = file.content

    def find(self, string: str) -> int:
        """The row of a string; -1 when it is not there."""
        key = string.encode("utf-8", "surrogatepass")
        bucket = crc32(key) & self._mask
        ends, start = self._ends, self._start
        for row in range(self._first[bucket], self._first[bucket + 1]):
            if self._content[start + ends[row] : start + ends[row + 1]] == key:
                return row
        return -1

    def string(self, row: int) -> str:
        """The string of a row."""
        start, ends = self._start, self._ends
        packed = self._content[start + ends[row] : start + ends[row + 1]]
        return packed.decode("utf-8", "surrogatepass")


_PARENT, _KIND = 4, 10  # fields of the record of a place
_BEARER_FIELDS = [("score", "<f8"), ("number", "<u4"), ("role", "u1")]  # BEARER_RECORD, for numpy
_CACHED = 50_000  # places: a few thousand recur in any crawl
_NO_LINEAGE = Lineage(0, ())

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


def refusing_damage(ask: Callable[_Asked, _Answer]) -> Callable[_Asked, _Answer]:
    """The question, with a DamagedDataError where the file does not hold what it should."""

    def asked(*asked: _Asked.args, **named: _Asked.kwargs) -> _Answer:
        try:
            return ask(*asked, **named)
        except (ValueError, IndexError, struct.error) as error:
            raise DamagedDataError(f"gazetteer is damaged or closed: {error}") from error

    return asked


class PlaceArrays:
    """Answers what is asked of every name and postal code."""

    def __init__(self, path: Path) -> None:
        """Raises: DamagedDataError when the file is missing or damaged."""
        self._path = path
        self._file = ArrayFile(path)
        self._content = self._file.content
        self._ids = self._file.numbers("ids", "q")
        self._places = self._file.start("places")
        self._place_names = self._file.start("place names")
        self._terms = self._file.part("terms").decode().split(TERM_END)
        self._names = StringIndex(self._file, "names")
        self._first_bearers = self._file.numbers("first bearers", "I")
        self._bearers = self._file.start("bearers")
        self._codes = StringIndex(self._file, "codes")
        self._first_postcodes = self._file.numbers("first postcodes", "I")
        self._postcodes = self._file.start("postcodes")
        self._texts = self._file.start("postcode texts")
        self._at = lru_cache(_CACHED)(self._read_place)
        self._first_written = self._file.numbers("first written bearers", "I")
        self._written = self._file.start("written bearers")
        self._search: NameSearch | None = None
        self._rise = lru_cache(_CACHED)(self._find_rise)

    def close(self) -> None:
        """Let go of the file; then nothing can be asked."""
        self._file.close()

    def automaton(self) -> NameSearch:
        """What finds all names: the trie where the kernel is there, loaded again each time."""
        compiled = kernel("trie")
        if compiled is None:
            self._search = load_automaton(self._file.part("automaton"))
            return self._search
        file = ArrayFile(self._path)  # a mapping of its own, which lives as long as what reads it
        self._search = compiled.NameTrie(
            file.numbers("trie symbols", "H"),
            file.numbers("trie labels", "H"),
            file.numbers("trie values", "I"),
            file.numbers("trie first", "I"),
        )
        return self._search

    def place(self, id: int) -> Place | None:
        """The place with this id."""
        number = self._number(id)
        return self._at(number) if number >= 0 else None

    def _number(self, id: int) -> int:
        """The number of a place; -1 when there is no such place."""
        number = bisect_left(self._ids, id)
        return number if number < len(self._ids) and self._ids[number] == id else -1

    def lineage(self, id: int) -> Lineage:
        """The ids of a place and of what contains it."""
        parent, kind = self._rise(id)
        if kind is None:
            return _NO_LINEAGE
        region, ids = id if kind is Kind.REGION else 0, [id]
        while parent:
            id = parent
            parent, kind = self._rise(id)
            if kind is None or id in ids:
                break
            ids.append(id)
            if kind is Kind.REGION and not region:
                region = id
        return Lineage(region, tuple(ids))

    def _find_rise(self, id: int) -> tuple[int, Kind | None]:
        """The parent and the kind of a place; no kind when there is no such place."""
        number = self._number(id)
        if number < 0:
            return 0, None
        start = self._places + PLACE_RECORD.size * number
        record = PLACE_RECORD.unpack_from(self._content, start)
        return record[_PARENT], KINDS[record[_KIND]]

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        """The bearers of a name, the likeliest first."""
        if self._search is not None:
            for start, end, number in self._search.find(name):
                if end - start == len(name):
                    return self._written_candidates(number)
                break
        row = self._names.find(fold(name))
        if row < 0:
            return ()
        size, first = BEARER_RECORD.size, self._first_bearers
        records = self._content[
            self._bearers + size * first[row] : self._bearers + size * first[row + 1]
        ]
        spelling = name.casefold()
        found, is_same, differs = [], False, False
        for score, number, role in BEARER_RECORD.iter_unpack(records):
            place = self._at(number)
            if place.name.casefold() == spelling:
                is_same = True
                found.append(Candidate(place, score + SAME_SPELLING_BONUS, ROLES[role]))
            else:
                differs = True
                found.append(Candidate(place, score, ROLES[role]))
        if is_same and differs:  # else they are in order
            found.sort(key=_order)
        return tuple(found)

    def _written_candidates(self, number: int) -> tuple[Candidate, ...]:
        """The same by the number that `automaton` gives a name, which is quicker to look up."""
        size, first = BEARER_RECORD.size, self._first_written
        records = self._content[
            self._written + size * first[number] : self._written + size * first[number + 1]
        ]
        at = self._at
        return tuple(
            [
                Candidate(at(place), score, ROLES[role])
                for score, place, role in BEARER_RECORD.iter_unpack(records)
            ]
        )

    def names(self, ids: Sequence[int]) -> dict[int, list[tuple[str, NameRole]]]:
        """Every folded name of these places with its role, in the order of the names."""
        import numpy as np  # noqa: PLC0415 - takes longer to import than most commands run

        first = np.asarray(self._first_bearers)
        bearers = np.frombuffer(self._content, _BEARER_FIELDS, first[-1], self._bearers)
        wanted = np.zeros(len(self._ids), bool)
        wanted[[number for number in map(self._number, ids) if number >= 0]] = True
        at = np.flatnonzero(wanted[bearers["number"]])
        rows = (
            first.searchsorted(at.astype(first.dtype), side="right") - 1
        )  # else it copies `first`
        found: dict[int, list[tuple[str, NameRole]]] = {id: [] for id in ids}
        records = zip(map(self._names.string, rows), bearers[at].tolist(), strict=True)
        for name, (_, number, role) in sorted(records):
            found[self._ids[number]].append((name, ROLES[role]))
        return found

    def postcodes(self, country: str, code: str) -> tuple[Postcode, ...]:
        """The rows of a postal code in its stored form."""
        row = self._codes.find(f"{country} {code}")
        if row < 0:
            return ()
        size, first = POSTCODE_RECORD.size, self._first_postcodes
        records = self._content[
            self._postcodes + size * first[row] : self._postcodes + size * first[row + 1]
        ]
        found = []
        for latitude, longitude, id, start, length in POSTCODE_RECORD.iter_unpack(records):
            town, region, *others = self._text(self._texts + start, length).split(TEXT_END)
            point, names = Point(latitude, longitude), tuple(others)
            found.append(
                Postcode(country, code, town, region, point, other_towns=names, place_id=id)
            )
        return tuple(found)

    def _read_place(self, number: int) -> Place:
        id, latitude, longitude, population, parent, start, length, country, zone, feature, kind = (
            PLACE_RECORD.unpack_from(self._content, self._places + PLACE_RECORD.size * number)
        )
        terms, start = self._terms, self._place_names + start
        return Place(
            id, self._content[start : start + length].decode(), KINDS[kind],
            Point(latitude, longitude), terms[country], population, terms[zone], parent,
            terms[feature],
        )  # fmt: skip

    def _text(self, start: int, length: int) -> str:
        return self._content[start : start + length].decode()


def _order(candidate: Candidate) -> tuple[float, int]:
    return -candidate.score, candidate.place.id
