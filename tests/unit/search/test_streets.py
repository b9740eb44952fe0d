"""Queries with a street are answered near it, or near its town, and say which."""

from pathlib import Path

import pytest

from geoscout.search import open_engine, update_index
from geoscout.search.base import Question
from geoscout.settings import Settings
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.home import compiled_file
from geoscout_places.model import Place, Point, Precision
from tests.geocoders import run_geocoder
from tests.unit.search.worlds import make_crawl, page

HOUSTON, DALLAS = 4699066, 4684888
MILAM = Point(29.7000, -95.5900)
NEAR, FAR = Point(29.7040, -95.5860), Point(29.9500, -95.6500)


def at(point: Point, html: str) -> str:
    """The page with coordinates in its markup."""
    meta = f'<meta name="geo.position" content="{point.latitude};{point.longitude}">'
    return html.replace("<head>", f"<head>{meta}")


PAGES = {
    "http://near.example/": at(
        NEAR, page("Near Pizza", "Pizza in Houston, Texas.", "900 Congress St, Houston, TX 77002")
    ),
    "http://far.example/": at(FAR, page("Far Pizza", "Pizza in Houston, Texas, since 1980.")),
    "http://dallas.example/": page("Dallas Pizza", "Pizza in Dallas, Texas, every day."),
}


class WithStreets(SqliteGazetteer):
    """The real gazetteer, and a street table with one street of Houston."""

    def street_point(self, street: str, house_number: str, city: Place) -> Point | None:
        return MILAM if self.is_street(street, city) else None

    def is_street(self, street: str, city: Place) -> bool | None:
        return "milam" in street.lower() if city.id == HOUSTON else None


@pytest.fixture(scope="module")
def crawl(tmp_path_factory, gazetteer, geoparser):
    folder: Path = tmp_path_factory.mktemp("houston")
    make_crawl(folder, PAGES.items(), geoparser)
    update_index(folder, gazetteer)
    return folder


@pytest.fixture(scope="module")
def without(crawl, gazetteer):
    return open_engine(crawl, gazetteer, Settings())


@pytest.fixture(scope="module")
def with_table(crawl, gazetteer, settings):
    return open_engine(crawl, WithStreets(compiled_file(settings)), Settings())


@pytest.mark.parametrize(
    ("text", "words", "street"),
    [
        ("near 100 Milam Street, Houston, TX", (), "100 Milam Street"),
        ("pizza near 100 Milam St, Houston", ("pizza",), "100 Milam St"),
        ("pizza near 100 Milam St Houston TX", ("pizza",), "100 Milam St"),
        ("pizza near Milam Street, Houston", ("pizza",), "Milam Street"),
        ("pizza in Milam Street Houston", ("pizza",), "Milam Street"),
        ("100 Milam Street, Houston", (), "100 Milam Street"),
        ("Milam Street, Houston", (), "Milam Street"),
        ("pizza 100 Milam Street, Houston, Texas", ("pizza",), "100 Milam Street"),
        ("pizza at 100 Milam Street, Houston, TX 77002", ("pizza",), "100 Milam Street"),
        ("100 Milam Street, Houston, Texas pizza", ("pizza",), "100 Milam Street"),
    ],
)
def test_street_house_and_town_are_read(without, text, words, street):
    read = without.read(Question(text))

    assert read.place is not None
    assert (read.words, read.relation, read.street) == (words, "near", street)
    assert (read.place.id, read.precision) == (HOUSTON, Precision.TOWN)


@pytest.mark.parametrize(
    "text",
    [
        "street food in Houston",
        "pizza in Houston",
        "3 day trip Houston",
        "2 bedroom flat in Houston",
    ],
)
def test_what_is_not_a_street_is_not_read_as_one(without, text):
    read = without.read(Question(text))

    assert read.place is not None
    assert (read.street, read.precision, read.place.id) == ("", None, HOUSTON)


