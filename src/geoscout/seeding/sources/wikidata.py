"""Official websites of the things in Wikidata: of its dump, or of the answer to a query.

In a dump, P856 is the official website and P625 the coordinates. In the answer of a SPARQL service
(`application/sparql-results+json`) any column that holds URLs of websites is taken, the one that
holds a point (`Point(8.21 53.14)`) says where it is, and one that ends in "Label" is the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from geoscout.seeding.hints import SeedHint
from geoscout.seeding.sources.lines import opened
from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Point
from geoscout_places.urls import normalise

_SOURCE = "Wikidata"
_POINT = re.compile(r"^\s*Point\(\s*([-\d.eE+]+)\s+([-\d.eE+]+)\s*\)", re.IGNORECASE)
_OF_WIKI = re.compile(r"^https?://([\w-]+\.)*(wikidata|wikipedia|wikimedia|openstreetmap)\.org/")
_LARGEST_ANSWER = 500_000_000  # bytes
_WEBSITE, _COORDINATES = "P856", "P625"
_LANGUAGES = ("en", "mul", "de", "fr", "es", "it", "pt")  # of labels, the first that there is


def hints_of_answer(path: Path, region: Region) -> Iterator[SeedHint]:
    """The websites in an answer of a SPARQL service.

    Raises:
        ImportFileError: it is not one.
    """
    with opened(path) as stream:
        content = stream.read(_LARGEST_ANSWER)
    try:
        rows = orjson.loads(content)["results"]["bindings"]
        cells = [{name: str(cell["value"]) for name, cell in row.items()} for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ImportFileError(f"{path} is not the JSON of a SPARQL service") from error
    for row in cells:
        yield from _hints_of_row(row, region)


def _hints_of_row(row: Mapping[str, str], region: Region) -> Iterator[SeedHint]:
    points = [point for value in row.values() if (point := _point(value))]
    inside = region.contains_point(points[0]) if points else None
    title = next((value for name, value in row.items() if name.endswith("Label")), "")
    for value in row.values():
        if value.startswith(("http://", "https://")) and not _OF_WIKI.match(value):
            url = normalise(value)
            # A query without coordinates asked for things of the region, or it would be of no use.
            if url:
                yield SeedHint(url, _SOURCE, title, inside=True if inside is None else inside)


def hints_of_dump(path: Path, region: Region) -> Iterator[SeedHint]:
    """The websites of the things in a dump that have coordinates; one thing a line.

    Raises:
        ImportFileError: the file cannot be read.
    """
    with opened(path) as stream:
        for line in stream:
            if b'"P856"' in line and b'"P625"' in line:
                yield from _hints_of_entity(line.strip().rstrip(b","), region)


def _hints_of_entity(line: bytes, region: Region) -> Iterator[SeedHint]:
    try:
        entity = orjson.loads(line)
        claims = entity["claims"]
        where = _values(claims[_COORDINATES])[0]
        point = Point(float(where["latitude"]), float(where["longitude"]))
        websites = [str(value) for value in _values(claims[_WEBSITE])]
    except (ValueError, KeyError, TypeError, IndexError):
        return  # one damaged line, or a thing with a website and "unknown" for its coordinates
    inside = region.contains_point(point)
    for url in filter(None, map(normalise, websites)):
        yield SeedHint(url, _SOURCE, _label(entity), inside=inside)


def _values(claims: list[Mapping[str, Any]]) -> list[Any]:
    """The values of a property, without those that are out of date."""
    return [
        claim["mainsnak"]["datavalue"]["value"]
        for claim in claims
        if claim.get("rank") != "deprecated" and "datavalue" in claim["mainsnak"]
    ]


def _label(entity: Mapping[str, Any]) -> str:
    labels = entity.get("labels") or {}
    codes = [code for code in _LANGUAGES if code in labels] or list(labels)[:1]
    return str(labels[codes[0]].get("value", "")) if codes else ""


def _point(text: str) -> Point | None:
    match = _POINT.match(text)
    try:
        return Point(float(match[2]), float(match[1])) if match else None
    except ValueError:
        return None
