"""Which place a name means, by what an index holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.search import Question, open_engine
from geoscout.search.engine import SearchEngine
from geoscout.search.updating import follow_crawl
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo import Geoparser
from tests.unit.search.worlds import make_crawl, page

ILLINOIS, MASSACHUSETTS = 4250542, 4951788

PAGES = {
    **{
        f"http://kirche{n}.example/": page("Orgel", "Alte Kirchen und ihre Orgeln.")
        for n in range(8)
    },
    "http://kirchen.example/": page("Rathaus", "Lindenstraße 1, 57548 Kirchen, Deutschland"),
    "http://il.example/": page("Museum", "A museum.", "12 Main Street, Springfield, IL 62701"),
    "http://ma.example/": page("Bakery", "A bakery.", "12 Main Street, Springfield, MA 01103"),
}


@pytest.fixture(scope="module")
def engine(
    tmp_path_factory: pytest.TempPathFactory, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> SearchEngine:
    folder: Path = tmp_path_factory.mktemp("places")
    make_crawl(folder, PAGES.items(), geoparser)
    follow_crawl(folder, gazetteer)
    return open_engine(folder, gazetteer)


def test_noun_that_is_also_a_village_is_a_word(engine: SearchEngine) -> None:
    interpretation = engine.read(Question("orgeln kirchen"))

    assert (interpretation.place, interpretation.words) == (None, ("orgeln", "kirchen"))


def test_village_is_meant_after_a_preposition(engine: SearchEngine) -> None:
    interpretation = engine.read(Question("rathaus in Kirchen"))

    assert interpretation.place is not None
    assert interpretation.place.name == "Kirchen"


@pytest.mark.parametrize(("word", "place"), [("museum", ILLINOIS), ("bakery", MASSACHUSETTS)])
def test_words_decide_between_namesakes_that_are_close(
    engine: SearchEngine, word: str, place: int
) -> None:
    interpretation = engine.read(Question(f"{word} in Springfield"))

    assert interpretation.place is not None
    assert interpretation.place.id == place


def test_place_of_the_name_comes_before_one_that_is_also_called_so(engine: SearchEngine) -> None:
    interpretation = engine.read(Question("museum in Frisco"))

    assert interpretation.place is not None
    assert interpretation.place.name == "Frisco"  # not San Francisco


def test_rare_name_that_is_known_is_not_taken_for_another_misspelt(engine: SearchEngine) -> None:
    assert engine.read(Question("museum in Springfeld")).corrected == "springfield"
    assert engine.read(Question("museum in Springdale")).corrected == ""


def test_pages_with_an_address_in_a_place_are_counted(engine: SearchEngine) -> None:
    counts = [engine.reader.pages_addressed_at(id) for id in (ILLINOIS, MASSACHUSETTS, 1)]

    assert counts == [1, 1, 0]
