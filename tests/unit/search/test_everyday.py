"""Everyday queries: ordinary words stay words, "near me", postal codes, misspelt words, offers."""

from collections.abc import Iterator, Sequence

import pytest

from geoscout.search.base import WORDS_ONLY, Question
from geoscout.search.engine import SearchEngine
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.model import NameRole, Point, Precision
from geoscout_places.toponyms.words import BARE_EXCESS, EXPLICIT_EXCESS, word_excess
from tests.unit.search.worlds import MakeEngine, page

TOWN_PAGES = {
    f"http://regen{number}.example/": page(
        f"Rathaus Regen {number}", "Die Stadt Regen liegt in Bayern.", "Stadtplatz 2, 94209 Regen"
    )
    for number in range(4)
}
OTHER_PAGES = {
    "http://museum.example/": page(
        "Museum München", "Das Museum in München hat auch bei Regen offen.", "80331 München"
    ),
    "http://markt.example/": page(
        "Markt", "Der Markt in München, Viktualienmarkt 3, 80331 München"
    ),
    **{
        f"http://museum{number}.example/": page(
            "Museum", f"Ein Museum, {number} Räume, in München."
        )
        for number in range(4)
    },
}


@pytest.fixture(scope="module")
def munich(make_engine: MakeEngine) -> SearchEngine:
    return make_engine(OTHER_PAGES)


@pytest.mark.parametrize(
    "text",
    [
        "swimming pool",
        "christmas market",
        "Wetter",
        "hotel near airport",
        "Pizzeria nahe Hauptbahnhof",
        "museum bei regen",
        "Museum bei Regen",
        "feste im Sommer",
        "bars in der Altstadt",
        "baden im see",
        "kino",
        "marathon",
        "günstig essen",
        "museum in or",
        "fc bayern",
    ],
)
def test_ordinary_words_stay_words(munich: SearchEngine, text: str) -> None:
    assert munich.read(Question(text)).place is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("museum in Munich", "Munich"),
        ("museum münchen", "Munich"),
        ("hotels in nice", "Nice"),
        ("hotels in Essen", "Essen"),
        ("long beach hotels", "Long Beach"),
        ("museum in UK", "United Kingdom"),
        ("museum in uk", "United Kingdom"),
        ("dumpster rental austin", "Austin"),
        ("museum in Regen, Bayern", "Regen"),
    ],
)
def test_places_stay_places(munich: SearchEngine, text: str, name: str) -> None:
    place = munich.read(Question(text)).place

    assert place is not None
    assert place.name == name


def test_a_town_that_the_index_has_is_meant_though_it_is_a_word(
    make_engine: MakeEngine,
) -> None:
    place = make_engine(TOWN_PAGES).read(Question("rathaus in regen")).place

    assert place is not None
    assert place.name == "Regen"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("museum near me", ("museum",)),
        ("near me museum", ("museum",)),
        ("Café in der Nähe", ("cafe",)),
        ("museum nearby", ("museum",)),
        ("musée près de moi", ("musee",)),
        ("museo cerca de mí", ("museo",)),
        ("museo vicino a me", ("museo",)),
        ("museu perto de mim", ("museu",)),
        ("museum in de buurt", ("museum",)),
    ],
)
def test_near_me_is_where_the_user_is(
    munich: SearchEngine, text: str, words: tuple[str, ...]
) -> None:
    here = Point(48.137, 11.575)

    known, unknown = munich.read(Question(text, near=here)), munich.read(Question(text))

    assert (known.point, known.relation, known.place) == (here, "near", None)
    assert known.words[0][:4] == unknown.words[0][:4] == words[0][:4]
    assert not unknown.relation
    assert unknown.asks_here
    assert "where you are is not known" in unknown.notes[0]


def test_near_a_town_is_not_near_me(munich: SearchEngine) -> None:
    read = munich.read(Question("Museum in der Nähe von München"))

    assert read.place is not None
    assert not read.asks_here


@pytest.mark.parametrize(
    ("text", "words"),
    [("museum 80331", ("museum",)), ("museum in 80331 München", ("museum",)), ("80331", ())],
)
def test_postal_code_is_a_place(munich: SearchEngine, text: str, words: tuple[str, ...]) -> None:
    read = munich.read(Question(text))

    assert (read.words, read.relation, read.precision) == (words, "near", Precision.POSTCODE)
    assert read.label.startswith("80331 Munich")
    assert munich.answer(Question(text)).total > 0


@pytest.mark.parametrize("text", ["bus 58", "oktoberfest 2026", "tram 19", "kontakt 99999"])
def test_other_numbers_are_words(munich: SearchEngine, text: str) -> None:
    assert munich.read(Question(text)).relation == ""


def test_misspelt_word_is_corrected_and_said(munich: SearchEngine) -> None:
    answer = munich.answer(Question("muesum in Minchen"))

    assert answer.interpretation.words == ("museum",)
    assert answer.interpretation.place is not None
    assert answer.interpretation.place.name == "Munich"
    assert "no page has 'muesum'; searched for 'museum'" in answer.interpretation.notes
    assert answer.total


