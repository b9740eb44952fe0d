"""A world of a few towns, enough to try every way of proving an address."""

from geoscout_places.model import Kind, Place, Point, Postcode
from tests.fakes import FakeGazetteer

_STATES = {"Illinois": "US", "Oregon": "US", "New York": "US", "England": "GB", "Bayern": "DE"}
_TOWNS = [
    ("Springfield", "Illinois", 39.80, -89.64, 114_000),
    ("Springfield", "Oregon", 44.05, -123.02, 62_000),
    ("New York", "New York", 40.71, -74.01, 8_000_000),
    ("London", "England", 51.51, -0.13, 9_000_000),
    ("Little Snoring", "England", 52.86, 0.90, 600),
    ("München", "Bayern", 48.14, 11.58, 1_500_000),
    ("Pullach", "Bayern", 48.06, 11.52, 9_000),
    ("Frankfurt", "Bayern", 50.11, 8.68, 750_000),
]
_POSTCODES = [
    ("US", "62701", "Springfield", "IL", 39.80, -89.65, ()),
    ("US", "97477", "Springfield", "OR", 44.05, -123.01, ("Gateway",)),
    ("US", "10036", "New York", "NY", 40.76, -73.99, ()),
    ("DE", "80331", "München", "02", 48.13, 11.57, ()),
    ("DE", "82049", "Pullach", "02", 48.06, 11.52, ()),
    ("DE", "60313", "Frankfurt am Main", "05", 50.11, 8.68, ()),
    ("GB", "SW1A", "London", "ENG", 51.50, -0.13, ()),
    ("NL", "1016 GV", "Amsterdam", "07", 52.37, 4.88, ()),
]


def _places() -> list[Place]:
    regions = {
        name: Place(id, name, Kind.REGION, Point(0, 0), country)
        for id, (name, country) in enumerate(_STATES.items(), start=1)
    }
    towns = [
        Place(
            id, name, Kind.CITY, Point(latitude, longitude), regions[region].country,
            population=population, parent=regions[region].id,
        )
        for id, (name, region, latitude, longitude, population) in enumerate(_TOWNS, start=100)
    ]  # fmt: skip
    return [*regions.values(), *towns]


def small_world(streets: dict[str, list[str]] | None = None) -> FakeGazetteer:
    """A gazetteer of that world; `streets` are the street tables of towns by name."""
    places = _places()
    ids = {place.name: place.id for place in places}
    codes = [
        Postcode(country, code, town, region, Point(latitude, longitude), other_towns=others)
        for country, code, town, region, latitude, longitude, others in _POSTCODES
    ]
    tables = {ids[town]: names for town, names in (streets or {}).items()}
    return FakeGazetteer(places, codes, streets=tables)
