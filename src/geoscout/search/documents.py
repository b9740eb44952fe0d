"""Makes the documents of the index from what the store knows of a page. Pure.

The store keeps how often a place is named, its share of the page's scope, and which place is the
main one. Crawls of an earlier version did not keep the last; there it is found as the geoparser
finds it: from the place with the largest share go down as long as one inside it dominates.

What stands in blocks that many pages of a site have does not count. Only a page that names no
place of its own is found where the address of its site is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.scope import DOMINANT
from geoscout.geo.street_points import is_coarse
from geoscout.index.base import Document, PlaceEvidence, Spot
from geoscout.model import Kind, Place, Point
from geoscout.store.base import StoredAddress, StoredPlace, StoredVisit

# How surely a page belongs to a point: an address whose spot is known, coordinates in its markup,
# the middle of the postal code or town of an address, a town it is about.
ADDRESS_STRENGTH, STATED_STRENGTH, TOWN_STRENGTH, LEAST_SCOPE_STRENGTH = 1.0, 0.9, 0.87, 0.2
_SCOPE_STRENGTH = 0.5  # of the only place of a scope, over the least
_SMALL = (Kind.CITY, Kind.NEIGHBOURHOOD, Kind.LANDMARK)  # the middle of a country says nothing
_STATED_SHARE = 0.5  # the share of a place known by coordinates only


@dataclass(frozen=True, slots=True)
class Facts:
    """What the store has of a page."""

    visit: StoredVisit
    places: Sequence[StoredPlace]
    addresses: Sequence[StoredAddress]
    points: Sequence[Point]  # stated in the markup
    anchor: str = ""


def make_document(facts: Facts, title: str, text: str, gazetteer: Gazetteer) -> Document:
    """The document of a page, whose title and text were read from the archive again."""
    visit, facts = facts.visit, _of_page_itself(facts)
    return Document(
        url=visit.url,
        title=title or visit.title,
        text=text,
        visit=visit.n,
        fetched_at=visit.fetched_at,
        anchor=facts.anchor,
        language=visit.language,
        relevant=visit.relevant,
        places=tuple(_evidence(facts, gazetteer).values()),
        spots=tuple(_spots(facts, gazetteer)),
        addresses=tuple((a.address.start, a.address.end) for a in facts.addresses if _stands(a)),
    )


def _of_page_itself(facts: Facts) -> Facts:
    """The facts without what is only the site's, as far as the page has others."""
    places = [place for place in facts.places if place.mentions or place.score]
    own = [stored for stored in facts.addresses if not stored.address.of_site]
    has_own = own or facts.points or any(place.mentions for place in places)
    return replace(facts, places=places, addresses=own if has_own else facts.addresses)


def _stands(stored: StoredAddress) -> bool:
    return stored.address.end > stored.address.start


def _evidence(facts: Facts, gazetteer: Gazetteer) -> dict[int, PlaceEvidence]:
    main = _main_place(facts.places, gazetteer)
    addressed = {stored.place_id for stored in facts.addresses if stored.place_id}
    found = {
        known.place.id: PlaceEvidence(
            known.place.id,
            known.score,
            known.mentions,
            has_address=known.place.id in addressed,
            is_main=known.place.id == main,
        )
        for known in facts.places
        if not known.place.is_local
    }
    for id in addressed - found.keys():
        found[id] = PlaceEvidence(id, has_address=True)
    # Nobody can ask for a local name; who asks for the place it is near wants the page.
    for id in {known.place.parent for known in facts.places if known.place.is_local}:
        found.setdefault(id, PlaceEvidence(id, mentions=1))
    if not found:
        for place in _around(facts.points, gazetteer):
            found[place.id] = PlaceEvidence(place.id, _STATED_SHARE, is_main=not found)
    return found


def _main_place(places: Sequence[StoredPlace], gazetteer: Gazetteer) -> int:
    """The id of the place a page is mainly about; 0 when it is about none."""
    if any(part.is_main is not None for part in places):
        return next((part.place.id for part in places if part.is_main), 0)
    scope = sorted((p for p in places if p.score > 0), key=lambda p: -p.score)
    if not scope:
        return 0
    main = scope[0]
    for part in scope[1:]:  # the largest first, so each step goes down by one place at most
        inside = gazetteer.is_inside(part.place, main.place)
        if inside and part.score >= DOMINANT * main.score:
            main = part
    return main.place.id


def _around(points: Sequence[Point], gazetteer: Gazetteer) -> list[Place]:
    near = [gazetteer.nearest(point) for point in points]
    return [place for place in near if place is not None]


def _spots(facts: Facts, gazetteer: Gazetteer) -> list[Spot]:
    """The points of a page, the strongest first, none twice."""
    spots: dict[Point, float] = {}
    rough: list[Point] = []
    for stored in facts.addresses:
        town = gazetteer.place(stored.place_id) if stored.place_id else None
        point = stored.address.point
        if not is_coarse(stored.address, town, gazetteer) and point:
            spots[point] = ADDRESS_STRENGTH
        elif middle := point or (town.point if town else None):
            rough.append(middle)
    for point in facts.points:
        spots.setdefault(point, STATED_STRENGTH)
    for point in rough:
        spots.setdefault(point, TOWN_STRENGTH)
    for known in facts.places:
        if known.score > 0 and known.place.kind in _SMALL:
            strength = LEAST_SCOPE_STRENGTH + _SCOPE_STRENGTH * known.score
            spots.setdefault(known.place.point, strength)
    return [Spot(point, strength) for point, strength in spots.items()]
