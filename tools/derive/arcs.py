"""Simplifies outlines so that neighbours still meet.

Simplifying each outline by itself would move a common border twice, differently: places near it
would fall into both areas or into none. So the rings are cut where borders join, every piece is
simplified once, and the rings are put together again from the pieces.

Douglas and Peucker's method is used because it promises that no point of a border moves farther
than the tolerance.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import cos, hypot, radians

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
