"""From units and cities to the outlines of districts, regions and countries."""

import shapely
from tools.derive.boundaries import (
    Cities,
    Unit,
    assign_all,
    find_islets,
    join_by_code,
    keep_convincing,
    write_level,
)
from tools.derive.outlines import Codes, Known, keep_areas, rings_of

from geoscout_places.gazetteer.areas.boundaries import decode_rings, read_boundaries
from geoscout_places.model import Point

KNOWN = Known(frozenset({"DE.06", "DE.03", "NL.03"}), frozenset())
SAXON = Codes("DE", "DE.06", "")
BREMEN = Codes("DE", "DE.03", "")
DUTCH = Codes("NL", "NL.03", "")


def unit(west: float, codes: Codes) -> Unit:
    return Unit(codes, keep_areas(shapely.box(west, 0, west + 1, 1)), is_certain=False)


def cities(*found: tuple[float, Codes]) -> Cities:
    points = shapely.points([(longitude, 0.5) for longitude, _ in found])
    return Cities([codes for _, codes in found], points)


UNITS = [unit(0, Codes("NL", "", "")), unit(1, Codes("DE", "", "")), unit(2, Codes("DE", "", ""))]
CITIES = cities((0.5, DUTCH), (1.5, SAXON), (2.2, SAXON), (2.8, SAXON), (9.0, BREMEN))


def test_units_that_vote_alike_are_joined():
    joined = join_by_code(assign_all(UNITS, CITIES, KNOWN), 1)

    assert joined.keys() == {"NL.03", "DE.06"}
    assert joined["DE.06"].bounds == (1, 0, 3, 1)


def test_certain_unit_is_not_voted_on():
    county = Unit(Codes("US", "US.CA", "US.CA.037"), UNITS[1].outline, is_certain=True)

    assert assign_all([county], CITIES, KNOWN) == [county]


def test_town_in_the_open_sea_gets_an_islet():
    [islet] = find_islets(UNITS, CITIES)

    assert islet.codes == BREMEN
    assert islet.outline.covers(shapely.Point(9.0, 0.5))


def test_outline_with_the_wrong_cities_is_dropped():
    joined = {"DE.06": UNITS[0].outline, "NL.03": UNITS[0].outline}

    assert keep_convincing(joined, CITIES, 1).keys() == {"NL.03"}


def test_same_outlines_give_the_same_bytes(tmp_path):
    rings = {"NL": rings_of(UNITS[0].outline), "DE": rings_of(UNITS[1].outline)}
    first, second = tmp_path / "boundaries.a.tsv.xz", tmp_path / "second.tsv.xz"

    write_level(first, rings, 0.01)
    write_level(second, dict(reversed(rings.items())), 0.01)

    assert first.read_bytes() == second.read_bytes()
    written = dict(read_boundaries(tmp_path))
    assert list(written) == ["DE", "NL"]
    assert decode_rings(written["DE"]).contains(Point(0.5, 1.5))
