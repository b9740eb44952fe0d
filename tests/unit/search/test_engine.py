"""Answers as a whole: totals, limits, models, explanations, plain data.

Any words are a query: what must hold for the reader on input that nobody thought of.

Quality is tested too: interpretations and ranking on a small synthetic web must not sink.

`python -m benchmarks.search_quality` measures the same on a larger one.

The example queries of the papers, on a small web of places that share their names.
"""

import json
from contextlib import suppress
from dataclasses import replace
from statistics import fmean

import pytest
from benchmarks.search_quality import measure
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geoscout.search.base import Question
from geoscout.search.engine import SearchEngine
from geoscout.search.presenting import answer_as_json
from geoscout_lab.worlds.synthetic import WebPlan
from geoscout_places.errors import RegionError, UnknownPlaceError, UsageError
from geoscout_places.geo.address import known_formats
from geoscout_places.model import Point
from tests.unit.search.worlds import page


def test_explained_score_is_the_product_of_its_parts(engine):
    for hit in engine.answer(Question("pizza restaurant in Lisbon", explain=True)).hits:
        why = hit.explanation
        assert why is not None
        product = why.text ** (1 - why.place_weight) * why.place**why.place_weight
        assert hit.score == pytest.approx(product * why.fit)


def test_answer_that_nobody_waits_for_ends_before_its_next_step(engine):
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


def test_answer_is_plain_data(engine, gazetteer):
    answer = engine.answer(Question("pizza in Lisbon", explain=True))

    data = json.loads(json.dumps(answer_as_json(answer, gazetteer)))
    assert set(data) == {
        "reading", "total", "total_is_exact", "has_more", "hits", "facets", "offers", "languages"
    }  # fmt: skip
    assert data["hits"][0]["places"][0]["name"] == "Lisbon"
    assert data["reading"]["alternatives"][0]["place"]["country"] == "US"


def test_radius_leaves_out_what_is_further(engine):
    here = Point(38.72, -9.14)

    near = engine.answer(Question("pizza", near=here, radius_km=20))
    far = engine.answer(Question("pizza", near=here, radius_km=800))

    assert len(near.hits) == 2
    assert len(far.hits) == 3


def test_region_alone_is_a_question(engine):
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
def test_bad_questions_say_what_is_wrong(engine, question, error):
    with pytest.raises(error):
        engine.answer(question)