def test_a_word_that_no_page_has_is_left_out_and_said(munich: SearchEngine) -> None:
    answer = munich.answer(Question("museum spaceship"))

    assert answer.interpretation.words == ("museum",)
    assert answer.interpretation.missing == ("spaceship",)
    assert "no page has 'spaceship'; searched for the rest" in answer.interpretation.notes
    assert [hit for hit in answer.hits if hit.url == "http://markt.example/"] == []


def test_a_verb_is_no_misspelt_village(munich: SearchEngine) -> None:
    assert munich.read(Question("museum besteigen")).place is None


def test_pages_need_not_have_the_word_for_what_is_asked_of_a_thing(
    make_engine: MakeEngine,
) -> None:
    engine = make_engine(
        {
            "http://stadt.example/": page("Stadt", "Telephone and opening hours of the museum."),
            "http://museum.example/": page("Museum", "Das Museum hat von 9 bis 17 Uhr offen."),
        }
    )

    urls = [hit.url for hit in engine.answer(Question("museum opening hours")).hits]

    assert sorted(urls) == ["http://museum.example/", "http://stadt.example/"]


def test_a_word_that_few_pages_have_is_no_correction(munich: SearchEngine) -> None:
    assert munich.read(Question("markts")).words == ("markts",)
    assert munich.read(Question("musea")).words == ("musea",)


def test_a_dead_end_offers_what_has_hits(munich: SearchEngine) -> None:
    answer = munich.answer(Question("museum in Hamburg"))

    assert not answer.hits
    offered = {(offer.text, offer.place_id): offer.pages for offer in answer.offers}
    assert offered == {("museum", WORDS_ONLY): 5}
    again = munich.answer(Question("museum", place_id=WORDS_ONLY))
    assert (again.total, again.offers) == (5, ())


def test_how_far_names_are_words(gazetteer: SqliteGazetteer) -> None:
    def excess(name: str) -> float:
        best = gazetteer.search(name)[0]
        return word_excess(name, best.place, NameRole(best.role))

    assert all(excess(name) >= EXPLICIT_EXCESS for name in ("pool", "christmas", "regen", "see"))
    assert BARE_EXCESS <= excess("essen") < EXPLICIT_EXCESS
    assert all(excess(name) < BARE_EXCESS for name in ("lisbon", "münchen", "paris", "washington"))


def test_a_capital_marks_a_name_where_no_page_is_german(engine: SearchEngine) -> None:
    read = engine.read(Question("pizza in Normal"))

    assert read.place is not None
    assert (read.place.name, read.words) == ("Normal", ("pizza",))
    assert engine.read(Question("pizza in normal")).place is None


def test_two_ordinary_words_are_a_city_together(engine: SearchEngine) -> None:
    read = engine.read(Question("union city pizza"))

    assert read.place is not None
    assert read.place.name == "Union City"


LAWYERS = {
    f"http://anwalt{n}.example/": page(
        "Kanzlei", f"{who} Nummer {n} ist nicht in der Stadt, und die Tür ist zu."
    ).replace("<html>", '<html lang="de">')
    for n, who in enumerate(["Der Rechtsanwalt"] * 3 + ["Das Haus"] * 9)
}


def names_of(words: Sequence[str]) -> Iterator[tuple[range, Sequence[str]]]:
    for at, word in enumerate(words):
        if word in ("lawyer", "rechtsanwalt"):
            yield range(at, at + 1), ["lawyer", "rechtsanwalt", "avocat"]


@pytest.fixture(scope="module")
def lawyers(make_engine: MakeEngine, gazetteer: SqliteGazetteer) -> SearchEngine:
    return SearchEngine(make_engine(LAWYERS).reader, gazetteer, names_of=names_of)


def test_a_sort_of_thing_is_met_by_what_pages_call_it(lawyers: SearchEngine) -> None:
    found, usual = (lawyers.answer(Question(text)) for text in ("lawyer", "Rechtsanwalt"))

    assert found.total == usual.total == 3
    assert found.interpretation.notes == (
        "few pages have these words; searched for 'rechtsanwalt' too",
    )
    assert usual.interpretation.notes == ()


def test_a_word_that_no_page_has_is_met_by_its_stem(make_engine: MakeEngine) -> None:
    html = page("Ski", "The slopes are open for skis and for the rest.")
    skis = make_engine({"http://ski.example/": html.replace("<html>", '<html lang="en">')})

    read = skis.read(Question("skiing"))

    assert (read.words, read.notes) == (("ski",), ("no page has 'skiing'; searched for 'ski'",))


def test_a_small_word_counts_in_a_title(make_engine: MakeEngine) -> None:
    wineries = make_engine(
        {
            f"http://{name.replace(' ', '')}.example/": page(name, "Home, blog and more of us.")
            for name in ("Sutter Winery", "Sutter Home Winery", "Sutter Creek Winery")
        }
    )

    assert wineries.answer(Question("sutter home winery")).hits[0].title == "Sutter Home Winery"


def test_a_word_behind_a_postal_code_is_no_part_of_it(munich: SearchEngine) -> None:
    read = munich.read(Question("80331 Museum"))

    assert (read.words, read.name) == (("museum",), "80331")
