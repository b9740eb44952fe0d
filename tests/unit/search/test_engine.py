"""Answers as a whole: totals, limits, models, explanations, plain data."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from geoscout.search import open_engine
from geoscout.search.base import Question
from geoscout.search.engine import SearchEngine
from geoscout.search.presenting import answer_as_json
from geoscout.search.updating import follow_crawl
from geoscout_places.errors import RegionError, UnknownPlaceError, UsageError
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.geo.address import known_formats
from geoscout_places.model import Point
from tests.unit.search.worlds import make_crawl, page


def test_explained_score_is_the_product_of_its_parts(engine: SearchEngine) -> None:
    for hit in engine.answer(Question("pizza restaurant in Lisbon", explain=True)).hits:
        why = hit.explanation
        assert why is not None
        product = why.text ** (1 - why.place_weight) * why.place**why.place_weight
        assert hit.score == pytest.approx(product * why.fit)


def test_nothing_is_explained_unasked(engine: SearchEngine) -> None:
    assert all(hit.explanation is None for hit in engine.answer(Question("pizza")).hits)


def test_answer_that_nobody_waits_for_ends_before_its_next_step(engine: SearchEngine) -> None:
    """Whichever step that is; a question without hits also tries others like it."""

    def steps_until(last: int, text: str) -> int:
        steps = 0

        def check() -> None:
            nonlocal steps
            steps += 1
            if steps == last:
                raise TimeoutError

        with suppress(TimeoutError):
            engine.answer(Question(text), check)
        return steps

    for text in ("pizza in Lisbon", "zeppelin repairs in Lisbon"):
        all_steps = steps_until(0, text)
        assert all_steps >= 5
        assert [steps_until(n, text) for n in range(1, all_steps)] == list(range(1, all_steps))


def test_answer_is_plain_data(engine: SearchEngine, gazetteer: SqliteGazetteer) -> None:
    answer = engine.answer(Question("pizza in Lisbon", explain=True))

    data = json.loads(json.dumps(answer_as_json(answer, gazetteer)))
    assert set(data) == {
        "reading", "total", "total_is_exact", "has_more", "hits", "facets", "offers", "languages"
    }  # fmt: skip
    assert data["hits"][0]["places"][0]["name"] == "Lisbon"
    assert data["reading"]["alternatives"][0]["place"]["country"] == "US"


def test_radius_leaves_out_what_is_further(engine: SearchEngine) -> None:
    here = Point(38.72, -9.14)

    near = engine.answer(Question("pizza", near=here, radius_km=20))
    far = engine.answer(Question("pizza", near=here, radius_km=800))

    assert len(near.hits) == 2
    assert len(far.hits) == 3


def test_region_alone_is_a_question(engine: SearchEngine) -> None:
    answer = engine.answer(Question("", within="Greece"))

    assert [hit.url for hit in answer.hits] == ["http://acropolis.example/"]


@pytest.mark.parametrize(
    ("question", "error"),
    [
        (Question(""), UsageError),
        (Question("pizza", model="magic"), UsageError),
        (Question("pizza", within="Nowherebury"), UnknownPlaceError),
        (Question("pizza", within="1,2"), RegionError),
        (Question("pizza", within="{"), RegionError),
    ],
)
def test_bad_questions_say_what_is_wrong(
    engine: SearchEngine, question: Question, error: type[Exception]
) -> None:
    with pytest.raises(error):
        engine.answer(question)


def test_region_of_a_search_is_never_a_file(engine: SearchEngine, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("Portugal")

    with pytest.raises(UnknownPlaceError):
        engine.answer(Question("pizza", within=str(secret)))


def test_name_among_the_words_is_better_than_nothing(
    tmp_path: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> None:
    html = page("Notes", "pizza is good for reading")
    make_crawl(tmp_path, [("http://a.example/", html)], geoparser)
    follow_crawl(tmp_path, gazetteer)

    answer = open_engine(tmp_path, gazetteer).answer(Question("pizza in Reading", explain=True))

    assert len(answer.hits) == 1
    assert answer.hits[0].explanation
    assert "among its words" in answer.hits[0].explanation.reason


def test_place_without_pages_is_read_and_said_to_have_none(engine: SearchEngine) -> None:
    answer = engine.answer(Question("bicycle in Glenwood, United States"))

    assert answer.interpretation.place is not None
    assert answer.interpretation.place.country == "US"
    assert answer.hits == ()
    assert "and none has its name" in answer.interpretation.notes[-1]


def test_qualifier_that_no_page_has_does_not_hide_pages_with_the_name(
    tmp_path: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> None:
    pages = {"http://list.example/": page("Cellars", "Cellars of glenwood and of other towns.")}
    make_crawl(tmp_path, pages.items(), geoparser)
    follow_crawl(tmp_path, gazetteer)

    answer = open_engine(tmp_path, gazetteer).answer(Question("cellars in Glenwood, United States"))

    assert [hit.url for hit in answer.hits] == ["http://list.example/"]
    assert "these pages have its name" in answer.interpretation.notes[-1]


def test_pages_of_a_namesake_are_not_found_for_a_qualified_name(engine: SearchEngine) -> None:
    answer = engine.answer(Question("pizza in Lisbon, Ohio"))

    assert not {hit.url for hit in answer.hits} & {"http://forno.example/"}


def test_near_duplicates_are_one_hit(
    tmp_path: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> None:
    text = " ".join(f"word{n}" for n in range(200))
    pages = [(f"http://{n}.example/", page("Pizza", text)) for n in range(3)]
    make_crawl(tmp_path, pages, geoparser)
    follow_crawl(tmp_path, gazetteer)

    answer = open_engine(tmp_path, gazetteer).answer(Question("pizza"))

    assert [len(hit.similar) for hit in answer.hits] == [2]


def test_a_warm_engine_need_not_load_anything_more(engine: SearchEngine) -> None:
    engine.warm()
    formats = known_formats.cache_info().misses
    table = engine._place_table()

    engine.answer(Question("cafe near 5 Rua Augusta, Lisbon"))

    assert known_formats.cache_info().misses == formats == 1
    assert engine._place_table() is table


def test_what_a_name_means_is_remembered_until_the_index_grows(
    tmp_path: Path, gazetteer: SqliteGazetteer, geoparser: Geoparser
) -> None:
    pizza = page("Pizza", "Pizza at 12 Main Street, Lisbon, NH 03585.")
    make_crawl(tmp_path, [("http://one.example/", pizza)], geoparser)
    follow_crawl(tmp_path, gazetteer)
    engine = open_engine(tmp_path, gazetteer)

    first, again = engine.read(Question("pizza in Lisbon")), engine.read(Question("bar in Lisbon"))
    here = engine.read(Question("bar in Lisbon", near=Point(44.2, -71.9)))
    memory = engine._names_known()

    assert first.label == again.label == "Lisbon, Portugal"
    assert here.label == "Lisbon, New Hampshire, United States"
    assert memory.choices["Lisbon", True][0].place == first.place
    engine.reader.state = replace(engine.reader.state, cursor="later")
    assert engine._names_known() is not memory
