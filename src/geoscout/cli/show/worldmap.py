"""A small map as SVG, drawn from the boundaries the gazetteer ships: no tiles, no network."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from math import cos, radians

from geoscout_places.gazetteer import Gazetteer
from geoscout_places.gazetteer.areas.boundaries import country_boundaries
from geoscout_places.gazetteer.areas.shapes import Polygon, Ring
from geoscout_places.model import Point, Reading

WIDTH, HEIGHT = 480.0, 300.0
_MARGIN = 0.25  # of the extent of the points, on each side
_SMALLEST = 2.0  # degrees: a single town is shown with its surroundings
Frame = tuple[float, float, float, float]  # west, south, east, north

Dot = tuple[Point, str, str]  # where, class, label


def draw_map(reading: Reading, gazetteer: Gazetteer) -> str:
    """The places of a reading on the land around them; "" when there are none."""
    dots = list(_dots(reading, gazetteer))
    if not dots:
        return ""
    frame = _frame([point for point, _, _ in dots])
    land = "".join(_outline(shape, frame) for shape in country_boundaries().values())
    circles = "".join(
        f'<circle class="{kind}" cx="{_x(p.longitude, frame):.1f}" cy="{_y(p.latitude, frame):.1f}"'
        f' r="4.5"><title>{escape(label)}</title></circle>'
        for p, kind, label in dots
    )
    return (
        f'<svg viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="map of the places">'
        f"{land}{circles}</svg>"
    )


def _dots(reading: Reading, gazetteer: Gazetteer) -> Iterator[Dot]:
    seen = set()
    for mention in reading.mentions:
        if mention.place and mention.place.id not in seen:
            seen.add(mention.place.id)
            yield mention.place.point, "place", gazetteer.label(mention.place)
    for address in reading.addresses:
        if address.point:
            yield address.point, "address", f"{address.street} {address.house_number}"


def _frame(points: Iterable[Point]) -> Frame:
    """A frame around the points with the shape of a map page."""
    listed = list(points)
    latitudes = [p.latitude for p in listed]
    longitudes = [p.longitude for p in listed]
    latitude = (min(latitudes) + max(latitudes)) / 2
    longitude = (min(longitudes) + max(longitudes)) / 2
    # A degree of longitude is shorter than one of latitude, the more so the farther north.
    widening = WIDTH / HEIGHT / max(cos(radians(latitude)), 0.2)
    spread = max(max(latitudes) - min(latitudes), (max(longitudes) - min(longitudes)) / widening)
    half = max(spread * (0.5 + _MARGIN), _SMALLEST)
    return (
        longitude - widening * half,
        latitude - half,
        longitude + widening * half,
        latitude + half,
    )


def _x(longitude: float, frame: Frame) -> float:
    return (longitude - frame[0]) / (frame[2] - frame[0]) * WIDTH


def _y(latitude: float, frame: Frame) -> float:
    return (frame[3] - latitude) / (frame[3] - frame[1]) * HEIGHT


def _outline(shape: Polygon, frame: Frame) -> str:
    """The rings that reach into the frame; some countries go beyond 180 degrees."""
    rings = "".join(
        "M" + " ".join(f"{_x(x + turn, frame):.1f},{_y(y, frame):.1f}" for x, y in ring) + "Z"
        for ring in shape.rings
        for turn in (-360, 0, 360)
        if _reaches(ring, turn, frame)
    )
    return f'<path class="land" d="{rings}"/>' if rings else ""


def _reaches(ring: Ring, turn: float, frame: Frame) -> bool:
    west, south, east, north = frame
    longitudes, latitudes = [x for x, _ in ring], [y for _, y in ring]
    return (
        max(longitudes) + turn >= west
        and min(longitudes) + turn <= east
        and max(latitudes) >= south
        and min(latitudes) <= north
    )
