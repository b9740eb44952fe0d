"""Joins, widens, simplifies and takes apart outlines, and tells what they are of.

A coastline drawn for maps leaves harbours, fjord towns and islets in the sea. What we ask of a
boundary is where an address belongs, and no address belongs to the sea: so every unit is widened
over open water by some kilometres, never over the land of another unit. This also lets go of the
bays and skerries that make coastlines so large.

Simplifying each outline by itself would move a common border twice, differently: places near it
would fall into both areas or into none. So the rings are cut where borders join, every piece is
simplified once, and the rings are put together again from the pieces.

Douglas and Peucker's method is used because it promises that no point of a border moves farther
than the tolerance.

The outlines come with GeoNames codes of their own, but of another level in France, Great Britain,
Italy or Spain, and of another year where divisions were reformed (Kenya, Norway, Vietnam). The
cities inside an outline tell it better: each carries the codes the gazetteer uses today. Outlines
that vote alike are joined, and a joined outline is kept only if it holds the right cities.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import cos, hypot, radians
from typing import Any, NamedTuple

import shapely
from shapely import affinity

Position = tuple[float, float]
Line = tuple[Position, ...]
Rings = Sequence[Line]  # the first position of a ring is not repeated at its end


def simplify_together(outlines: Mapping[str, Rings], tolerance: float) -> dict[str, list[Line]]:
    """Simplify the rings of all outlines; `tolerance` is in degrees of latitude.

    A ring that would vanish is left out, unless it is the only one of its outline.
    """
    cleaned = {code: [_without_repeats(ring) for ring in rings] for code, rings in outlines.items()}
    joints = find_joints(ring for rings in cleaned.values() for ring in rings)
    known: dict[Line, Line] = {}

    def shorten(piece: Line) -> Line:
        if piece not in known:
            known[piece] = simplify_line(piece, tolerance)
        return known[piece]

    return {code: _rebuild(rings, joints, shorten) for code, rings in cleaned.items()}


def find_joints(rings: Iterable[Line]) -> set[Position]:
    """Find the positions where more than two lines meet."""
    neighbours: dict[Position, set[Position]] = defaultdict(set)
    for ring in rings:
        for before, after in _edges(ring):
            neighbours[before].add(after)
            neighbours[after].add(before)
    return {position for position, others in neighbours.items() if len(others) > 2}


def _rebuild(rings: Rings, joints: set[Position], shorten: Callable[[Line], Line]) -> list[Line]:
    rebuilt = [_rebuild_ring(ring, joints, shorten) for ring in rings if len(ring) > 2]
    lasting = [ring for ring in rebuilt if len(ring) > 2]
    return lasting or [max(rings, key=len)]


def _rebuild_ring(ring: Line, joints: set[Position], shorten: Callable[[Line], Line]) -> Line:
    positions: list[Position] = []
    for piece in cut_ring(ring, joints):
        # One direction for both neighbours, or they would be simplified differently.
        forward = piece <= piece[::-1]
        short = shorten(piece if forward else piece[::-1])
        positions.extend(short[:-1] if forward else short[:0:-1])
    return _without_repeats(positions)


def cut_ring(ring: Line, joints: set[Position]) -> Iterator[Line]:
    """Cut a ring at its joints; where it has fewer than two, also at extreme positions."""
    ends = [i for i, position in enumerate(ring) if position in joints]
    if len(ends) < 2:
        first = ring.index(min(ring))
        ends = sorted({*ends, first, ring.index(max(ring, key=_farness(ring[first])))})
    for start, end in zip(ends, [*ends[1:], ends[0] + len(ring)], strict=True):
        yield tuple(ring[i % len(ring)] for i in range(start, end + 1))


def _farness(origin: Position) -> Callable[[Position], tuple[float, Position]]:
    return lambda position: (
        hypot(position[0] - origin[0], position[1] - origin[1]),
        position,
    )


def simplify_line(line: Line, tolerance: float) -> Line:
    """Leave out positions that lie within the tolerance of the line without them."""
    kept = [False] * len(line)
    kept[0] = kept[-1] = True
    waiting = [(0, len(line) - 1)]
    while waiting:
        start, end = waiting.pop()
        farthest, distance = _farthest_between(line, start, end)
        if distance > tolerance:
            kept[farthest] = True
            waiting += [(start, farthest), (farthest, end)]
    return tuple(position for position, keep in zip(line, kept, strict=True) if keep)


def _farthest_between(line: Line, start: int, end: int) -> tuple[int, float]:
    """Find the position farthest from the chord; a degree of longitude counts by its length."""
    (x1, y1), (x2, y2) = line[start], line[end]
    scale = cos(radians((y1 + y2) / 2))
    along_x, along_y = (x2 - x1) * scale, y2 - y1
    square = along_x * along_x + along_y * along_y
    farthest, greatest = start, 0.0
    for i in range(start + 1, end):
        x, y = (line[i][0] - x1) * scale, line[i][1] - y1
        share = min(max((x * along_x + y * along_y) / square, 0.0), 1.0) if square else 0.0
        distance = hypot(x - share * along_x, y - share * along_y)
        if distance > greatest:
            farthest, greatest = i, distance
    return farthest, greatest


def _edges(ring: Line) -> Iterator[tuple[Position, Position]]:
    yield from zip(ring, (*ring[1:], ring[0]), strict=True)


def _without_repeats(positions: Sequence[Position]) -> Line:
    kept = [p for i, p in enumerate(positions) if i == 0 or p != positions[i - 1]]
    while len(kept) > 1 and kept[0] == kept[-1]:
        kept.pop()
    return tuple(kept)


Geometry = Any  # shapely has no types

WIDENING = 0.05  # degrees of latitude, 5.5 km
_COARSE = 0.01  # a coast may be simplified so far before it is widened
_SMALLEST_PIECE = 1e-4  # square degrees: gaps between neighbours that are not water
_DECIMALS = 3


def read_geometry(geometry: Mapping[str, Any]) -> Geometry:
    """Read the polygons of a GeoJSON geometry, mended where rings cross themselves."""
    return keep_areas(shapely.make_valid(shapely.geometry.shape(geometry)))


def read_topology(topology: Mapping[str, Any], layer: str) -> Iterator[tuple[str, Geometry]]:
    """Read id and polygons of every geometry in a layer of a quantized TopoJSON file."""
    lines = [_read_arc(arc, topology["transform"]) for arc in topology["arcs"]]
    for item in topology["objects"][layer]["geometries"]:
        parts = [item["arcs"]] if item["type"] == "Polygon" else item.get("arcs", [])
        rings = [[_join_arcs(ring, lines) for ring in part] for part in parts]
        closed = [part for part in map(_closed_only, rings) if part]
        yield (
            str(item.get("id", "")),
            read_geometry({"type": "MultiPolygon", "coordinates": closed}),
        )


def _read_arc(
    arc: Sequence[Sequence[int]], transform: Mapping[str, Any]
) -> list[tuple[float, float]]:
    (scale_x, scale_y), (move_x, move_y) = transform["scale"], transform["translate"]
    x = y = 0
    line = []
    for step_x, step_y in arc:
        x, y = x + step_x, y + step_y
        line.append((x * scale_x + move_x, y * scale_y + move_y))
    return line


def _join_arcs(
    indexes: Sequence[int], lines: Sequence[list[tuple[float, float]]]
) -> list[tuple[float, float]]:
    """Chain arcs to a ring; a negative index means the arc backwards (its complement)."""
    ring: list[tuple[float, float]] = []
    for index in indexes:
        line = lines[index] if index >= 0 else lines[~index][::-1]
        ring += line[1:] if ring else line
    return ring


def _closed_only(part: Sequence[list[tuple[float, float]]]) -> list[list[tuple[float, float]]]:
    """Leave out rings that quantization has flattened to a line."""
    return [ring for ring in part if len(ring) > 3]


def keep_areas(geometry: Geometry) -> Geometry:
    """Drop points and lines, which mending leaves behind."""
    # A collection may hold multi-polygons, hence twice.
    parts = shapely.get_parts(shapely.get_parts(geometry))
    return shapely.MultiPolygon([p for p in parts if p.geom_type == "Polygon" and not p.is_empty])


def widen_over_water(units: Sequence[Geometry]) -> list[Geometry]:
    """Widen every unit by `WIDENING` where no other unit is."""
    tree = shapely.STRtree(units)
    return [_widen(i, units, tree) for i in range(len(units))]


def _widen(index: int, units: Sequence[Geometry], tree: Any) -> Geometry:
    unit = units[index]
    if unit.is_empty:
        return unit
    wide = _buffer(unit)
    near = [units[i] for i in sorted(tree.query(wide)) if i != index]
    land = shapely.union_all([shapely.clip_by_rect(other, *wide.bounds) for other in near])
    water = keep_areas(shapely.difference(wide, shapely.union(land, unit)))
    pieces = [piece for piece in water.geoms if piece.area > _SMALLEST_PIECE]
    return keep_areas(shapely.union_all([unit, *pieces]))


def _buffer(unit: Geometry) -> Geometry:
    """Widen by the same length in all directions, and not beyond the map's edges."""
    _, south, _, north = unit.bounds
    scale = max(0.1, cos(radians((south + north) / 2)))
    flat = affinity.scale(unit.simplify(_COARSE), xfact=scale, origin=(0, 0))
    wide = affinity.scale(flat.buffer(WIDENING, quad_segs=2), xfact=1 / scale, origin=(0, 0))
    return shapely.clip_by_rect(wide, -180, -90, 180, 90)


