"""A file of mapped parts is whole, or it is refused."""

import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.arrays import ArrayFile, PlaceArrays
from geoscout_places.gazetteer.build.arrays import write_array_file
from geoscout_places.gazetteer.tables import SAME_SPELLING_BONUS, arrays_of
from geoscout_places.model import Place
from tests.unit.places.gazetteer.build.test_compile import build_with_import
from tests.unit.places.gazetteer.tries import laid_out


def write(path: Path) -> Path:
    with write_array_file(path) as add:
        add("letters", "é\nz".encode())
        add("nothing", b"")
        add("numbers", (7).to_bytes(4, "little") + (9).to_bytes(4, "little"))
        add("ids", (-1).to_bytes(8, "little", signed=True))
    return path


def test_parts_are_read_as_they_were_written(tmp_path):
    file = ArrayFile(write(tmp_path / "some.arrays"))

    assert file.part("letters").decode() == "é\nz"
    assert file.part("nothing") == b""
    assert list(file.numbers("numbers", "I")) == [7, 9]
    assert list(file.numbers("ids", "q")) == [-1]
    assert file.content[file.start("letters") :][:2] == "é".encode()
    file.close()


@pytest.mark.parametrize("left", [0, 10, -1])
def test_a_file_that_was_cut_off_is_refused(tmp_path, left):
    path = write(tmp_path / "some.arrays")
    path.write_bytes(path.read_bytes()[:left])

    with pytest.raises(DamagedDataError, match="cannot be read"):
        ArrayFile(path)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(DamagedDataError, match="cannot be read"):
        ArrayFile(tmp_path / "none.arrays")


def test_a_file_whose_writer_failed_is_refused(tmp_path):
    path = tmp_path / "some.arrays"
    with suppress(KeyboardInterrupt), write_array_file(path) as add:
        add("letters", b"abc")
        raise KeyboardInterrupt

    with pytest.raises(DamagedDataError, match="cannot be read"):
        ArrayFile(path)


def test_nothing_can_be_asked_of_a_closed_file(tmp_path):
    file = ArrayFile(write(tmp_path / "some.arrays"))
    numbers = file.numbers("numbers", "I")

    file.close()

    with pytest.raises(ValueError, match="released"):
        numbers[0]


SAMPLE = 997  # every so many rows
NEWTOWN = "900\tNewtown\tNewtown\t\t51.2\t10.1\tP\tPPL\tAD\t\t01\t11\t\t\t4000\t\t\tEurope/Test\t\n"


@pytest.fixture
def tables(gazetteer):
    connection = sqlite3.connect(str(gazetteer.describe()["file"]))
    yield connection
    connection.close()


def test_places_are_those_of_the_table(gazetteer, tables):
    rows = tables.execute(
        "SELECT id, name, kind, latitude, longitude, country, population, timezone, parent,"
        " feature FROM place WHERE abs(id) % ? = 0 OR kind = 'continent'",
        (SAMPLE,),
    ).fetchall()

    assert len(rows) > 100
    assert [gazetteer.place(row[0]) for row in rows] == [Place.from_row(row) for row in rows]


def test_candidates_are_those_of_the_table(gazetteer, tables):
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


def test_names_of_places_are_those_of_the_table(gazetteer, tables):
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


def test_postal_codes_are_those_of_the_table(gazetteer, tables):
    rows = tables.execute("SELECT country, code, town, names, place FROM postcode").fetchall()
    for country, code, town, names, place in rows[::SAMPLE]:
        found = [row for row in gazetteer.postcodes(country, code) if row.town == town]
        assert [(row.place_id, "|".join(row.other_towns)) for row in found] == [(place, names)]


@given(st.text())
def test_any_name_can_be_asked(gazetteer, name):
    assert all(candidate.place.name for candidate in gazetteer.candidates(name))
    assert gazetteer.postcodes("DE", name) == gazetteer.postcodes("DE", name)


def test_imported_names_and_postal_codes_are_in_the_file(tmp_path):
    build_with_import(tmp_path, "mine.txt", NEWTOWN).close()

    arrays = PlaceArrays(arrays_of(tmp_path / "b.sqlite"))

    assert [candidate.place.id for candidate in arrays.candidates("newtown")] == [900]
    assert [row.town for row in arrays.postcodes("AD", "01100")] == ["Capital"]
    arrays.close()


def test_a_damaged_file_is_told(tmp_path):
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


def names_in(names: list[str]) -> dict[str, int]:
    """The names of a trie by their numbers, found by going through all of its nodes."""
    symbols, labels, values, first = laid_out(names)
    letters = {int(symbol): chr(code) for code, symbol in enumerate(symbols)}
    assert len(first) == len(labels) + 1
    found: dict[str, int] = {}
    waiting = [(0, "")]
    while waiting:
        node, before = waiting.pop()
        name = before + letters[labels[node] & 0x7FFF] if node else ""
        if labels[node] & 0x8000:
            found[name] = int(values[node])
        waiting += [(child, name) for child in range(first[node], first[node + 1])]
    return found


@settings(deadline=None)
@given(st.sets(st.text(st.sampled_from("abBéΩ "), min_size=1, max_size=6), min_size=1))
def test_a_trie_has_every_name_with_its_number(names):
    assert names_in(sorted(names)) == {name: n for n, name in enumerate(sorted(names))}


def test_children_lie_in_the_order_of_their_letters():
    _, labels, _, first = laid_out(["Aa", "Ab", "B", "Ca"])

    for node in range(len(labels)):
        children = [labels[child] & 0x7FFF for child in range(first[node], first[node + 1])]
        assert children == sorted(children)
    assert max(first) == len(labels)
