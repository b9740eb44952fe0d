"""The two measures of a link: how near its places lie to each other, and how much it is about them.

`corr`, the spatial correlation: the paper prints `1 - distance` without a unit (K-2 in
docs/rank.md), so the distance is measured against a reference length. Which one is an option: by
default the mainland of the countries the crawl is about, since half way round the globe no pair
inside one country would ever be far apart.

`focus`: the paper divides the toponyms of "the anchor text" by its terms, and elsewhere speaks of a
window of 50 tokens. Both readings are here (K-5 and K-6).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise
from math import exp

from geoscout.strategy.rank.structure import Context
from geoscout_places.gazetteer.areas.boundaries import decode_rings
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.shapes import Ring, measure_diameter
from geoscout_places.gazetteer.areas.sphere import HALF_WAY_ROUND_KM, distance_km, wrap_longitude
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Kind, Place, Point

_TERM = re.compile(r"\w[\w'’.-]*")
_ANCHOR = ("anchor",)
_WINDOW = ("anchor", "before", "after")


def mean_distance_km(places: Sequence[Place]) -> float:
    """The mean great-circle distance over all pairs; 0 where there is none."""
    pairs = len(places) * (len(places) - 1) // 2
    if not pairs:
        return 0.0
    return sum(distance_km(a.point, b.point) for a, b in combinations(places, 2)) / pairs


def correlation(mean_km: float, reference_km: float) -> float:
    """1 for places at one spot, 0 for those as far apart as the reference length.

    >>> round(correlation(4.0, 4500.0), 3), correlation(9000.0, 4500.0)
    (0.999, 0.0)
    """
    if reference_km <= 0:
        return 1.0 if mean_km <= 0 else 0.0
    return min(1.0, max(0.0, 1.0 - mean_km / reference_km))


def decaying_correlation(mean_km: float, scale_km: float) -> float:
    """The same with a decay in place of a straight line: half at 0.69 of the scale."""
    return exp(-mean_km / scale_km)


def reference_area_km(region: Region | None, gazetteer: Gazetteer) -> float:
    """The greatest distance in the mainland of the region's countries; in the region without.

    Mainland, because Alaska and Réunion are not what "the United States" and "France" mean here:
    the contiguous states measure some 4,600 km, with Hawaii it would be 8,900. Without a region
    it is half way round the globe.
    """
    if region is None:
        return HALF_WAY_ROUND_KM
    mainlands = [_mainland(code, gazetteer) for code in sorted(region.countries)]
    outline = [point for mainland in mainlands for point in mainland]
    return measure_diameter(outline) or region.diameter_km or HALF_WAY_ROUND_KM


def _mainland(country: str, gazetteer: Gazetteer) -> list[Point]:
    """The outline of the largest part of a country; empty where no boundary is known."""
    for candidate in gazetteer.candidates(country):
        place = candidate.place
        if place.kind is Kind.COUNTRY and place.country == country:
            boundary = gazetteer.boundary(place)
            if boundary is not None:
                ring = max(decode_rings(boundary).rings, key=_area)
                return [Point(latitude, wrap_longitude(x)) for x, latitude in ring]
    return []


def _area(ring: Ring) -> float:
    """Twice the area on the map; good enough to tell a mainland from its islands."""
    closed = (*ring, ring[0])
    return abs(sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(closed)))


def focus_in(context: Context, text: str, count: str) -> float:
    """The share of place names, from 0 to 1; 0 where there are no terms.

    `text` is "anchor", "window" or "anchor-or-window": the window where the anchor has no terms.
    `count` is "entities", where New York is one, or "tokens", where it is two.
    """
    if not context.evidence:
        return 0.0
    if text == "window" or (text == "anchor-or-window" and not _TERM.search(context.anchor)):
        texts = (context.before, context.anchor, context.after)
        return _share(context, _WINDOW, sum(map(_count_terms, texts)), count)
    return _share(context, _ANCHOR, _count_terms(context.anchor), count)


def _share(context: Context, sources: tuple[str, ...], terms: int, count: str) -> float:
    found = [piece.toponym for piece in context.evidence if piece.source in sources]
    if not found or not terms:
        return 0.0
    named = sum(toponym.words for toponym in found) if count == "tokens" else len(found)
    return min(1.0, named / terms)


def _count_terms(text: str) -> int:
    return len(_TERM.findall(text)) if text else 0
