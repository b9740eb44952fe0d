"""What people see of places: aligned tables, or one JSON document and nothing else."""

import json
import sys
import unicodedata
from collections.abc import Sequence

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Candidate, NameRole, Point, Reading, ScopePlace


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(document, ensure_ascii=not is_unicode, indent=2))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table; a column whose name ends in `>` is aligned to the right; all without name: no head.

    Written by hand because these are aligned columns and nothing more: importing a library for
    them takes longer than the answers they show.
    """
    cells = [[column.rstrip(">") for column in columns], *rows]
    widths = [max(_width(row[n]) for row in cells) for n in range(len(columns))]
    if title:
        print(f"\n{title}")
    for row in cells if any(cells[0]) else cells[1:]:
        padded = [
            " " * (width - _width(text)) + text
            if column.endswith(">")
            else text + " " * (width - _width(text))
            for text, width, column in zip(row, widths, columns, strict=True)
        ]
        print("  ".join(padded).rstrip())


def _width(text: str) -> int:
    """How many columns of a terminal a text takes; wide letters take two, marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def print_candidates(gazetteer: Gazetteer, found: Sequence[Candidate], asked: str) -> None:
    """The candidates as a table; those that are not called as asked for are marked."""
    columns = ("name", "kind", "in", "population>", "latitude>", "longitude>", "id>", "GeoWordNet")
    print_table("", columns, [_as_row(gazetteer, candidate, asked) for candidate in found])


def candidate_as_json(gazetteer: Gazetteer, candidate: Candidate) -> dict[str, object]:
    """A place that a name may mean; `path` goes from the broad to the narrow."""
    place = candidate.place
    return {
        "name": place.name,
        "country": place.country,
        "path": gazetteer.path(place),
        "lat": place.point.latitude,
        "lon": place.point.longitude,
        "population": place.population,
        "id": place.id,
        "geonameid": place.geonames_id,
        "kind": place.kind if candidate.role != NameRole.DEMONYM else "demonym",
        "timezone": place.timezone or None,
        "synset": _synset(gazetteer, candidate) or None,
    }


def _as_row(gazetteer: Gazetteer, candidate: Candidate, asked: str) -> tuple[str, ...]:
    place = candidate.place
    name = asked.partition(",")[0].strip()
    is_other = candidate.role is NameRole.ALIAS and fold(name) not in fold(place.name)
    return (
        f"{place.name} (also {name})" if is_other else place.name,
        place.kind,
        " > ".join(gazetteer.path(place)[:-1]),
        f"{place.population:,}" if place.population else "",
        f"{place.point.latitude:.4f}",
        f"{place.point.longitude:.4f}",
        str(place.id) if place.id > 0 else "",
        _synset(gazetteer, candidate),
    )


def _synset(gazetteer: Gazetteer, candidate: Candidate) -> str:
    return ", ".join(f"{synset.offset:08d}-n" for synset in gazetteer.synsets(candidate.place))


def print_reading(reading: Reading, gazetteer: Gazetteer) -> None:
    """What was found in a document, as three tables."""
    print_table(
        "about",
        ("place", "in", "share>"),
        [(s.place.name, _inside(s), f"{s.score:.0%}") for s in reading.scope],
    )
    print_table(
        "addresses",
        ("street", "number", "postcode", "city", "country", "latitude>", "longitude>", "from"),
        [
            (a.street, a.house_number, a.postcode, a.city, a.country, *_cells(a.point), a.source)
            for a in reading.addresses
        ],
    )
    print_table(
        "places",
        ("name", "place", "kind", "latitude>", "longitude>"),
        [
            (
                m.text,
                gazetteer.label(m.place) if m.place else "",
                m.kind,
                *_cells(m.place.point if m.place else None),
            )
            for m in reading.mentions
        ],
    )


def _inside(scope: ScopePlace) -> str:
    return " > ".join(place.name for place in scope.path[:-1])


def _cells(point: Point | None) -> tuple[str, str]:
    return (f"{point.latitude:.4f}", f"{point.longitude:.4f}") if point else ("", "")
