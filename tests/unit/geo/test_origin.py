"""What domain, language and registrant say of where a site is."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.gazetteer import SqliteGazetteer
from geoscout.geo import Geoparser, origin
from geoscout.geo.mentions.senses import whereabouts
from geoscout.geo.origin import OriginWeights, SiteOrigins
from geoscout.model import Kind, SiteKnowledge
from geoscout.parse import parse_text

BAVARIA, TEXAS, NEW_YORK_CITY = 2951839, 4736286, 5128581
WEIGHTS = OriginWeights(domain=0.5, language=0.25, registrant=0.125)
PLAIN = "http://a.example/"


@pytest.fixture(scope="module")
def origins(gazetteer: SqliteGazetteer) -> SiteOrigins:
    return SiteOrigins(gazetteer, lambda place: whereabouts(place, gazetteer), WEIGHTS)


def join(
    origins: SiteOrigins, url: str = PLAIN, language: str = "", site: SiteKnowledge | None = None
) -> SiteKnowledge:
    return origins.join(site, url, language) or SiteKnowledge()


def test_the_table_names_cities_regions_and_countries_of_the_gazetteer(
    gazetteer: SqliteGazetteer,
) -> None:
    lines = Path(origin.__file__).with_name("domains.tsv").read_text("utf-8").splitlines()[1:]
    rows = [line.split("\t") for line in lines]
    endings = [ending for row in rows for ending in row[2].split()]

    places = [gazetteer.place(int(id)) for id, _, _ in rows]

    assert [place.name if place else "" for place in places] == [name for _, name, _ in rows]
    assert {place.kind for place in places if place} == {Kind.CITY, Kind.REGION, Kind.COUNTRY}
    assert len(endings) == len(set(endings)) > 500


@pytest.mark.parametrize(
    ("url", "region"),
    [
        ("https://www.wirtshaus.bayern/karte", BAVARIA),
        ("http://ci.austin.tx.us:8080/", TEXAS),
        ("http://WWW.TX.GOV./", TEXAS),
        ("http://bayern.example/", 0),
        ("http://a.com/tx.us", 0),
        ("no address", 0),
        ("", 0),
    ],
)
def test_a_domain_of_a_region_tells_where_its_sites_are(
    origins: SiteOrigins, url: str, region: int
) -> None:
    assert dict(join(origins, url).regions) == ({region: 0.5} if region else {})


def test_a_domain_of_a_city_tells_a_part_of_the_map(
    origins: SiteOrigins, gazetteer: SqliteGazetteer
) -> None:
    city = gazetteer.place(NEW_YORK_CITY)

    known = join(origins, "http://pizza.nyc/")

    assert city is not None
    assert dict(known.squares) == dict.fromkeys(whereabouts(city, gazetteer).squares, 0.5)
    assert dict(known.countries) == {"US": 0.5}


@pytest.mark.parametrize(
    ("language", "countries"),
    [
        ("de-AT", {"AT": 0.25}),
        ("pt_BR", {"BR": 0.25}),
        ("zh-Hant-TW", {"TW": 0.25}),
        ("sv", {"SE": 0.25}),
        ("en-US", {}),  # what templates say everywhere
        ("xx", {}),
        ("", {}),
    ],
)
def test_a_language_tells_the_country_it_names_or_is_spoken_in(
    origins: SiteOrigins, language: str, countries: dict[str, float]
) -> None:
    assert dict(join(origins, language=language).countries) == countries


def test_countries_share_a_language_by_their_inhabitants(origins: SiteOrigins) -> None:
    shares = dict(join(origins, language="de").countries)

    assert sum(shares.values()) == pytest.approx(0.25)
    assert shares["DE"] > 0.19
    assert 0.01 < shares["AT"] < 0.03


def test_it_counts_less_the_more_pages_are_known(
    origins: SiteOrigins, gazetteer: SqliteGazetteer
) -> None:
    site = SiteKnowledge(1, countries=(("FR", 0.5),), registrant=gazetteer.place(TEXAS))

    known = join(origins, "http://b.bayern/", site=site)

    assert dict(known.regions) == {BAVARIA: 0.5 / 4, TEXAS: 0.125 / 4}
    assert dict(known.countries) == {"FR": 0.5, "DE": 0.5 / 4, "US": 0.125 / 4}


def test_where_nothing_tells_nothing_is_added(origins: SiteOrigins) -> None:
    site = SiteKnowledge(3)

    assert origins.join(None, PLAIN, "en") is None
    assert origins.join(site, PLAIN, "en") is site


def test_a_name_on_the_first_page_means_the_place_near_its_site(
    gazetteer: SqliteGazetteer,
) -> None:
    geoparser = Geoparser(gazetteer)
    text = "Voters in Portland elect a mayor in May."
    plain, local = (
        geoparser.read(parse_text(text, url)).mentions[0].place
        for url in ("http://council.example/", "http://council.me.us/")
    )

    assert plain is not None
    assert local is not None
    assert ("Oregon" in gazetteer.path(plain), "Maine" in gazetteer.path(local)) == (True, True)
