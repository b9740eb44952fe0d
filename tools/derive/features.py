"""Rivers, lakes, ranges, islands, historic regions and sights, written down from general knowledge.

No package carries them (docs/why/gazetteer-data.md tells which were opened), so they are in
`curated/features`, one line for each place:

    TYPE LATITUDE LONGITUDE COUNTRY NAME|OTHER NAME|…;NAME|…

The country is `-` where it is none or several. A semicolon starts another place at about the same
point. What stands in parentheses only tells two places of one name apart. A place that the other
tables already have gets the other names and no second entry.
"""

import csv
import lzma
import re
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tools.derive.geometry import distance_km
from tools.derive.landmarks import Landmark
from tools.derive.names import fold
from tools.derive.sources import CURATED, format_rows, header_of, record_rows, write_xz

_FOLDER = CURATED / "features"
_FIRST_ID = 5_000_000_000  # the ids of `stable_id` end below
_FAR_KM = 300.0
_ASIDE = re.compile(r" \(.*\)$")


class _Type(NamedTuple):
    """Which known places may be the same one as a feature of a type."""

    same_kinds: frozenset[str]
    within_km: float


_SETTLED = frozenset({"area", "region", "district", "city", "neighbourhood"})
_NATURAL = frozenset({"water", "area", "landmark"})
_TYPES = {
    "sea": _Type(_NATURAL | {"continent"}, 2500),
    "river": _Type(frozenset({"water"}), 400),
    "lake": _Type(_NATURAL, 100),
    "region": _Type(frozenset({"area", "region", "country"}), 250),
    "range": _Type(_NATURAL, 300),
    "peak": _Type(_NATURAL, 50),
    "island": _Type(_SETTLED | {"country"}, 40),
    "park": _Type(_NATURAL, 100),
    "sight": _Type(_SETTLED | _NATURAL, 15),
    "station": _Type(frozenset({"landmark"}), 3),
}


@dataclass(frozen=True)
class Feature:
    """One place of the files; `key` is its name with what tells it from others."""

    key: str
    type: str
    latitude: float
    longitude: float
    country: str
    names: tuple[str, ...]  # the main one first

    @property
    def id(self) -> int:
        """Made from the key alone, so that it stays when anything else is corrected."""
        return -(_FIRST_ID + zlib.crc32(self.key.encode()))


class KnownPlace(NamedTuple):
    """A place of the other tables."""

    id: int
    kind: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class KnownName:
    """One row of the table of further names."""

    id: int
    language: str
    name: str
    flags: str


def read_features(folder: Path = _FOLDER) -> list[Feature]:
    """All places of the files.

    Raises:
        ValueError: a line is malformed, or two places have one key or id.
    """
    found = [f for path in sorted(folder.glob("*.txt")) for f in parse_features(path.read_text())]
    for by in ("key", "id"):
        seen: set[object] = set()
        for feature in found:
            value = getattr(feature, by)
            if value in seen:
                raise ValueError(f"two features have the {by} {value!r}: {feature.key}")
            seen.add(value)
    return found


