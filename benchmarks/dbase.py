"""How long it takes to read a dBASE table of streets: our reader against `pyshp`.

Usage: python benchmarks/dbase.py        (needs: pip install pyshp==3.1.6)
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable
from functools import partial
from time import perf_counter

import shapefile

from geoscout_places.gazetteer.imports.dbf import read_dbf

_RECORDS = 50_000
_COLUMNS = (("LINEARID", 22), ("FULLNAME", 100), ("RTTYP", 1), ("MTFCC", 5))  # as in TIGER ROADS
_WANTED = ["FULLNAME", "MTFCC"]
_ROUNDS = 3


def main() -> None:
    table = _make_table()
    for name, count in (("geoscout", _count_ours), ("pyshp", _count_theirs)):
        print(f"{name:<10}{_time(partial(count, table)):>8.2f} µs a record")


def _make_table() -> bytes:
    record_bytes = 1 + sum(width for _, width in _COLUMNS)
    header_bytes = 33 + 32 * len(_COLUMNS)
    head = struct.pack("<B3BIHH20x", 3, 123, 1, 1, _RECORDS, header_bytes, record_bytes)
    columns = (struct.pack("<11sc4xB15x", name.encode(), b"C", width) for name, width in _COLUMNS)
    return head + b"".join(columns) + b"\r" + b"".join(map(_make_record, range(_RECORDS))) + b"\x1a"


def _make_record(number: int) -> bytes:
    cells = (str(number), f"Cañada {number} Rd", "M", "S1400")
    padded = zip(cells, _COLUMNS, strict=True)
    return b" " + b"".join(cell.encode().ljust(width) for cell, (_, width) in padded)


def _count_ours(table: bytes) -> int:
    return sum(1 for _ in read_dbf(io.BytesIO(table), [name.lower() for name in _WANTED]))


def _count_theirs(table: bytes) -> int:
    reader = shapefile.Reader(dbf=io.BytesIO(table), encoding="utf-8")
    return sum(1 for _ in reader.iterRecords(fields=_WANTED))


def _time(read: Callable[[], int]) -> float:
    best = float("inf")
    for _ in range(_ROUNDS):
        start = perf_counter()
        assert read() == _RECORDS
        best = min(best, perf_counter() - start)
    return best / _RECORDS * 1e6


if __name__ == "__main__":
    main()
