"""Derives the brands of shops and offices from the name-suggestion-index of OpenStreetMap.

A row is a brand in one category: its tag, name, id, Wikidata's number, other names, and where it
is. Only brands count that have such a number and a category that the directory has. An area is a
country, the world, or the box around a part of a country or around a point; what is whole countries
is written as these, so that nothing but a code and a box is asked later.

The rules are those of the index (lib/matcher.ts): the names of a brand are its tags for names, but
what the patterns of a category exclude, and its `matchNames`; and groups say which categories are
taken for one another.
"""

import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from pathlib import Path
from typing import Any

from tools.derive.pins import Source
from tools.derive.sources import Library, format_rows, write_xz

from geoscout_directory.brands import brand_form
from geoscout_directory.categories import tags

BRANDS = Source(
    "npm",
    "name-suggestion-index",
    "8.0.20260918",
    "name-suggestion-index-8.0.20260918.tgz",
    "3ee22f0f0a99528ac9c65a57211575defd968e21fd6374e746bfd02e94422121",
    licence="BSD-3-Clause",
)
AREAS = Source(
    "npm",
    "@rapideditor/country-coder",
    "5.6.1",
    "rapideditor-country-coder-5.6.1.tgz",
    "6b13dfc427ed42a6d78da66eab6a0faf5969c0ccc23e59c1eb4d659592b4b6a6",
    licence="ISC",
)
_HEADER = ("tag", "name", "id", "wikidata", "names", "where")
# Not the name of its operator: a company is not each of its brands.
_NAME = re.compile(
    r"(?:name|brand|brand:short|\w+_name)(?::(?!(?:etymology|signed|wikidata|wikipedia)$)[\w-]+)?"
)
_RADIUS = 25.0  # kilometres around a point, where none is given
_DEGREE = 111.2  # kilometres
_WORLD = "001"
# What country-coder leaves out of a name, unless it is all: de is Germany.
_SMALL = re.compile(r"(?!^\w+$)(?:\b(?:and|the|of|el|la|de)\b|[-_ .,'()&[\]/])")


def derive(library: Library, out: Path) -> None:
    """Write the table of brands; rows without a name are the groups of categories."""
    index = library.read_json(BRANDS, "dist/json/nsi.min.json")["nsi"]
    groups = library.read_json(BRANDS, "dist/json/matchGroups.min.json")["matchGroups"]
    areas = Areas(
        library.read_json(AREAS, "src/data/borders.json")["features"],
        library.read_json(BRANDS, "dist/json/featureCollection.min.json")["features"],
    )
    rows = [[",".join(map(_tag, group)), *[""] * 5] for group in groups.values()]
    rows += brand_rows(index, areas, set(tags()))
    size = write_xz(out / "brands.tsv.xz", format_rows(_HEADER, rows))
    print(f"brands: {len(rows):,} rows, {size:,} bytes", file=sys.stderr)


def brand_rows(
    index: Mapping[str, Mapping[str, Any]], areas: "Areas", known: AbstractSet[str]
) -> Iterator[list[str]]:
    """The brands of the categories that are known."""
    for path, category in sorted(index.items()):
        tree, _, tag = path.partition("/")
        if tree == "brands" and (tag := _tag(tag)) in known:
            patterns = category["properties"].get("exclude", {}).values()
            excluded = re.compile("|".join(chain(*patterns)) or "(?!)", re.IGNORECASE)
            for item in category["items"]:
                if re.fullmatch(r"Q\d+", item["tags"].get("brand:wikidata", "")):
                    yield [tag, *_described(item, excluded), areas.text(item["locationSet"])]


def _tag(path: str) -> str:
    return path.replace("/", "=", 1)


def _described(item: Mapping[str, Any], excluded: re.Pattern[str]) -> Iterator[str]:
    """Name, id, number and names of a brand.

    Of the id only the digest is kept where the rest is the name; a name in the form of the first
    column is a star.
    """
    tags = item["tags"]
    name = " ".join((tags.get("brand") or tags.get("name") or item["displayName"]).split())
    form = brand_form(name)
    stem, _, digest = item["id"].rpartition("-")
    texts = [
        text for key, text in tags.items() if _NAME.fullmatch(key) and not excluded.search(text)
    ]
    forms = dict.fromkeys(map(brand_form, (*texts, *item.get("matchNames", ()))))
    yield name
    yield digest if stem == form else item["id"]
    yield tags["brand:wikidata"]
    yield ",".join("*" if known == form else known for known in forms if known)


