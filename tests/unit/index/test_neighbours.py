"""Pages are related by their places."""

from __future__ import annotations

from pathlib import Path

from geoscout.index.neighbours import Neighbourhood
from geoscout.index.place_table import PlaceTable
from geoscout.index.reader import IndexReader
from geoscout.model import Kind, Place, Point
from tests.fakes import FakeGazetteer
from tests.unit.index.documents import ALFAMA, LISBON, PORTO, PORTUGAL, document, write

PLACES = [
    Place(PORTUGAL, "Portugal", Kind.COUNTRY, Point(39.7, -8.0), "PT", population=10_000_000),
    Place(
        LISBON, "Lisbon", Kind.CITY, Point(38.7, -9.1), "PT", population=500_000, parent=PORTUGAL
    ),
    Place(ALFAMA, "Alfama", Kind.NEIGHBOURHOOD, Point(38.71, -9.12), "PT", parent=LISBON),
    Place(PORTO, "Porto", Kind.CITY, Point(41.1, -8.6), "PT", population=200_000, parent=PORTUGAL),
]


def test_same_node_parent_child_and_nearest(tmp_path: Path) -> None:
    write(
        tmp_path,
        document("http://a.example/"),
        document("http://same.example/"),
        document("http://parent.example/", place=PORTUGAL),
        document("http://child.example/", place=ALFAMA),
        document("http://nearest.example/", place=PORTO),
        document("http://none.example/", places=()),
    )
    reader, gazetteer = IndexReader(tmp_path), FakeGazetteer(PLACES)
    neighbourhood = Neighbourhood(reader, gazetteer, PlaceTable.read(reader, gazetteer))

    found = neighbourhood.of_page(0)

    assert found is not None
    assert found.place.name == "Lisbon"
    assert (found.same, found.parent, found.children, found.nearest) == ((1,), (2,), (3,), (4,))
    assert neighbourhood.of_page(5) is None


def test_nearest_names_are_found(tmp_path: Path) -> None:
    write(tmp_path, document("http://a.example/"), document("http://b.example/", place=PORTO))
    names = PlaceTable.read(IndexReader(tmp_path), FakeGazetteer(PLACES)).names()

    assert names.nearest("lisbn", 0.75) == "lisbon"
    assert names.nearest("xyzzy", 0.75) == ""
