"""Addresses of France as people write them."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.address import extract_addresses
from tests.unit.places.geo.address.reading import Expected, check

ADDRESSES = [
    (
        "12 bis, rue de la Paix, 75002 Paris",
        Expected(number="12 bis", street="rue de la Paix", city="Paris", postcode="75002"),
    ),
    (
        "55 rue du Faubourg Saint-Honoré\n75008 PARIS",
        Expected(
            number="55", street="rue du Faubourg Saint-Honoré", city="PARIS", postcode="75008"
        ),
    ),
    (
        "139 rue de Bercy - 75572 Paris Cedex 12",
        Expected(number="139", street="rue de Bercy", city="Paris", postcode="75572"),
    ),
    (
        "Place de l'Hôtel de Ville, 69001 Lyon",
        Expected(street="Place de l'Hôtel de Ville", city="Lyon", postcode="69001"),
    ),
    (
        "Zone Industrielle Nord, 67000 Strasbourg",
        Expected(street="Zone Industrielle Nord", city="Strasbourg", postcode="67000"),
    ),
    (
        "3, avenue Victoria, 75004 Paris 4e",
        Expected(number="3", street="avenue Victoria", city="Paris", postcode="75004"),
    ),
    (
        "25 boulevard Victor Hugo, Bât. C, 06000 Nice",
        Expected(number="25", street="boulevard Victor Hugo", city="Nice", postcode="06000"),
    ),
    (
        "Mairie de Bordeaux, Place Pey Berland, 33000 Bordeaux",
        Expected(street="Place Pey Berland", city="Bordeaux", postcode="33000"),
    ),
    (
        "1 Quai du Port, F-13002 Marseille",
        Expected(number="1", street="Quai du Port", city="Marseille", postcode="13002"),
    ),
    (
        "24, route de Vannes BP 12345, 44000 Nantes",
        Expected(number="24", street="route de Vannes", city="Nantes", postcode="44000"),
    ),
    (
        "8 allée des Tilleuls\nCS 30001\n35700 Rennes",
        Expected(number="8", street="allée des Tilleuls", city="Rennes", postcode="35700"),
    ),
    (
        "4 r. Guyton-de-Morveau • 75013 Paris",
        Expected(number="4", street="r. Guyton-de-Morveau", city="Paris", postcode="75013"),
    ),
    (
        "Siège social : 16, rue de la Ville-l'Évêque 75008 Paris - France",
        Expected(number="16", street="rue de la Ville-l'Évêque", city="Paris", postcode="75008"),
    ),
    (
        "Hôtel de Ville\n1, place de la Mairie\n31000 Toulouse",
        Expected(number="1", street="place de la Mairie", city="Toulouse", postcode="31000"),
    ),
    (
        "Adresse : 10 Rue du Général Leclerc, 92130 Issy-les-Moulineaux",
        Expected(
            number="10",
            street="Rue du Général Leclerc",
            city="Issy-les-Moulineaux",
            postcode="92130",
        ),
    ),
    (
        "Université de Rennes 1, 2 rue du Thabor, CS 46510, 35065 Rennes Cedex",
        Expected(number="2", street="rue du Thabor", city="Rennes", postcode="35065"),
    ),
    (
        "ZA Les Portes de l'Océan, 17000 La Rochelle",
        Expected(street="ZA Les Portes de l'Océan", city="La Rochelle", postcode="17000"),
    ),
    (
        "45 cours de Verdun, 33000 Bordeaux",
        Expected(number="45", street="cours de Verdun", city="Bordeaux", postcode="33000"),
    ),
    (
        "Résidence Les Lilas, Bât B, 5 impasse des Acacias, 34000 Montpellier",
        Expected(number="5", street="impasse des Acacias", city="Montpellier", postcode="34000"),
    ),
    (
        "17 av. Jean Jaurès - 93000 BOBIGNY",
        Expected(number="17", street="av. Jean Jaurès", city="BOBIGNY", postcode="93000"),
    ),
    (
        "rencontre au 12 rue de Rivoli, Paris, à 18h",
        Expected(number="12", street="rue de Rivoli", city="Paris"),
    ),
    (
        "Le Bourg, 24220 Saint-Cyprien",
        Expected(street="Le Bourg", city="Saint-Cyprien", postcode="24220"),
    ),
    (
        "3 Les Grandes Vignes, 01140 Thoissey",
        Expected(number="3", street="Les Grandes Vignes", city="Thoissey", postcode="01140"),
    ),
    (
        "Kerouzien\n29170 Fouesnant",
        Expected(street="Kerouzien", city="Fouesnant", postcode="29170"),
    ),
    (
        "Ferme de la Haute Borne, 80300 Albert",
        Expected(street="Ferme de la Haute Borne", city="Albert", postcode="80300"),
    ),
    (
        "Le Chef, 29170 Fouesnant",
        Expected(city="Fouesnant", postcode="29170"),
    ),
    (
        "Port de la Meule, 85350 L'Île-d'Yeu",
        Expected(street="Port de la Meule", city="L'Île-d'Yeu", postcode="85350"),
    ),
]
OVERSEAS = [
    ("25 rue Victor Hugo, 97200 Fort-de-France", "MQ", "Fort-de-France"),
    ("4, boulevard Général de Gaulle\n97110 Pointe-à-Pitre\nGuadeloupe", "GP", "Pointe-à-Pitre"),
    ("12 rue de Paris, 97400 Saint-Denis, La Réunion", "RE", "Saint-Denis"),
    ("30 rue de la Liberté, 97150 Marigot", "MF", "Marigot"),
    ("15 rue de Sébastopol\nBP 123\n98845 Nouméa Cedex", "NC", "Nouméa"),
    ("4 quai Jean-Charles Rey, 98000 Monaco", "MC", "Monaco"),
]


@pytest.mark.parametrize(("text", "expected"), ADDRESSES)
def test_address_is_read(text: str, expected: Expected, gazetteer: SqliteGazetteer) -> None:
    check(text, "FR", expected, gazetteer)


@pytest.mark.parametrize(("text", "country", "city"), OVERSEAS)
def test_address_overseas_is_in_the_country_of_its_postcode(
    text: str, country: str, city: str, gazetteer: SqliteGazetteer
) -> None:
    (address,) = extract_addresses(text, gazetteer)

    assert (address.country, address.city) == (country, city)
    assert address.house_number
    assert address.place is not None
    assert address.place.country == country


def test_overseas_addresses_can_be_asked_for(gazetteer: SqliteGazetteer) -> None:
    text = "12 rue de Paris, 97400 Saint-Denis\n" + "et ailleurs " * 20 + "5 rue Foch, 75016 Paris"

    found = extract_addresses(text, gazetteer, countries=("RE",))

    assert [address.city for address in found] == ["Saint-Denis"]
