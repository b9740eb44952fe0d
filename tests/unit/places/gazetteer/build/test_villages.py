from __future__ import annotations

import sqlite3

import pytest

from geoscout_places.gazetteer.build.villages import (
    Village,
    VillageRows,
    add_villages,
    villages_of_codes,
)
from geoscout_places.gazetteer.build.writer import Writer
from geoscout_places.gazetteer.schema import TABLES
from geoscout_places.gazetteer.tables import PostcodeRow
from geoscout_places.model import Kind, Place, Point

VILSBIBURG = Point(48.45, 12.36)
FAR_AWAY = Point(53.5, 9.9)


@pytest.fixture
def writer() -> Writer:
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    writer = Writer(connection)
    town = Place(
        1, "Vilsbiburg", Kind.CITY, VILSBIBURG, "DE",
        population=11_000, timezone="Europe/Berlin", parent=8,
    )  # fmt: skip
    writer.add_place(town)
    bavaria = Place(7, "Bavaria", Kind.REGION, Point(49, 11), "DE", timezone="Europe/Berlin")
    writer.add_place(bavaria, code="DE.02")
    connection.execute(
        "INSERT INTO postcode VALUES ('DE', '84137', 'Vilsbiburg', '02', 48.45, 12.36, ?, 1)",
        ("Gaindorf|Seyboldsdorf",),
    )
    connection.execute(
        "INSERT INTO postcode VALUES ('IN', '781001', 'Guwahati', '', 26.2, 91.7, 'Panbazar', 0)"
    )
    return writer


def named(writer: Writer, name: str) -> list[Place]:
    rows = writer._connection.execute("SELECT id FROM place WHERE name = ?", (name,))
    return [place for (id,) in rows if (place := writer.place(id))]


def test_villages_of_a_code_are_at_its_point_in_the_district_of_its_town(writer: Writer) -> None:
    add_villages(writer._connection, writer, villages_of_codes(writer._connection))

    (village,) = named(writer, "Gaindorf")
    assert village.point == VILSBIBURG
    assert (village.kind, village.country, village.parent) == (Kind.CITY, "DE", 8)
    assert village.timezone == "Europe/Berlin"
    assert village.id < -20_000_000_000
    assert named(writer, "Seyboldsdorf")
    assert not named(writer, "Panbazar")  # of a country whose tables name post offices


def test_a_village_that_is_a_town_near_by_is_not_made_twice(writer: Writer) -> None:
    near = Village("Vilsbiburg", "DE", "02", Point(48.5, 12.4), 0)
    far = Village("Vilsbiburg", "DE", "02", FAR_AWAY, 0)

    add_villages(writer._connection, writer, [near, far])

    assert [place.point for place in named(writer, "Vilsbiburg")] == [FAR_AWAY, VILSBIBURG]


def test_a_row_without_coordinates_is_at_its_code(writer: Writer) -> None:
    rows = VillageRows()
    for name, code in (("Herrnfelden", "84137"), ("Herrnfelden", "84138"), ("Nirgends", "99999")):
        rows.add(PostcodeRow("DE", code, name, "02", "", longitude="", names=""))
    rows.add(PostcodeRow("IN", "781001", "Fancy Bazar", "", "", longitude="", names=""))

    found = list(rows.villages(writer._connection))

    assert found == [Village("Herrnfelden", "DE", "02", VILSBIBURG, 1)]


def test_the_id_of_a_village_does_not_depend_on_its_row(writer: Writer) -> None:
    add_villages(writer._connection, writer, [Village("Gaindorf", "DE", "02", VILSBIBURG, 0)])
    (alone,) = named(writer, "Gaindorf")

    add_villages(writer._connection, writer, [Village("GAINdorf", "DE", "", Point(48.46, 12.3), 1)])

    assert [place.id for place in named(writer, "Gaindorf")] == [alone.id]
    assert (alone.parent, alone.timezone) == (7, "Europe/Berlin")  # the town is not known