class Areas:
    """What the areas of the index stand for: codes of countries, and boxes."""

    def __init__(
        self, borders: Sequence[Mapping[str, Any]], own: Iterable[Mapping[str, Any]]
    ) -> None:
        self._told = [feature["properties"] for feature in borders]
        self._shapes = {_area_id(f["id"]): f["geometry"] for f in own}
        self._named: dict[str, Mapping[str, Any]] = {}
        for feature in borders:
            told = feature["properties"]
            names = [told.get(key) for key in ("iso1A2", "iso1A3", "m49", "wikidata", "nameEn")]
            for name in filter(None, (*names, *told.get("aliases", ()))):
                self._named.setdefault(_area_id(name), feature)

    def text(self, areas: Mapping[str, Any]) -> str:
        """The areas of a brand: what it is in, and behind a minus what it is not in."""
        out = {token for area in areas.get("exclude", ()) for token in self._tokens(area)}
        tokens = [token for area in areas.get("include", ("001",)) for token in self._tokens(area)]
        tokens = [token for token in dict.fromkeys(tokens) if token not in out]
        apart = (token for token in sorted(out) if ":" in token or _WORLD in tokens)
        return " ".join((*tokens, *(f"-{token}" for token in apart)))

    def _tokens(self, area: str | Sequence[float]) -> Sequence[str]:
        if not isinstance(area, str):
            return [_around(*area)]
        name = _area_id(area)
        if name == _WORLD:
            return [_WORLD]
        if name in self._shapes:
            code = area[:2].lower() if area[2:3] == "-" else ""
            country = code.upper() if code in self._named else ""
            return [_box(country, _bounds(self._shapes[name]["coordinates"]))]
        feature = self._named[name]
        told = feature["properties"]
        if countries := self._countries(told):
            return countries
        return [_box(told.get("country", ""), _bounds(feature["geometry"]["coordinates"]))]

    def _countries(self, told: Mapping[str, Any]) -> list[str]:
        """The countries of a country with territories, or of a group of countries."""
        own = {told[key] for key in ("iso1A2", "m49", "wikidata") if key in told}
        inside = [
            other
            for other in self._told
            if other.get("country") in own or not own.isdisjoint(other.get("groups", ()))
        ]
        found = {_code(other) for other in (told, *inside)}
        return sorted(found - {""}) if inside or "iso1A2" in told else []


def _code(told: Mapping[str, Any]) -> str:
    """The code of a country that addresses use: not FX, which is France."""
    own = "" if told.get("isoStatus") == "excRes" else told.get("iso1A2")
    return own or told.get("country", "")


def _area_id(name: str) -> str:
    return _SMALL.sub("", name.lower())


def _around(longitude: float, latitude: float, radius: float = _RADIUS) -> str:
    high = radius / _DEGREE
    wide = high / math.cos(math.radians(latitude))
    return _box("", (longitude - wide, latitude - high, longitude + wide, latitude + high))


def _bounds(shape: Sequence[Any]) -> tuple[float, float, float, float]:
    """West, south, east and north of the coordinates of a shape."""
    if not isinstance(shape[0], list):
        return shape[0], shape[1], shape[0], shape[1]
    west, south, east, north = zip(*map(_bounds, shape), strict=True)
    return min(west), min(south), max(east), max(north)


def _box(country: str, bounds: Sequence[float]) -> str:
    corners = (
        *map(math.floor, (v * 10 for v in bounds[:2])),
        *(math.ceil(v * 10) for v in bounds[2:]),
    )
    return f"{country}:" + ",".join(f"{corner / 10:g}" for corner in corners)


if __name__ == "__main__":
    derive(Library(Path(".cache/sources")), Path("src/geoscout_directory/data"))