def test_region_of_a_search_is_never_a_file(engine, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("Portugal")

    with pytest.raises(UnknownPlaceError):
        engine.answer(Question("pizza", within=str(secret)))


def test_name_among_the_words_is_better_than_nothing(make_engine):
    engine = make_engine({"http://a.example/": page("Notes", "pizza is good for reading")})

    answer = engine.answer(Question("pizza in Reading", explain=True))

    assert len(answer.hits) == 1
    assert answer.hits[0].explanation
    assert "among its words" in answer.hits[0].explanation.reason


def test_page_near_a_region_is_not_said_to_have_its_name(engine):
    answer = engine.answer(Question("schools in the Balkans", explain=True))

    assert answer.hits[0].url == "http://acropolis.example/"
    assert answer.hits[0].explanation
    assert answer.hits[0].explanation.reason.endswith("km from Balkans")


def test_place_without_pages_is_read_and_said_to_have_none(engine):
    answer = engine.answer(Question("bicycle in Glenwood, United States"))

    assert answer.interpretation.place is not None
    assert answer.interpretation.place.country == "US"
    assert answer.hits == ()
    assert "and none has its name" in answer.interpretation.notes[-1]


def test_qualifier_that_no_page_has_does_not_hide_pages_with_the_name(make_engine):
    pages = {"http://list.example/": page("Cellars", "Cellars of glenwood and of other towns.")}

    answer = make_engine(pages).answer(Question("cellars in Glenwood, United States"))

    assert [hit.url for hit in answer.hits] == ["http://list.example/"]
    assert "these pages have its name" in answer.interpretation.notes[-1]


def test_pages_of_a_namesake_are_not_found_for_a_qualified_name(engine):
    answer = engine.answer(Question("pizza in Lisbon, Ohio"))

    assert not {hit.url for hit in answer.hits} & {"http://forno.example/"}


def test_near_duplicates_are_one_hit(make_engine):
    text = " ".join(f"word{n}" for n in range(200))
    pages = {f"http://{n}.example/": page("Pizza", text) for n in range(3)}

    answer = make_engine(pages).answer(Question("pizza"))

    assert [len(hit.similar) for hit in answer.hits] == [2]


def test_a_warm_engine_need_not_load_anything_more(engine):
    engine.warm()
    formats = known_formats.cache_info().misses
    table = engine.known.table

    engine.answer(Question("cafe near 5 Rua Augusta, Lisbon"))

    assert known_formats.cache_info().misses == formats == 1
    assert engine.known.table is table


def test_what_a_name_means_is_remembered_until_the_index_grows(make_engine):
    pizza = page("Pizza", "Pizza at 12 Main Street, Lisbon, NH 03585.")
    engine = make_engine({"http://one.example/": pizza})

    first, again = engine.read(Question("pizza in Lisbon")), engine.read(Question("bar in Lisbon"))
    here = engine.read(Question("bar in Lisbon", near=Point(44.2, -71.9)))
    memory = engine.known.memory

    assert first.label == again.label == "Lisbon, Portugal"
    assert here.label == "Lisbon, New Hampshire, United States"
    assert memory.choices["Lisbon", True, frozenset()][0].place == first.place
    engine.reader.state = replace(engine.reader.state, cursor="later")
    assert engine.known.memory is not memory


WORDS = st.sampled_from(
    'pizza |in |near |Lisbon|Austin, TX|Texas |10115 |Main St 5|"|(|)|-|+|:|*|~|^|AND |OR |NOT |'
    "38.71,-9.14|within 5 km of |5km|°|N|hotels|Lisbn|ß|İ|中|\u0301|\x00| |,|;|/|\\".split("|")
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(WORDS | st.text(max_size=4), max_size=30).map("".join))
def test_any_words_are_a_query(engine, text):
    with suppress(UsageError):  # nothing to search for
        assert len(engine.answer(Question(text=text.strip(), limit=3)).hits) <= 3


@pytest.mark.slow
def test_places_are_read_and_ranked_better_than_words_alone(tmp_path, gazetteer):
    outcomes = measure(WebPlan("web2025", 1, 2500), 13, tmp_path, gazetteer)

    ratio = fmean(o.ndcg for o in outcomes) / fmean(o.words_ndcg for o in outcomes)
    assert len(outcomes) > 100
    assert fmean(o.is_read for o in outcomes) >= 0.95
    assert ratio >= 1.4


_PIZZA, _PLUMBER = "A pizza restaurant in {}, open every day.", "Good plumbers in {} since 1980."
_SCHOOL, _HOTEL = "Public schools of the city of {}.", "A romantic hotel in {} for two."
# Name of the host, text with the place, address of the page.
WEB = [
    ("lisbon-pt", _PIZZA, "Lisbon, Portugal", "Rua Augusta 1, 1100-053 Lisboa, Portugal"),
    ("lisbon-nh", _PIZZA, "Lisbon, New Hampshire", "1 Main Street, Lisbon, NH 03585"),
    ("lisbon-oh", _PIZZA, "Lisbon, Ohio", "1 Market Street, Lisbon, OH 44432"),
    ("lisbon-me", _PIZZA, "Lisbon, Maine", "1 Main Street, Lisbon, ME 04250"),
    ("athens-gr", _SCHOOL, "Athens, Greece", "Ermou 1, 105 63 Athens, Greece"),
    ("athens-ga", _SCHOOL, "Athens, Georgia", "1 Broad Street, Athens, GA 30601"),
    ("athens-al", _SCHOOL, "Athens, Alabama", "1 Market Street, Athens, AL 35611"),
    ("vegas-nv", _HOTEL, "Las Vegas, Nevada", "1 Fremont Street, Las Vegas, NV 89101"),
    ("vegas-nm", _HOTEL, "Las Vegas, New Mexico", "1 Plaza Street, Las Vegas, NM 87701"),
    ("paris-fr", _HOTEL, "Paris, France", "1 rue de Rivoli, 75001 Paris, France"),
    ("milam-mobile", _PLUMBER, "Mobile, Alabama", "100 Milam Street, Mobile, AL 36602"),
    ("milam-houston", _PLUMBER, "Houston, Texas", "120 Milam Street, Houston, TX 77002"),
    ("main-houston", _PLUMBER, "Houston, Texas", "900 Main Street, Houston, TX 77002"),
    ("elm-dallas", _PLUMBER, "Dallas, Texas", "100 Elm Street, Dallas, TX 75202"),
]
IN_HOUSTON = ("http://100.example/", "Houston, Texas", "100 Milam Street, Houston, TX 77002")


def _web(*more: tuple[str, str, str]) -> dict[str, str]:
    pages = [(f"http://{name}.example/", text.format(of), at) for name, text, of, at in WEB]
    pages += [(url, _PLUMBER.format(of), at) for url, of, at in more]
    return {url: page(text, text, at) for url, text, at in pages}


@pytest.fixture(scope="module")
def web(make_engine):
    return make_engine(_web())


def hosts(engine: SearchEngine, text: str) -> list[str]:
    return [
        hit.url.split("/")[2].removesuffix(".example") for hit in engine.answer(Question(text)).hits
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pizza restaurant in Lisbon", ["lisbon-pt"]),
        ("pizza restaurant in Lisbon, Ohio", ["lisbon-oh"]),
        ("Athens city public schools", ["athens-gr"]),
        ("romantic hotels in Las Vegas, NV", ["vegas-nv"]),
    ],
)
def test_the_place_that_is_meant_comes_first(web, text, found):
    assert hosts(web, text)[:1] == found


@pytest.mark.parametrize(
    "text",
    [
        "good plumbers near 100 milam street, Houston, TX",
        "plumbers near 120 Milam Street, Houston, TX",
        "plumbers near Milam Street, Houston, TX",
    ],
)
def test_a_street_of_another_town_is_not_that_of_this_one(web, text):
    found = hosts(web, text)

    assert found[0] == "milam-houston"
    assert "milam-mobile" not in found


def test_the_house_itself_comes_before_its_street(make_engine):
    found = hosts(make_engine(_web(IN_HOUSTON)), "good plumbers near 100 milam street, Houston, TX")

    assert found[0] == "100"
    assert "milam-mobile" not in found
