"""Entries of the directory that answer a query."""

from datetime import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout.index.base import PageFilters
from geoscout.search.base import Interpretation, Question, Relation
from geoscout_directory.entry_search import find_entries, read_entry_filters, told_facts, wanted_of
from geoscout_directory.records import PageEntry
from geoscout_places.model import Kind, Place, Point, Precision
from tests.unit.directory.worlds import HAIR, Listed


def said(name: str, number: int, town: int, *categories: str) -> PageEntry:
    assert HAIR.address is not None
    point = Point(48.1 + number / 100, 11.25)
    where = replace(HAIR.address, house_number=str(number), point=point, precision=Precision.STREET)
    return replace(
        HAIR, name=name, url=f"http://guide.example/{number}", phones=(f"+49814152{number}",),
        address=where, place_id=town, categories=categories,
    )  # fmt: skip


@pytest.fixture(scope="module")
def town(gazetteer):
    return gazetteer.find("Fürstenfeldbruck")[0].place.id


@pytest.fixture(scope="module")
def listing(tmp_path_factory, gazetteer, town):
    folder: Path = tmp_path_factory.mktemp("listing")
    hamburg = gazetteer.find("Hamburg")[0].place.id
    opened = Listed(folder, gazetteer).fill(
        [
            said("Pizzeria Roma", 1, town, "amenity=restaurant"),
            said("Call a Pizza", 2, town, "amenity=fast_food"),
            said("Burger Haus", 3, town, "amenity=fast_food"),
            said("Bäckerei Huber", 4, town, "shop=bakery"),
            said("Barbara Moden", 5, town, "shop=clothes"),
            replace(said("Pizza Hafen", 6, hamburg, "amenity=fast_food"), price="€€"),
        ]
    )
    yield opened
    opened.close()


@pytest.fixture
def sushi(tmp_path, gazetteer, town):
    opened = Listed(tmp_path, gazetteer).fill(
        [
            replace(said("Sushi Isar", 7, town), hours="Mo-Sa 11:00-22:00; Su off"),
            replace(said("Sushi Amper", 8, town), hours="Su 12:00-20:00"),
            said("Sushi Lech", 9, town),
        ]
    )
    yield opened
    opened.close()


@pytest.fixture
def ask(listing, gazetteer, town):  # type: ignore[no-untyped-def]
    """A function that gives the names for some words in a place."""

    def names(*words: str, place: str = "", **more: object) -> list[str]:
        within = gazetteer.find(place)[0].place if place else None
        relation = Relation.IN if within else Relation.ANYWHERE
        read = Interpretation(words, relation, within, point=within.point if within else None)
        found, total, *_ = find_entries(listing, Question("", **more), read, gazetteer)  # type: ignore[arg-type]
        assert total == len(found)
        return sorted(listed.entry.name for listed in found)

    return names


@pytest.mark.parametrize(
    ("words", "place", "found"),
    [
        (("pizza",), "Fürstenfeldbruck", ["Call a Pizza", "Pizzeria Roma"]),
        (("pizza",), "Bavaria", ["Call a Pizza", "Pizzeria Roma"]),
        (("pizza",), "Hamburg", ["Pizza Hafen"]),
        (("restaurants",), "Bavaria", ["Pizzeria Roma"]),
        (("backerei",), "Bavaria", ["Bäckerei Huber"]),
        (("bakeries",), "Bavaria", ["Bäckerei Huber"]),
        (("huber",), "", ["Bäckerei Huber"]),
        (("boulangerie",), "Bavaria", ["Bäckerei Huber"]),  # in other languages, and in two words
        (("clothing", "store"), "Bavaria", ["Barbara Moden"]),
        (("feinbackerei",), "Bavaria", ["Bäckerei Huber"]),
        (("vegane", "backerei"), "Bavaria", ["Bäckerei Huber"]),  # no name, so it describes them
        (("hamburg", "backerei"), "Bavaria", []),
        (("hub",), "", []),  # whole words
        (("huber", "barbara"), "", []),
        (("bar",), "Bavaria", []),  # not Barbara
        (("zeppelin",), "Bavaria", []),
        ((), "Bavaria", []),
    ],
)
def test_words_name_things_and_sorts_of_things(
    ask,
    words,
    place,
    found,  # type: ignore[no-untyped-def]
):
    assert ask(*words, place=place) == found


def test_our_own_words_for_categories_come_before_those_of_presets():
    wanted = wanted_of(Interpretation(("restaurants", "zahnarzt")))

    assert wanted is not None
    assert [sort.tags for sort in wanted.sorts] == [("amenity=restaurant",), ("amenity=dentist",)]


def test_what_is_narrower_than_a_category_must_be_in_the_name():
    church, synagogue = (wanted_of(Interpretation((word,))) for word in ("church", "synagogue"))

    assert church is not None
    assert synagogue is not None
    assert [sort.tags for sort in church.sorts] == [("amenity=place_of_worship",)]
    assert (synagogue.names, synagogue.sorts) == ((("synagog*",),), ())


def test_the_rest_of_a_name_is_somebody_else():
    assert wanted_of(Interpretation(("robert",), missing=("mondavi",))) is None


