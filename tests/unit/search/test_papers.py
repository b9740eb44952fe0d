"""The example queries of the three papers, on a web of places that share their names.

Each is asked with few and with many pages of the place that is not meant.
"""

import pytest

from geoscout.search.base import Answer, Question
from geoscout.search.engine import SearchEngine
from geoscout_places.gazetteer import Region
from tests.unit.search.worlds import page

_PIZZA = "A pizza restaurant in {}, with a wood oven. The restaurant is open daily."
_SCHOOL = "The city public schools of {}. Our schools are public and open in September."
_TABLE = "One of the restaurants in {}. A restaurant with a garden."
_PLUMBER = "Good plumbers in {}, since 1980. Our plumbers come at once."
_HOTEL = "A romantic hotel in {}. Romantic hotels for two."
# Name of the host, text with the place, address.
WEB = [
    ("lisbon-pt-1", _PIZZA, "Lisbon, Portugal", "Rua Augusta 1, 1100-053 Lisboa, Portugal"),
    ("lisbon-pt-2", _PIZZA, "Lisbon, Portugal", "Rua da Prata 9, 1100-414 Lisboa, Portugal"),
    ("lisbon-nh", _PIZZA, "Lisbon, New Hampshire", "1 Main Street, Lisbon, NH 03585"),
    ("lisbon-oh", _PIZZA, "Lisbon, Ohio", "1 Market Street, Lisbon, OH 44432"),
    ("lisbon-falls", _PIZZA, "Lisbon Falls, Maine", "4 Main Street, Lisbon Falls, ME 04252"),
    ("athens-gr-1", _SCHOOL, "Athens, Greece", "Ermou 1, 105 63 Athens, Greece"),
    ("athens-gr-2", _SCHOOL, "Athens, Greece", "Stadiou 10, 105 64 Athens, Greece"),
    ("athens-ga", _SCHOOL, "Athens, Georgia", "1 Broad Street, Athens, GA 30601"),
    ("manhattan-1", _TABLE, "Manhattan, New York", "350 5th Avenue, New York, NY 10118"),
    ("manhattan-2", _TABLE, "New York City", "1 Broadway, New York, NY 10004"),
    ("brooklyn", _TABLE, "Brooklyn, New York", "12 Court Street, Brooklyn, NY 11201"),
    ("astoria", _TABLE, "Astoria, Queens, New York", "31-01 Broadway, Astoria, NY 11106"),
    ("buffalo", _TABLE, "Buffalo, New York", "1 Main Street, Buffalo, NY 14203"),
    ("albany", _TABLE, "Albany, New York", "1 State Street, Albany, NY 12207"),
    ("fries", "New York Fries sells fries in restaurants in {}.", "Toronto, Canada",
     "1 Yonge Street, Toronto, ON M5E 1W7"),
    ("mobile", _PLUMBER, "Mobile, Alabama", "100 Milam Street, Mobile, AL 36602"),
    ("houston-100", _PLUMBER, "Houston, Texas", "100 Milam Street, Houston, TX 77002"),
    ("houston-120", _PLUMBER, "Houston, Texas", "120 Milam Street, Houston, TX 77002"),
    ("vegas-nv", _HOTEL, "Las Vegas, Nevada", "1 Fremont Street, Las Vegas, NV 89101"),
    ("vegas-nm", _HOTEL, "Las Vegas, New Mexico", "1 Plaza Street, Las Vegas, NM 87701"),
    ("paris", _HOTEL, "Paris, France", "1 rue de Rivoli, 75001 Paris, France"),
]  # fmt: skip
# Of which many pages are added: the town that is not meant.
RIVALS = [
    ("rival-al", _SCHOOL, "Athens, Alabama", "{} Market Street, Athens, AL 35611"),
    ("rival-buffalo", _TABLE, "Buffalo, New York", "{} Main Street, Buffalo, NY 14203"),
    ("rival-mobile", _PLUMBER, "Mobile, Alabama", "{} Milam Street, Mobile, AL 36602"),
    ("rival-nm", _HOTEL, "Las Vegas, New Mexico", "{} Plaza Street, Las Vegas, NM 87701"),
    ("rival-nh", _PIZZA, "Lisbon, New Hampshire", "{} Main Street, Lisbon, NH 03585"),
]


@pytest.fixture(scope="module", params=[2, 40, 200])
def anywhere(request, make_engine):
    rivals = [
        (f"{name}-{n}", f"{text} Number {n} of {word(n)}.", of, at.format(n))
        for name, text, of, at in RIVALS
        for n in range(3, 3 + request.param)
    ]
    pages = [*WEB, *rivals]
    return make_engine(
        {f"http://{n}.example/": page(t.format(of), t.format(of), at) for n, t, of, at in pages}
    )


@pytest.fixture(params=["", "United States", "Alabama"])
def web(request, anywhere, gazetteer):
    """The pages as the crawl of a region has them; without one the region is not known."""
    home = Region.parse([request.param], gazetteer) if request.param else None
    return SearchEngine(anywhere.reader, gazetteer, home=home)


def word(number: int) -> str:
    """Words that tell two pages apart, so that they are no copies."""
    return " ".join(f"item{number * factor}" for factor in range(7, 27))


def hosts(answer: Answer) -> list[str]:
    return [hit.url.split("/")[2].removesuffix(".example") for hit in answer.hits]


def test_pizza_restaurant_in_lisbon(web):
    answer = web.answer(Question("pizza restaurant in Lisbon"))

    assert "lisbon-falls" not in hosts(answer)
    assert set(hosts(answer)[:2]) == {"lisbon-pt-1", "lisbon-pt-2"} or (
        "Portugal" in answer.interpretation.notes[-1]
    )


def test_athens_city_public_schools(web):
    answer = web.answer(Question("Athens city public schools"))
    first = hosts(answer)[:3]

    assert any(host.startswith("athens-gr") for host in first)
    if not first[0].startswith("athens-gr"):
        assert "Athens, Attica, Greece" in answer.interpretation.notes[-1]


def test_restaurants_in_new_york_city(web):
    found = hosts(web.answer(Question("restaurants in New York, NY")))

    assert {"manhattan-1", "manhattan-2", "brooklyn", "astoria"} == set(found[:4])
    assert not {"albany", "fries"} & set(found)


def test_new_york_offers_the_city_first(web):
    read = web.answer(Question("restaurants in New York")).interpretation

    offered = [read.place, *(other.place for other in read.alternatives)]
    assert [place.name for place in offered[:2] if place] == ["New York City", "New York"]


def test_plumbers_near_a_house_of_houston(web):
    found = hosts(web.answer(Question("good plumbers near 100 milam street, Houston, TX")))

    assert found[:2] == ["houston-100", "houston-120"]
    assert not any("mobile" in host for host in found)


def test_romantic_hotels_in_las_vegas(web):
    assert hosts(web.answer(Question("romantic hotels in Las Vegas, NV"))) == ["vegas-nv"]
