"""Documents and a small hierarchy for the tests of the index."""

from pathlib import Path

from geoscout.index import Document, PlaceEvidence, Spot
from geoscout.index.places import PlaceSynset
from geoscout.index.writer import IndexWriter
from geoscout_places.model import Point

EUROPE, PORTUGAL, LISBON, ALFAMA, PORTO = 1, 2, 3, 4, 5
ABOVE = {
    PORTUGAL: [EUROPE],
    LISBON: [PORTUGAL, EUROPE],
    ALFAMA: [LISBON, PORTUGAL, EUROPE],
    PORTO: [PORTUGAL, EUROPE],
}
LISBON_POINT, PORTO_POINT = Point(38.7167, -9.1333), Point(41.1496, -8.611)


IBERIA = -77  # what GeoWordNet says Portugal is part of
CAPITAL, SEAT = 900, 901  # kinds of place


def above(id: int) -> list[int]:
    return ABOVE.get(id, [])


def synset_of(id: int) -> PlaceSynset:
    """A small GeoWordNet: Lisbon is a capital, Portugal part of Iberia."""
    known = {
        LISBON: PlaceSynset(11, (IBERIA,), (CAPITAL, SEAT)),
        PORTUGAL: PlaceSynset(12, (IBERIA,)),
        IBERIA: PlaceSynset(13),
    }
    return known.get(id, PlaceSynset())


def document(url: str, text: str = "pizza", place: int = LISBON, **more: object) -> Document:
    """A page about one place."""
    evidence = PlaceEvidence(place, 0.8, 2, is_main=True)
    point = PORTO_POINT if place == PORTO else LISBON_POINT
    values = {"title": "A title", "places": (evidence,), "spots": (Spot(point, 1.0),), **more}
    return Document(url, text=text, visit=1, fetched_at=1e9, **values)


def open_writer(folder: Path, made_with: str = "") -> IndexWriter:
    writer = IndexWriter.open(folder, above, made_with, synset_of=synset_of)
    assert writer is not None
    return writer


def write(folder: Path, *documents: Document, cursor: str = "1") -> None:
    """Add documents and commit."""
    writer = open_writer(folder)
    for each in documents:
        writer.add(each)
    writer.commit(cursor)
    writer.close()