@pytest.mark.parametrize(
    ("text", "street", "town"),
    [
        ("cafe in der Lindenstraße 5, Oldenburg", "Lindenstraße 5", "Oldenburg"),
        ("cafe nahe Lindenstr., Oldenburg", "Lindenstr.", "Oldenburg"),
        ("musée près de 12 rue de Rivoli, Paris", "12 rue de Rivoli", "Paris"),
        ("hotels near 5th Avenue, New York", "5th Avenue", "New York City"),
    ],
)
def test_streets_of_other_countries_are_read(without, text, street, town):
    read = without.read(Question(text))

    assert read.place is not None
    assert (read.street, read.place.name, len(read.words)) == (street, town, 1)


def test_without_table_and_geocoder_the_answer_says_that_it_is_for_the_town(without):
    answer = without.answer(Question("pizza near 100 Milam Street, Houston, TX"))

    (note,) = answer.interpretation.notes
    assert "without a street table or a geocoder" in note
    assert "searched near Houston itself" in note
    assert {hit.url for hit in answer.hits} == {"http://near.example/", "http://far.example/"}


def test_with_a_table_what_is_near_the_street_comes_first(with_table):
    answer = with_table.answer(Question("pizza near 100 Milam Street, Houston", explain=True))

    read = answer.interpretation
    assert (read.point, read.precision) == (MILAM, Precision.STREET)
    assert read.label == "100 Milam Street, Houston, Texas, United States"
    assert [hit.url for hit in answer.hits] == ["http://near.example/", "http://far.example/"]
    near, far = (hit.explanation for hit in answer.hits)
    assert near
    assert far
    assert near.reason == "0.6 km from 100 Milam Street, Houston, Texas, United States"
    assert far.reason.endswith("Houston, Texas, United States")
    assert near.place > 4 * far.place
    assert "others of Houston follow" in read.notes[1]


def test_a_street_the_table_does_not_have_is_said(with_table):
    read = with_table.read(Question("near 5 Nonexistent Avenue, Houston, TX"))

    assert read.precision is Precision.TOWN
    assert read.notes[0].startswith("the imported street tables have no Nonexistent Avenue")


def test_another_town_can_be_chosen(with_table):
    read = with_table.read(Question("pizza near 100 Milam Street, Houston", place_id=DALLAS))

    assert read.place is not None
    assert (read.place.id, read.precision, read.words) == (DALLAS, Precision.TOWN, ("pizza",))


@pytest.mark.parametrize("rank", [30, 26])
def test_a_geocoder_finds_the_house(crawl, gazetteer, tmp_path, rank):
    known = {"100 Milam Street, Houston, TX, US": (29.7020, -95.5890, rank)}
    with run_geocoder(known) as service:
        settings = Settings(home=str(tmp_path), geocoder=service.setting)
        engine = open_engine(crawl, gazetteer, settings)
        answer = engine.answer(Question("pizza near 100 Milam Street, Houston, TX"))

    read = answer.interpretation
    assert read.point == Point(29.7020, -95.5890)
    assert read.precision == (Precision.HOUSE if rank == 30 else Precision.STREET)
    assert answer.hits[0].url == "http://near.example/"


def test_a_geocoder_that_fails_leaves_the_town(crawl, gazetteer, tmp_path):
    with run_geocoder() as service:
        service.status = 503
        settings = Settings(home=str(tmp_path), geocoder=service.setting)
        engine = open_engine(crawl, gazetteer, settings)
        answer = engine.answer(Question("pizza near 100 Milam Street, Houston, TX"))

    assert answer.interpretation.precision is Precision.TOWN
    assert "neither the geocoder" in answer.interpretation.notes[0]
    assert len(answer.hits) == 2


def test_a_page_whose_house_is_far_away_is_not_near_by_its_town(crawl, gazetteer, tmp_path):
    downtown = (29.7633, -95.3633, 30)  # where Houston itself is in the gazetteer
    with run_geocoder({"100 Milam Street, Houston, TX, US": downtown}) as service:
        settings = Settings(home=str(tmp_path), geocoder=service.setting)
        engine = open_engine(crawl, gazetteer, settings)
        question = Question("pizza near 100 Milam Street, Houston, TX", explain=True)
        far = {hit.url: hit.explanation for hit in engine.answer(question).hits}

    assert (why := far["http://far.example/"]) is not None
    assert why.place <= 0.1
    assert why.reason.endswith(" Houston, Texas, United States")
