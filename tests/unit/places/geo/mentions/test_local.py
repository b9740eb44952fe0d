"""Names no gazetteer has, placed by their neighbours."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.geo.mentions import NameKnowledge, find_mentions
from geoscout_places.geo.mentions.local import _streets
from geoscout_places.model import Mention, MentionKind


def local(text: str, knowledge: NameKnowledge) -> dict[str, Mention]:
    return {m.text: m for m in find_mentions(text, knowledge) if m.kind == "local"}


def test_station_stands_in_its_town(knowledge):
    found = local("Der Zug hält nicht in Lindau Hbf.", knowledge)

    assert found["Lindau Hbf"].place is not None
    assert round(found["Lindau Hbf"].place.point.latitude) == 48


def test_line_stands_by_the_nearest_town(knowledge):
    found = local("Die S8 fährt heute nicht nach Offenbach am Main.", knowledge)

    assert found["S8"].place is not None
    assert found["S8"].place.country == "DE"


def test_line_needs_a_country_that_has_such_lines(knowledge):
    assert not local("The S8 and the A45 were seen in Chicago.", knowledge)


def test_account_tells_the_town(knowledge):
    found = local("@SBahnBerlin die #S7 steht schon wieder", knowledge)

    assert found["S7"].place is not None
    assert round(found["S7"].place.point.longitude) == 13


def test_hotel_stands_in_the_town_of_the_text(knowledge):
    found = local("In Lisbon they stayed at the Avenida Palace for a week.", knowledge)

    assert found["Avenida Palace"].place is not None
    assert found["Avenida Palace"].place.country == "PT"


def test_river_is_not_the_state_it_is_named_after(knowledge):
    mentions = find_mentions("Barges on the Kentucky River were stopped.", knowledge)

    assert [(m.text, m.place) for m in mentions] == [("Kentucky River", None)]


def test_part_of_a_continent_is_not_the_continent(knowledge):
    mentions = find_mentions("The outbreak in West Africa is over.", knowledge)

    assert "Africa" not in [m.text for m in mentions]


def test_local_names_have_ids_of_their_own(knowledge):
    text = "In Lisbon they stayed at the Avenida Palace, then at the Estrela Palace."
    places = [mention.place for mention in local(text, knowledge).values()]

    assert len({place.id for place in places if place}) == 2
    assert all(place and place.is_local and place.geonames_id is None for place in places)


def test_id_of_a_local_name_is_the_same_on_every_page_and_machine(knowledge):
    one = local("In Lisbon they stayed at the Avenida Palace for a week.", knowledge)
    other = local("Lisbon has hotels. The Avenida Palace is one of them.", knowledge)

    assert one["Avenida Palace"].place == other["Avenida Palace"].place
    assert one["Avenida Palace"].place.id == -7006437043224126


def test_same_name_near_another_town_is_another_place(knowledge):
    lisbon = local("In Lisbon they stayed at the Avenida Palace for a week.", knowledge)
    chicago = local("In Chicago they stayed at the Avenida Palace for a week.", knowledge)

    assert lisbon["Avenida Palace"].place.id != chicago["Avenida Palace"].place.id


STREETS = ("Haupt", "Ring", "A", "straße", "platz", "allee", "kreuz", "_", " ", "-", "s", "x" * 21)


@given(st.lists(st.sampled_from(STREETS), max_size=20).map("".join))
def test_streets_are_the_capitalised_words_with_their_endings(text):
    endings = ("straße", "strasse", "allee", "kreuz", "platz")
    pattern = re.compile(rf"\b[A-ZÄÖÜ][a-zäöüß]{{2,20}}(?:{'|'.join(endings)})\b")

    assert sorted(_streets(text, endings)) == [match.span() for match in pattern.finditer(text)]


@pytest.mark.parametrize(
    ("text", "name", "country"),
    [
        ("Die Gemeinde Hinterwaldhausen in Bayern hat eine neue Schule.", "Hinterwaldhausen", "DE"),
        ("W gminie Szczypiorkowo odbył się turniej, a w Krakowie nie.", "Szczypiorkowo", "PL"),
        ("Obec Dolní Hrdlička je nedaleko Brna, ale není tam obchod.", "Dolní Hrdlička", "CZ"),
        ("La commune de Saint-Machin est dans la Drôme.", "Saint-Machin", "FR"),
        ("Kommunen i Skåne heter Svampköping kommun och är inte stor.", "Svampköping", "SE"),
    ],
)
def test_what_is_called_a_village_is_where_the_text_is(text, name, country, knowledge):
    (found,) = [m for m in find_mentions(text, knowledge) if m.kind is MentionKind.LOCAL]

    assert found.place is not None
    assert (found.text, found.place.country) == (name, country)


@pytest.mark.parametrize(
    "text", ["Die Gemeinde Verwaltung in Bayern ist offen.", "Der Ortsteil Friedhof in Bayern."]
)
def test_a_noun_is_no_village(text, knowledge):
    assert [m.text for m in find_mentions(text, knowledge)] == ["Bayern"]
