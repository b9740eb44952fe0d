"""The mapped file says what the tables say, and refuses when it is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.arrays.file import ArrayFile
from geoscout_places.gazetteer.arrays.layout import arrays_of
from geoscout_places.gazetteer.arrays.places import PlaceArrays
from geoscout_places.gazetteer.schema import SAME_SPELLING_BONUS
from geoscout_places.model import Place
from tests.unit.places.gazetteer.build.test_compile import build_with_import

SAMPLE = 997  # every so many rows
NEWTOWN = "900\tNewtown\tNewtown\t\t51.2\t10.1\tP\tPPL\tAD\t\t01\t11\t\t\t4000\t\t\tEurope/Test\t\n"


@pytest.fixture
def tables(gazetteer: SqliteGazetteer) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(str(gazetteer.describe()["file"]))
    yield connection
    connection.close()


def test_places_are_those_of_the_table(
    gazetteer: SqliteGazetteer, tables: sqlite3.Connection
) -> None:
    rows = tables.execute(
        "SELECT id, name, kind, latitude, longitude, country, population, timezone, parent,"
        " feature FROM place WHERE abs(id) % ? = 0 OR kind = 'continent'",
        (SAMPLE,),
    ).fetchall()

    assert len(rows) > 100
    assert [gazetteer.place(row[0]) for row in rows] == [Place.from_row(row) for row in rows]


def test_candidates_are_those_of_the_table(
    gazetteer: SqliteGazetteer, tables: sqlite3.Connection
) -> None:
    names = [row[0] for row in tables.execute("SELECT DISTINCT folded FROM name")][::SAMPLE]
    assert len(names) > 500
    for name in (*names, "san antonio", "springfield"):
        rows = tables.execute(
            "SELECT place.id, role, score, place.name FROM name JOIN place ON place.id = place"
            " WHERE folded = ?",
            (name,),
        )
        expected = []
        for id, role, score, spelling in rows:
            bonus = SAME_SPELLING_BONUS if spelling.casefold() == name.casefold() else 0.0
            expected.append((-score - bonus, id, role))
        found = [(-c.score, c.place.id, str(c.role)) for c in gazetteer.candidates(name)]
        assert found == sorted(expected)


def test_names_of_places_are_those_of_the_table(
    gazetteer: SqliteGazetteer, tables: sqlite3.Connection
) -> None:
    ids = [id for (id,) in tables.execute("SELECT id FROM place")][::SAMPLE]
    places = [place for place in map(gazetteer.place, ids) if place]
    found = gazetteer.names(places)
    rows = tables.execute(
        f"SELECT place, folded, role FROM name WHERE place IN ({','.join(map(str, ids))})"
    ).fetchall()

    expected: dict[int, list[tuple[str, str]]] = {id: [] for id in ids}
    for id, name, role in rows:
        expected[id].append((name, role))
    assert len(rows) > 300
    assert {id: [(name, str(role)) for name, role in of] for id, of in found.items()} == expected
    assert gazetteer.names(places[:1]) == {ids[0]: found[ids[0]]}
    assert gazetteer.names([]) == {}


def test_postal_codes_are_those_of_the_table(
    gazetteer: SqliteGazetteer, tables: sqlite3.Connection
) -> None:
    rows = tables.execute("SELECT country, code, town, names, place FROM postcode").fetchall()
    for country, code, town, names, place in rows[::SAMPLE]:
        found = [row for row in gazetteer.postcodes(country, code) if row.town == town]
        assert [(row.place_id, "|".join(row.other_towns)) for row in found] == [(place, names)]


@given(st.text())
def test_any_name_can_be_asked(gazetteer: SqliteGazetteer, name: str) -> None:
    assert all(candidate.place.name for candidate in gazetteer.candidates(name))
    assert gazetteer.postcodes("DE", name) == gazetteer.postcodes("DE", name)


def test_imported_names_and_postal_codes_are_in_the_file(tmp_path: Path) -> None:
    build_with_import(tmp_path, "mine.txt", NEWTOWN).close()

    arrays = PlaceArrays(arrays_of(tmp_path / "b.sqlite"))

    assert [candidate.place.id for candidate in arrays.candidates("newtown")] == [900]
    assert [row.town for row in arrays.postcodes("AD", "01100")] == ["Capital"]
    arrays.close()


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    build_with_import(tmp_path, "mine.txt", NEWTOWN).close()
    file = arrays_of(tmp_path / "b.sqlite")
    opened = ArrayFile(file)
    start, length = opened.start("places"), len(opened.part("places"))
    opened.close()
    whole = file.read_bytes()
    file.write_bytes(whole[:start] + b"\xff" * length + whole[start + length :])
    gazetteer = SqliteGazetteer(tmp_path / "b.sqlite")

    with pytest.raises(DamagedDataError, match="damaged"):
        gazetteer.candidates("Newtown")
    gazetteer.close()
