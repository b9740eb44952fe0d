"""A small world for the tests of regions: Europe with two Oldenburgs, and Berlin."""

from geoscout_places.gazetteer.areas.boundaries import encode
from geoscout_places.gazetteer.areas.shapes import Ring
from geoscout_places.model import Kind, Place, Point, Postcode
from tests.fakes import FakeGazetteer

LOWER_SAXONY_RING: Ring = ((6.6, 51.3), (11.6, 51.3), (11.6, 53.9), (6.6, 53.9))
BREMEN_RING: Ring = ((8.4, 53.0), (9.0, 53.0), (9.0, 53.3), (8.4, 53.3))
GERMANY_RING: Ring = ((5.9, 47.3), (15.0, 47.3), (15.0, 55.0), (5.9, 55.0))
BERLIN_RING: Ring = ((13.1, 52.3), (13.8, 52.3), (13.8, 52.7), (13.1, 52.7))


def make_place(id: int, name: str, kind: Kind, at: tuple[float, float], **more: int | str) -> Place:
    facts = {"country": "DE", "population": 0, "timezone": "Europe/Berlin", "parent": 0, **more}
    return Place(id, name, kind, Point(*at), **facts)  # type: ignore[arg-type]


EUROPE = make_place(1, "Europe", Kind.CONTINENT, (48.7, 9.1), country="")
GERMANY = make_place(2, "Germany", Kind.COUNTRY, (51.5, 10.5), parent=1, population=82_000_000)
LOWER_SAXONY = make_place(
    3, "Lower Saxony", Kind.REGION, (52.8, 9.1), parent=2, population=8_000_000
)
HOLSTEIN = make_place(
    4, "Schleswig-Holstein", Kind.REGION, (54.2, 9.6), parent=2, population=2_800_000
)
BERLIN_STATE = make_place(
    5, "State of Berlin", Kind.REGION, (52.5, 13.4), parent=2, population=3_500_000
)
AMMERLAND = make_place(6, "Ammerland", Kind.DISTRICT, (53.25, 7.95), parent=3, population=125_000)
OLDENBURG = make_place(10, "Oldenburg", Kind.CITY, (53.14, 8.21), parent=3, population=160_000)
OLDENBURG_HOLSTEIN = make_place(
    11, "Oldenburg in Holstein", Kind.CITY, (54.3, 10.88), parent=4, population=9_800
)
RASTEDE = make_place(12, "Rastede", Kind.CITY, (53.25, 8.2), parent=6, population=22_000)
BERLIN = make_place(13, "Berlin", Kind.CITY, (52.52, 13.41), parent=5, population=3_430_000)
SPANDAU = make_place(14, "Spandau", Kind.CITY, (52.53, 13.2), parent=5, population=240_000)
EVERSTEN = make_place(15, "Eversten", Kind.NEIGHBOURHOOD, (53.13, 8.18), parent=10)
CASTLE = make_place(16, "Schloss Oldenburg", Kind.LANDMARK, (53.138, 8.216), parent=2)
EAST_FRISIA = make_place(17, "East Frisia", Kind.AREA, (53.4, 7.4), country="DE", parent=2)

GAZETTEER = FakeGazetteer(
    [
        *(EUROPE, GERMANY, LOWER_SAXONY, HOLSTEIN, BERLIN_STATE, AMMERLAND, OLDENBURG),
        *(OLDENBURG_HOLSTEIN, RASTEDE, BERLIN, SPANDAU, EVERSTEN, CASTLE, EAST_FRISIA),
    ],
    [
        Postcode("DE", "26121", "Oldenburg", "06", Point(53.15, 8.2), place_id=10),
        Postcode("DE", "26180", "Rastede", "06", Point(53.25, 8.2), place_id=12),
        Postcode("DE", "23758", "Oldenburg", "10", Point(54.3, 10.9), place_id=11),
        Postcode("DE", "26133", "Bümmerstede", "06", Point(53.11, 8.23)),
        Postcode("DE", "13597", "Spandau", "16", Point(52.54, 13.21), place_id=14),
    ],
    aliases={11: ["Oldenburg"], 5: ["Berlin"]},
    boundaries={
        2: encode([GERMANY_RING]),
        3: encode([LOWER_SAXONY_RING, BREMEN_RING]),
        5: encode([BERLIN_RING]),
    },
)
