"""Reads the finished tables back as entries that WordNet's places can be looked up in.

From the tables and not from their sources, so that every link points at a row that ships.
"""

import csv
import lzma
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.derive.names import fold

_INSTITUTIONS = {"university", "station"}  # organisations in WordNet, not places
_DIRECTIONS = {"north", "south", "east", "west"}  # names of regions that say no more


@dataclass(frozen=True)
class Entry:
    """A gazetteer entry; `region` is a code such as "US.GA", "" for what is wider."""

    id: int
    name: str
    kind: str
    country: str
    region: str
    population: int
    point: tuple[float, float]
    keys: frozenset[str]


def name_key(name: str) -> str:
    """Bring a spelling into the form in which WordNet's and the gazetteer's meet.

    >>> name_key("St. John's") == name_key("Saint Johns")
    True
    """
    plain = " ".join(re.sub(r"[.,()/]", " ", fold(name)).split())
    return re.sub(r"^st ", "saint ", plain.removeprefix("the "))


def read_entries(data_folder: Path, wanted: Collection[str]) -> Iterator[Entry]:
    """Read the entries that bear a wanted name, and all countries and regions."""
    for row in _read_rows(data_folder, "places"):
        kind = "neighbourhood" if row["feature"] == "PPLX" else "city"
        yield from _make_entry(row, kind, f"{row['country']}.{row['admin1']}", wanted)
    for row in _read_rows(data_folder, "areas"):
        code = ".".join(row["code"].split(".")[:2])
        yield from _make_entry(row, row["kind"], code if "." in code else "", wanted)
    for row in _read_rows(data_folder, "landmarks"):
        if row["kind"] in _INSTITUTIONS:
            continue
        yield from _make_entry(row, row["kind"], "", wanted)


def _read_rows(data_folder: Path, table: str) -> Iterator[dict[str, str]]:
    """Read a table that may be cut into parts (``places.eu1.tsv.xz``)."""
    for path in sorted(data_folder.glob(f"{table}.*tsv.xz")):
        with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
            yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _make_entry(
    row: Mapping[str, str], kind: str, region: str, wanted: Collection[str]
) -> Iterator[Entry]:
    keys = {name_key(name) for name in (row["name"], *row["names"].split("|")) if name}
    if kind not in ("country", "region"):
        keys.intersection_update(wanted)
    if keys and name_key(row["name"]) not in _DIRECTIONS:
        yield Entry(
            id=int(row["id"]),
            name=row["name"],
            kind=kind,
            country=row["country"],
            region=region,
            population=int(row.get("population") or 0),
            point=(float(row["latitude"]), float(row["longitude"])),
            keys=frozenset(keys),
        )
