"""Quality is tested too: texts of our own with known answers, and floors that must not sink.

`make eval` measures on large labelled sets where they are at hand; these few lines go everywhere.
"""

import pytest

from geoscout_places.geo import Geoparser
from geoscout_places.parse import parse_text

# A text, and the GeoNames ids of the places it names, in order.
TOPONYMS = [
    ("The mayor of Oldenburg met guests from Groningen and Bremen.", [2857458, 2755251, 2944388]),
    ("Flights from Lisbon to Porto were cancelled on Monday.", [2267057, 2735943]),
    ("She moved from Athens, Georgia, to Athens, Ohio.", [4180386, 4197000, 4505542, 5165418]),
    ("Rain is expected in Munich, Augsburg and Ulm.", [2867714, 2954172, 2820256]),
    ("Mr. Washington and Paris Jackson discussed music.", []),
    ("He said that the nice mobile phone was reading well.", []),
    ("The concert in Springfield, Illinois, was sold out.", [4250542, 4896861]),
    ("Nach dem Unfall in Köln war die Straße nach Bonn gesperrt.", [2886242, 2946447]),
    ("London, Ontario, is far from Toronto.", [6058560, 6093943, 6167865]),
    ("The president of France visited Japan and Canada.", [3017382, 1861060, 6251999]),
    ("Un week-end à Lyon, puis Marseille et Nice.", [2996944, 2995469, 2990440]),
    ("Trains between Boston and Providence, Rhode Island.", [4930956, 5224151, 5224323]),
]
# A text, and house number, postcode and city of its addresses.
ADDRESSES = [
    ("Visit us: 1600 Amphitheatre Pkwy, Mountain View, CA 94043", [("1600", "94043")]),
    ("Joe's Diner\n12 Main Street\nSuite 5\nSpringfield, IL 62701\nOpen daily", [("12", "62701")]),
    ("Impressum\nMuster GmbH\nLange Straße 12a\n26122 Oldenburg", [("12a", "26122")]),
    ("Praxis, Mariahilfer Straße 85/3, A-1060 Wien", [("85", "1060")]),
    ("Bahnhofstrasse 7, 8001 Zürich", [("7", "8001")]),
    ("Our office: 221B Baker Street, London NW1 6XE", [("221B", "NW1 6XE")]),
    ("Mairie, 12 rue de la République, 69001 Lyon", [("12", "69001")]),
    ("100 Queen Street West, Toronto, ON M5H 2N2", [("100", "M5H 2N2")]),
    ("In 2020 about 12 Main players met 90210 fans on 5 Street corners.", []),
    ("Order 4711, 50 pieces, total 26122 Euro.", []),
]


@pytest.fixture(scope="module")
def geoparser(gazetteer):
    return Geoparser(gazetteer)


def f1(right: int, found: int, wanted: int) -> float:
    return 2 * right / max(found + wanted, 1)


def test_place_names_stay_above_the_floor(geoparser):
    right = found = wanted = 0
    for text, ids in TOPONYMS:
        mentions = geoparser.read(parse_text(text)).mentions
        places = [m.place.id for m in mentions if m.place and m.kind == "place"]
        right += len(set(places) & set(ids))
        found += len(places)
        wanted += len(ids)

    assert f1(right, found, wanted) >= 0.88


def test_addresses_stay_above_the_floor(geoparser):
    right = found = wanted = 0
    for text, expected in ADDRESSES:
        addresses = geoparser.read(parse_text(text)).addresses
        parts = [(a.house_number.partition("/")[0], a.postcode) for a in addresses]
        right += len(set(parts) & set(expected))
        found += len(parts)
        wanted += len(expected)

    assert f1(right, found, wanted) >= 0.95
