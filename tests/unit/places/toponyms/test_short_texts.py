import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.gazetteer import Region
from geoscout_places.gazetteer.automaton import capitalised
from geoscout_places.toponyms.short_texts import Toponym, ToponymReader, _capitals
from tests.fakes import FakeGazetteer
from tests.unit.strategy.american_places import (
    CAMBRIDGE_GB,
    CAMBRIDGE_MA,
    GAZETTEER,
    make_place,
)


@pytest.fixture
def reader():
    return ToponymReader(GAZETTEER)


def names(toponyms: tuple[Toponym, ...]) -> list[str]:
    return [toponym.name for toponym in toponyms]


def test_names_are_found_in_the_order_of_the_text(reader):
    found = reader.in_texts(["Hotels in New York and Boston", "Nothing", "Mesa"])

    assert [names(toponyms) for toponyms in found] == [["New York", "Boston"], [], ["Mesa"]]


def test_no_texts_have_no_names(reader):
    assert reader.in_texts([]) == []


def test_most_populous_sense_comes_first(reader):
    ((cambridge,),) = reader.in_texts(["Cambridge"])

    assert cambridge.senses == (CAMBRIDGE_GB, CAMBRIDGE_MA)


def test_name_in_lower_case_is_found_only_where_it_is_asked_for(reader):
    texts = ["hotels in new york", "hotels in new york"]

    found = reader.in_texts(texts, raised=1)

    assert [names(toponyms) for toponyms in found] == [["New York"], []]


def test_name_inside_a_word_is_none(reader):
    assert reader.in_texts(["message Bostonian mesas"], raised=1) == [()]


def test_only_whole_words_are_looked_up(monkeypatch):
    asked: list[str] = []
    candidates = GAZETTEER.candidates
    monkeypatch.setattr(
        GAZETTEER, "candidates", lambda name: asked.append(name) or candidates(name)
    )
    reader = ToponymReader(GAZETTEER)

    reader.in_texts(["Bostonian Mesa"])

    assert asked == ["Mesa"]


def test_text_with_line_breaks_does_not_move_the_others(reader):
    found = reader.in_texts(["a\nb\n\nBoston", "Mesa"], raised=1)

    assert [names(toponyms) for toponyms in found] == [["Boston"], ["Mesa"]]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.boston-hotels.example", ["Boston"]),
        ("sanfrancisco.example", ["San Francisco"]),
        ("www.saltlakecity.example", ["Salt Lake City"]),
        ("new-york.example", ["New York"]),
        ("newyork.example", ["New York"]),
        ("message.example", []),
        ("www.bostonchronicle.example", ["Boston"]),
        ("cheapnewyorkhotels.example", ["New York"]),
        ("thenewyorker.example", []),
        ("visitsanfrancisco.example", ["San Francisco"]),
        ("bostonian.example", []),
        ("findmesahotels.example", []),  # four letters are part of too many words
        ("192.0.2.7", []),
        ("example.boston", []),
    ],
)
def test_places_of_a_host(reader, host, expected):
    assert names(reader.in_hosts([f"http://{host}/"])[0]) == expected


def is_read(reader: ToponymReader, name: str) -> bool:
    return names(reader.in_texts([name])[0]) == [name]


def test_ordinary_word_is_no_place(reader):
    assert not is_read(reader, "Reading")


def test_ordinary_word_is_a_place_where_the_region_has_it():
    reader = ToponymReader(GAZETTEER, Region.parse("40.34,-75.93,20", GAZETTEER))

    assert is_read(reader, "Reading")


def test_small_place_counts_in_the_region_only():
    region = Region.parse("Massachusetts", GAZETTEER)

    assert not is_read(ToponymReader(GAZETTEER), "Stowford")
    assert is_read(ToponymReader(GAZETTEER, region), "Stowford")


@pytest.mark.parametrize(
    ("name", "population", "is_believed"),
    [
        ("Longname", 5_000, True),
        ("Longname", 4_999, False),
        ("Otherton", 50_000, True),
        ("Otherton", 49_999, False),
        ("Nomi", 100_000, True),
        ("Nomi", 99_999, False),
        ("Florence", 500_000, True),
        ("Florence", 499_999, False),
    ],
)
def test_name_is_believed_by_the_size_of_its_place(name, population, is_believed):
    main_name = "Longname" if name == "Otherton" else name
    place = make_place(1, main_name, (40, -75), population=population)
    reader = ToponymReader(FakeGazetteer([place], aliases={1: ["Otherton"]}))

    assert is_read(reader, name) is is_believed


@given(st.text(st.sampled_from("abzAZ09é'_.-"), max_size=7) | st.sampled_from(["upon", "the"]))
def test_word_is_raised_as_the_gazetteer_raises_it(word):
    assert _capitals()[word] == capitalised(word)
