"""A page is cut to its limits, addresses say what names in them mean, points how exact they are."""

import time

import pytest
from msgspec.structs import replace

from geoscout_places.geo import Geoparser
from geoscout_places.geo.address import extract_addresses
from geoscout_places.geo.address.placing import located, merged
from geoscout_places.geo.geoparser import ReadingLimits, cut_page
from geoscout_places.geo.structured import stated_precision
from geoscout_places.model import Address, Block, Kind, Page, Part, Place, Point, Precision
from geoscout_places.parse import parse_html
from geoscout_places.reading import address_as_json

ADDRESS = "1100 Congress Avenue, Austin, TX 78701. "


def page_of(*lines: str) -> Page:
    blocks, start = [], 0
    for line in lines:
        blocks.append(Block(start, start + len(line), Part.MAIN))
        start += len(line) + 1
    return Page("http://a.test/", "", "en", "\n".join(lines), tuple(blocks))


def test_page_ends_with_the_last_block_that_lies_within():
    page = page_of("first", "second", "third")

    assert cut_page(page, 18) is page
    assert cut_page(page, 13) == page_of("first", "second")
    assert cut_page(page, 11) == page_of("first")
    assert cut_page(page, 3) == page_of("fir")


def test_page_without_blocks_is_cut_too():
    page = Page("http://a.test/", "", "", "text", ())

    assert cut_page(page, 2).text == "te"


def test_no_more_addresses_and_names_are_taken_than_allowed(gazetteer):
    limits = ReadingLimits(addresses=7, mentions=9)

    reading = Geoparser(gazetteer, limits=limits).read(page_of(ADDRESS * 30, "Austin Paris " * 30))

    assert (len(reading.addresses), len(reading.mentions)) == (7, 9)


def test_addresses_beyond_the_limit_take_no_time(gazetteer):
    geoparser = Geoparser(gazetteer, limits=ReadingLimits(addresses=10))
    began = time.process_time()
    geoparser.read(page_of(ADDRESS * 100))
    few = time.process_time() - began
    began = time.process_time()

    geoparser.read(page_of(ADDRESS * 1000))

    assert time.process_time() - began < 10 * few + 1.0


def test_text_beyond_the_limit_is_not_looked_at(gazetteer):
    geoparser = Geoparser(gazetteer, limits=ReadingLimits(text=100))

    reading = geoparser.read(page_of("Nothing here. " * 5, ADDRESS))

    assert reading.addresses == ()


@pytest.fixture(scope="module")
def geoparser(gazetteer):
    return Geoparser(gazetteer)


def names(geoparser: Geoparser, text: str) -> list[str]:
    return [mention.text for mention in geoparser.read(Page("", "", "", text, ())).mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ristorante Da Mario, Via Roma 12, 50123 Firenze", ["Firenze"]),
        ("Le Petit Bistro, 12 Rue de Rivoli, 75004 Paris", ["Paris"]),
        ("Bäckerei Huber, Münchner Str. 5, 85757 Karlsfeld", ["Karlsfeld"]),
    ],
)
def test_a_place_that_gave_a_street_its_name_is_left_out(geoparser, text, expected):
    assert names(geoparser, text) == expected


def test_the_same_name_outside_of_streets_stays(geoparser):
    text = "Our cook is from Rome. Via Roma 12, 50123 Firenze. She came from Rome to Florence."

    assert names(geoparser, text) == ["Rome", "Firenze", "Rome", "Florence"]


def test_a_square_that_is_the_street_stays(geoparser):
    text = "Tourist Information, Marienplatz 8, 80331 München"

    assert "Marienplatz" in names(geoparser, text)


def test_the_town_of_an_address_is_meant_elsewhere_too(geoparser):
    text = "Welcome to Springfield! Visit us at 123 Main St, Springfield, OR 97477."

    found = geoparser.read(Page("", "", "", text, ())).mentions

    towns = [mention.place for mention in found if mention.text == "Springfield"]
    assert [place and round(place.point.longitude) for place in towns] == [-123, -123]


def test_a_town_with_the_name_of_its_state(geoparser):
    text = "Our office: 350 Fifth Avenue, New York."

    reading = geoparser.read(Page("", "", "", text, ()))

    assert [(a.street, a.city, a.region) for a in reading.addresses] == [
        ("Fifth Avenue", "New York", "NY")
    ]
    assert [m.place and m.place.name for m in reading.mentions if m.text == "New York"] == [
        "New York City"
    ]


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("Marienplatz 1, 80331 München", Precision.POSTCODE),
        ("100 Congress Ave, Austin, TX 78701", Precision.POSTCODE),
        ("100 Congress Ave, Austin, TX", Precision.TOWN),
    ],
)
def test_written_address_is_as_exact_as_its_postal_code_or_town(text, precision, gazetteer):
    (address,) = extract_addresses(text, gazetteer)

    assert address.precision is precision
    assert address_as_json(address)["precision"] == precision.value


@pytest.mark.parametrize(
    ("latitude", "longitude", "precision"),
    [
        (48.137154, 11.576124, Precision.HOUSE),
        (48.137, 11.576, Precision.STREET),
        (48.14, 11.58, Precision.POSTCODE),
        (48.1, 11.6, Precision.TOWN),
        (48.0, 11.0, Precision.REGION),
        (48 + 8 / 60, 11 + 35 / 60, Precision.POSTCODE),  # 48°8'N 11°35'E
        (48 + 8 / 60 + 13 / 3600, 11 + 35 / 60, Precision.HOUSE),  # with seconds
    ],
)
def test_stated_point_is_as_exact_as_its_digits(latitude, longitude, precision):
    assert stated_precision(Point(latitude, longitude)) is precision


def test_coordinates_of_the_markup_make_an_address_exact(gazetteer):
    html = b"""<p>Marienplatz 1, 80331 M\xc3\xbcnchen</p>
        <script type="application/ld+json">{"@type": "Hotel", "geo": {"latitude": 48.137154,
        "longitude": 11.576124}, "address": {"streetAddress": "Marienplatz 1",
        "postalCode": "80331", "addressLocality": "M\xc3\xbcnchen", "addressCountry": "DE"}}
        </script>"""

    (address,) = Geoparser(gazetteer).read(parse_html(html, "https://a.example/")).addresses

    assert (address.precision, address.point) == (Precision.HOUSE, Point(48.137154, 11.576124))


def stated(point: Point | None) -> Address:
    return Address(
        0, 0, "Marienplatz 1, 80331 München", "1", "Marienplatz",
        unit="", city="München", region="", postcode="80331", country="DE", point=point, place=None,
        source="json-ld", precision=stated_precision(point) if point else None,
    )  # fmt: skip


def test_address_without_a_point_is_placed_by_its_postal_code(gazetteer):
    assert located(stated(None), gazetteer).precision is Precision.POSTCODE


def test_a_rough_point_of_the_markup_does_not_replace_a_better_one(gazetteer):
    rough = located(stated(Point(48.1, 11.6)), gazetteer)
    exact = replace(rough, point=Point(48.137154, 11.576124), precision=Precision.HOUSE)

    assert merged([exact], [rough]) == [exact]
    assert merged([rough], [exact])[0].point == exact.point


@pytest.mark.parametrize(
    ("kind", "precision"), [(Kind.CITY, Precision.TOWN), (Kind.COUNTRY, Precision.REGION)]
)
def test_a_page_that_names_a_place_is_as_exact_as_the_place(kind, precision):
    assert Place(1, "A", kind, Point(0.0, 0.0), "").precision is precision
