import pytest

from geoscout.batch.documents import ArchivedDocument
from geoscout.batch.rows import RowReader, batch_options
from geoscout_places.model import RelevanceRule
from tests.unit.batch.archives import DATE, HTML


@pytest.fixture(scope="module")
def reader(settings, gazetteer):
    return RowReader(options(settings, "Oldenburg"), settings)


def options(settings, *region: str):
    return batch_options(settings, format="jsonl", region=region, relevance=RelevanceRule.ABOUT)


def document(body: bytes, content_type: str, **fields: str) -> ArchivedDocument:
    date, language = fields.get("date", DATE), fields.get("language", "")
    return ArchivedDocument(
        "http://a.example/", date, content_type, language, offset=7, length=9, body=body
    )


def test_row_of_a_page_has_its_places_addresses_and_relevance(reader):
    _, row = reader.read(document(HTML, "text/html; charset=utf-8"))

    assert (row.url, row.date, row.language, row.title) == (
        "http://a.example/",
        DATE,
        "de",
        "Da Carla",
    )
    assert (row.place, row.country, row.kind) == ("Oldenburg", "DE", "city")
    assert row.path[0] == "Europe"
    assert row.path[-1] == "Oldenburg"
    assert (row.places[0].name, row.places[0].score) == ("Oldenburg", row.score)
    assert (row.precision, row.places[0].precision) == ("town", "town")
    assert {place.name: place.mentions for place in row.places}["Bremen"] == 1
    assert [(a.street, a.postcode, a.city) for a in row.addresses] == [
        ("Lange Straße", "26122", "Oldenburg")
    ]
    assert row.relevant
    assert row.relevance > 0.5
    assert (row.offset, row.length) == (7, 9)


def test_text_is_not_read_as_html(reader):
    plain = document(b"<title>x</title> A day in Paris.", "text/plain", language="fra")

    _, row = reader.read(plain)

    assert (row.language, row.title) == ("fra", None)
    assert [place.name for place in row.places] == ["Paris"]


def test_page_without_places_has_nulls(reader):
    _, row = reader.read(document(b"<p>nothing", "", date="yesterday"))

    assert (row.date, row.place, row.lat, row.places, row.relevant) == (None, None, None, (), False)


def test_relevance_is_null_without_a_region(settings, gazetteer):
    _, row = RowReader(options(settings), settings).read(document(HTML, "text/html"))

    assert (row.relevant, row.relevance) == (None, None)