def join(units: Sequence[Geometry]) -> Geometry:
    """Join units to one outline."""
    return keep_areas(shapely.union_all(list(units)))


def rings_of(geometry: Geometry) -> list[Line]:
    """Take an outline apart into rings of rounded positions."""
    rings = []
    for part in geometry.geoms:
        for ring in (part.exterior, *part.interiors):
            rounded = [(round(x, _DECIMALS), round(y, _DECIMALS)) for x, y in ring.coords]
            rings.append(tuple(rounded[:-1]))
    return rings


# This many stray votes do not count against the code an outline brings along.
_STRAY_VOTES = 2
_FEW_CITIES = 5
_LEAST_AGREEMENT = 0.6
_LEAST_AGREEMENT_OF_FEW = 0.3


class Codes(NamedTuple):
    """Where something belongs: "DE", "DE.06", "DE.06.06412"; "" where unknown."""

    country: str
    region: str
    district: str


class Known(NamedTuple):
    """The codes the gazetteer has."""

    regions: frozenset[str]
    districts: frozenset[str]


def assign(own: Codes, inside: Sequence[Codes], known: Known) -> Codes:
    """Choose the codes of an outline from its own and from those of the cities inside."""
    own_region = own.region if own.region in known.regions else ""
    # Without a region of its country (French Guiana, Crimea, Christmas Island) it has no say.
    patience = _STRAY_VOTES if own_region.startswith(f"{own.country}.") else 0
    country = _elect((city.country for city in inside), own.country, patience)
    at_home = [city for city in inside if city.country == country]
    votes = (city.region for city in at_home if city.region in known.regions)
    region = _elect(votes, own_region, _STRAY_VOTES)
    if not region.startswith(f"{country}."):
        return Codes(country, "", "")
    votes = (c.district for c in at_home if c.region == region and c.district in known.districts)
    return Codes(country, region, _elect(votes, "", 0))


def _elect(votes: Iterable[str], own: str, patience: int) -> str:
    counts = Counter(votes)
    if not counts:
        return own
    winner, count = min(counts.items(), key=lambda item: (-item[1], item[0]))
    if own and count <= 2 * counts[own] + patience:
        return own
    return winner


class Tally(NamedTuple):
    """How the cities in an outline match those that the gazetteer puts there."""

    right: int  # in the outline, and rightly so
    inside: int  # in the outline
    expected: int  # of that code in the gazetteer

    @property
    def agreement(self) -> float:
        """The share of right ones among all that should or do lie inside."""
        return self.right / (self.inside + self.expected - self.right)


def is_convincing(tally: Tally) -> bool:
    """Tell whether an outline may stand for its code.

    One without any city is believed; with a handful, one misplaced village must not decide.
    """
    if not tally.expected and not tally.inside:
        return True
    few = max(tally.expected, tally.inside) < _FEW_CITIES
    return tally.agreement >= (_LEAST_AGREEMENT_OF_FEW if few else _LEAST_AGREEMENT)