def parse_features(text: str) -> Iterator[Feature]:
    """The places of one file.

    >>> [(f.key, f.names) for f in parse_features("river 48.8 13 - Isar|Isara;Vils (Bayern)")]
    [('Isar', ('Isar', 'Isara', 'Isar River', 'River Isar')), \
('Vils (Bayern)', ('Vils', 'Vils River', 'River Vils'))]
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            type, latitude, longitude, country, places = line.split(" ", 4)
            for place in places.split(";"):
                names = place.split("|")
                yield Feature(
                    names[0],
                    type,
                    float(latitude),
                    float(longitude),
                    country="" if country == "-" else country,
                    names=tuple(_all_names(type, names)),
                )
        except (ValueError, KeyError) as error:
            raise ValueError(f"line {number} is malformed: {line!r}") from error


def _all_names(type: str, names: Iterable[str]) -> list[str]:
    """The names without asides, each once.

    A river is named with the word too, and what begins in lower case with a capital too.
    """
    bare = [_ASIDE.sub("", name) for name in names]
    if type == "river" and not bare[0].startswith(("River ", "Rio ", "Río ")):
        stem = bare[0].removesuffix(" River")
        bare += [f"{stem} River", f"River {stem}"]
    raised = [name[0].upper() + name[1:] for name in bare]
    # The capital comes first: it is the name that is shown.
    return list(dict.fromkeys((*raised[:1], *bare, *raised)))


def split_features(
    features: Iterable[Feature], known: Mapping[str, list[KnownPlace]]
) -> tuple[list[Landmark], list[KnownName]]:
    """New rows for the table of landmarks, and further names of places that other tables have.

    `known` are the places of these tables by their folded name.
    """
    rows, names = [], []
    for feature in features:
        same = _same_place(feature, known.get(fold(feature.names[0]), ()))
        if same is None:
            rows.append(_as_landmark(feature))
        else:
            names += [KnownName(same.id, "", name, "t") for name in feature.names[1:]]
    return rows, names


def _same_place(feature: Feature, bearers: Iterable[KnownPlace]) -> KnownPlace | None:
    allowed = _TYPES[feature.type]
    near = [
        (distance_km(feature.latitude, feature.longitude, *bearer[2:]), bearer)
        for bearer in bearers
        if bearer.kind in allowed.same_kinds
    ]
    away, closest = min(near, default=(0.0, None))
    return closest if away <= allowed.within_km else None


def _as_landmark(feature: Feature) -> Landmark:
    return Landmark(
        id=feature.id,
        name=feature.names[0],
        kind=feature.type,
        latitude=feature.latitude,
        longitude=feature.longitude,
        country=feature.country,
        names=(),
        translations=feature.names[1:],
    )


def derive(out: Path) -> None:
    """Write the tables of features, from our files and the finished tables of a folder.

    Raises:
        ValueError: a feature is far from the country it is said to be in.
    """
    features = read_features()
    rows = list(finished_rows(out))
    _check_countries(features, rows)
    known: dict[str, list[KnownPlace]] = defaultdict(list)
    for row in rows:
        known[fold(row["name"])].append(_as_known(row))
    landmarks, names = split_features(features, known)
    for name, type, records in (
        ("landmarks.known", Landmark, landmarks),
        ("names.known", KnownName, names),
    ):
        size = write_xz(out / f"{name}.tsv.xz", format_rows(header_of(type), record_rows(records)))
        print(f"{name}: {len(records):,} rows, {size:,} bytes", file=sys.stderr)


def finished_rows(out: Path) -> Iterator[dict[str, str]]:
    """The rows of the tables that packages give."""
    places = sorted(path for path in out.glob("places.*.xz") if "quarters" not in path.name)
    for path in (out / "areas.tsv.xz", *places, out / "landmarks.tsv.xz"):
        yield from table_rows(path)


def table_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of one table."""
    with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def _as_known(row: Mapping[str, str]) -> KnownPlace:
    kind = row.get("kind") or ("neighbourhood" if row.get("feature") == "PPLX" else "city")
    return KnownPlace(int(row["id"]), kind, float(row["latitude"]), float(row["longitude"]))


def _check_countries(features: Iterable[Feature], rows: Iterable[Mapping[str, str]]) -> None:
    """Every feature of a country must have a place of it near."""
    cells: dict[tuple[str, int, int], list[tuple[float, float]]] = defaultdict(list)
    for row in rows:
        point = float(row["latitude"]), float(row["longitude"])
        cells[row["country"], round(point[0] / 3), round(point[1] / 3)].append(point)
    far = []
    for feature in features:
        line, column = round(feature.latitude / 3), round(feature.longitude / 3)
        around = [
            point
            for north in (-1, 0, 1)
            for east in range(-2, 3)
            for point in cells.get((feature.country, line + north, column + east), ())
        ]
        away = min(
            (distance_km(feature.latitude, feature.longitude, *point) for point in around),
            default=_FAR_KM,
        )
        if feature.country and away >= _FAR_KM:
            far.append(f"{feature.key} is not near {feature.country}")
    if far:
        raise ValueError("; ".join(far))


if __name__ == "__main__":
    derive(Path("src/geoscout_places/gazetteer/data"))
