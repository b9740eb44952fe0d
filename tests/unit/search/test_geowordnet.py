"""Parts and kinds of places find pages, by GeoWordNet, where the gazetteer does not know them."""

import numpy as np
import pytest

from geoscout.index.base import DIRECT, PART, PlaceField, Wanted, Where
from geoscout.search.base import Question
from geoscout.search.engine import SearchEngine
from geoscout.search.query_words import KIND_NAMES, kinds_by_name
from geoscout_places.gazetteer.wordnet import load_geowordnet
from tests.unit.search.worlds import page

BOSTON, LISBON, NEW_ENGLAND = 4930956, 2267057, 11919979
ISLAND = 9316454  # the class of WordNet
PAGES = {
    "http://boston.example/": page(
        "Inn of Boston", "A hotel in Boston, Massachusetts.", "12 Main St, Boston, MA 02108"
    ),
    "http://maine.example/": page("Maine Lodge", "This hotel is in Portland, Maine, at the sea."),
    "http://texas.example/": page("Texas Hotel", "A hotel in Austin, Texas, and only there."),
    "http://oslo.example/": page("Oslo Hotel", "A hotel in Oslo, Norway. Oslo is in Norway."),
    "http://lisbon.example/": page("Hotel Lisboa", "A hotel in Lisbon, Portugal, with a view."),
    "http://sicily.example/": page("Sicilia", "The museum of Sicily. Sicily is in Italy."),
    "http://milan.example/": page("Milano", "The museum of Milan. Milan is a city of Italy."),
    "http://nairobi.example/": page("Nairobi", "Hotels of Nairobi, Kenya, by the park."),
    "http://mombasa.example/": page("Mombasa", "Hotels of Mombasa, Kenya, by the beach."),
    "http://lake.example/": page("Fishing", "Boats for rent on Lake Tana in Ethiopia, Africa."),
}


@pytest.fixture(scope="module")
def engine(make_engine):
    return make_engine(PAGES)


def urls(engine: SearchEngine, text: str) -> set[str]:
    hits = engine.answer(Question(text)).hits
    return {hit.url.removeprefix("http://").removesuffix(".example/") for hit in hits}


def test_places_of_the_index_carry_their_synsets(engine):
    slot = engine.reader.slot_of("http://boston.example/")
    rows = engine.reader.places_of(np.array([slot]))
    synsets = dict(zip(rows.places.tolist(), rows.synsets.tolist(), strict=True))
    flags = dict(zip(rows.places.tolist(), rows.flags.tolist(), strict=True))

    known = load_geowordnet().of_place(BOSTON)
    assert synsets[BOSTON] == known[0].offset
    assert flags[BOSTON] & DIRECT
    assert load_geowordnet().synsets[synsets[NEW_ENGLAND]].words[0] == "New England"
    assert flags[NEW_ENGLAND] & PART
    assert not flags[NEW_ENGLAND] & DIRECT


def test_pages_are_indexed_by_the_kinds_of_the_places_they_are_about(engine):
    about = Wanted(where=(Where((ISLAND,), field=PlaceField.KIND),))

    assert engine.reader.count(about) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hotel in New England", {"boston", "maine"}),
        ("hotels New England", {"boston", "maine"}),
        ("hotel in Scandinavia", {"oslo"}),
        ("hotel in the Iberian Peninsula", {"lisbon"}),
        ("hotel in Texas", {"texas"}),
        ("hotel in Portugal", {"lisbon"}),
    ],
)
def test_a_region_finds_pages_about_its_parts(engine, text, found):
    assert urls(engine, text) == found


def test_why_a_part_was_found_is_explained(engine):
    hits = engine.answer(Question("hotel in New England", explain=True)).hits
    reasons = {hit.url: hit.explanation.reason for hit in hits if hit.explanation}

    assert reasons["http://boston.example/"] == (
        "has an address in Boston, part of New England, United States (GeoWordNet)"
    )


def test_a_kind_of_place_finds_pages_about_such_places(engine):
    answer = engine.answer(Question("capitals in Africa", explain=True))

    assert [hit.url for hit in answer.hits] == ["http://nairobi.example/"]
    assert answer.interpretation.kind == "capital"
    assert "kind 'capital' count too" in answer.interpretation.notes[0]
    assert answer.hits[0].explanation
    assert answer.hits[0].explanation.kind == "Nairobi, capital"


def test_a_kind_next_to_other_words_puts_such_places_first(engine):
    first, second = engine.answer(Question("island museum")).hits

    assert (first.url, second.url) == ("http://sicily.example/", "http://milan.example/")
    assert first.score > 1.2 * second.score


def test_what_the_gazetteer_lacks_is_found_by_its_name(engine):
    assert urls(engine, "lakes in Africa") == {"lake"}


def test_ordinary_words_are_not_kinds(engine):
    read = engine.answer(Question("hotel in Kenya")).interpretation

    assert (read.kind, read.notes) == ("", ())


def test_the_names_of_kinds_are_those_of_geowordnet():
    assert kinds_by_name().keys() == KIND_NAMES