def test_sort_that_is_named_too_comes_first(listing, gazetteer):
    asked = Interpretation(("restaurant", "pizza"))

    entries, *_ = find_entries(listing, Question(""), asked, gazetteer)

    assert entries[0].entry.name == "Pizzeria Roma"


def test_area_limits_entries_and_filters_of_pages_have_none(ask):  # type: ignore[no-untyped-def]
    assert ask("pizza", within="Hamburg") == ["Pizza Hafen"]
    assert ask("pizza", offset=10) == []
    assert ask("pizza", filters=PageFilters(language="de")) == []


def test_nearest_to_a_street_comes_first(listing, gazetteer):
    street = Interpretation(
        ("pizza",), Relation.NEAR, point=Point(48.12, 11.251), precision=Precision.STREET
    )

    entries, *_ = find_entries(listing, Question(""), street, gazetteer)

    assert [listed.entry.name for listed in entries] == ["Call a Pizza", "Pizzeria Roma"]


def test_words_cannot_break_the_query(listing, gazetteer):
    read = Interpretation(('"', "*", "name:", "a OR b", "AND"))

    assert find_entries(listing, Question(""), read, gazetteer)[1] == 0


def asked_for(place: Place, *words: str, **more: object) -> Interpretation:
    return Interpretation(words, Relation.IN, place, point=place.point, **more)  # type: ignore[arg-type]


def test_quarter_has_what_is_inside_its_outline(listing, gazetteer):
    centre = Point(48.12, 11.25)
    quarter = Place(-5, "Mitte", Kind.NEIGHBOURHOOD, centre, "DE", population=2000)

    entries, total, filters, *_ = find_entries(
        listing, Question(""), asked_for(quarter, "pizza"), gazetteer
    )

    assert [listed.entry.name for listed in entries] == ["Call a Pizza", "Pizzeria Roma"]
    assert (total, filters["within"]) == (2, "id:-5")


@pytest.mark.parametrize(
    ("street", "first"),
    [("Augsburger Str. 4", "Bäckerei Huber"), ("Augsburger Straße 99", "Barbara Moden")],
)
def test_house_without_words_has_its_neighbours(listing, gazetteer, town, street, first):
    place = gazetteer.place(town)
    assert place is not None
    read = asked_for(place, street=street, precision=Precision.STREET)

    entries, total, filters, *_ = find_entries(listing, Question(street), read, gazetteer)

    assert (entries[0].entry.name, total, filters["text"]) == (first, 5, street)


def test_postal_code_without_words_has_its_entries(listing, gazetteer):
    assert HAIR.address is not None
    code = HAIR.address.postcode
    read = Interpretation(
        (), Relation.NEAR, name=code, point=Point(0, 0), precision=Precision.POSTCODE
    )

    assert find_entries(listing, Question(code), read, gazetteer)[1] == 6


def test_radius_around_the_user_limits_entries(listing, gazetteer):
    question = Question("pizza", near=Point(48.11, 11.25), radius_km=0.5)

    found, *_ = find_entries(listing, question, Interpretation(("pizza",)), gazetteer)

    assert [listed.entry.name for listed in found] == ["Pizzeria Roma"]


def test_only_what_is_known_to_be_open_is_found_and_the_rest_is_said(sushi, gazetteer):
    read = Interpretation(("sushi",), asks=("hours",), open_at="Su")

    hits = find_entries(sushi, Question("sushi open on sunday"), read, gazetteer)

    assert [listed.entry.name for listed in hits.entries] == ["Sushi Amper"]
    assert hits.notes == (
        "open by the hours that pages state; holidays are not checked",
        "1 more does not say when it is open, and is left out",
    )


@pytest.mark.parametrize(("clock", "is_open"), [("12:30", True), ("10:30", False)])
def test_now_is_the_time_of_the_town(sushi, gazetteer, monkeypatch, clock, is_open):
    sunday = datetime.fromisoformat(f"2026-11-22T{clock}+01:00").timestamp()
    monkeypatch.setattr("geoscout_directory.entry_search.time.time", lambda: sunday)
    read = Interpretation(("sushi", "amper"), asks=("hours", "phone", "price"))
    found = find_entries(sushi, Question("sushi amper"), read, gazetteer).entries

    hours, phone = told_facts(found, read, sushi, gazetteer)

    assert (hours["value"], hours["open"], phone["open"]) == ("Su 12:00-20:00", is_open, None)
    assert phone["value"].startswith("+49 8141 528")
    assert hours["url"] == "http://guide.example/8"


def test_nothing_is_told_that_was_not_asked_for(listing, gazetteer):
    plain, priced = Interpretation(("hafen",)), Interpretation(("hafen",), asks=("price",))
    found = find_entries(listing, Question("hafen"), plain, gazetteer).entries

    assert not [*told_facts(found, plain, listing, gazetteer)]
    assert [f["value"] for f in told_facts(found, priced, listing, gazetteer)] == ["€€"]


@pytest.mark.parametrize("text", ["Augsburger Straße", "augsburger str."])
def test_list_knows_a_street_in_any_spelling(listing, text):
    assert len(listing.find(read_entry_filters(text))) == 6
