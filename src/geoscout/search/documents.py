"""Makes the documents of the index from what the store knows of a page. Pure.

What stands in blocks that many pages of a site have does not count. Only a page that names no
place of its own is found where the address of its site is. The markup states a date, and named
things with coordinates, which become landmarks.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from geoscout.index.base import Document, Evidence, KnownSpot, PlaceEvidence, Spot
from geoscout.index.schema import house_key, landmark_key, street_key
from geoscout.store.base import StoredAddress, StoredPlace, StoredVisit
from geoscout_places.gazetteer.areas.region_areas import estimate_radius_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.structured import every_item, first_text, point_around, stated_precision
from geoscout_places.model import Item, Kind, Page, Place, Point, Precision

_CHANGED = ("dateModified", "datePublished", "dateCreated")  # what tells most of the content first
_CHANGED_META = (
    "article:modified_time", "og:updated_time", "last-modified", "article:published_time",
    "date", "dc.date", "dcterms.modified", "dcterms.created",
)  # fmt: skip
_PAGES = ("article", "posting", "page")  # how the types of things end that are pages
_EVENT = "event"  # its name says nothing of the place where it is
_LONGEST_NAME = 80
_MOST_LANDMARKS = 50  # of a page


class StatedLandmark(NamedTuple):
    """Something with a name and coordinates."""

    name: str
    latitude: float
    longitude: float


def date_of(page: Page) -> float:
    """When a page was changed or published, as it says, in seconds since the epoch; 0 for never."""
    stated = (*_dates_of_items(page), *_dates_of_meta(page))
    return next((time for text in stated if (time := _seconds(text))), 0.0)


def landmarks_of(page: Page) -> tuple[StatedLandmark, ...]:
    """The things that a page gives the coordinates of, each once."""
    found: dict[StatedLandmark, None] = {}
    for item in every_item(page.items):
        name = " ".join(first_text(item, "name").split())
        point = point_around(item) if 0 < len(name) <= _LONGEST_NAME and _has_place(item) else None
        if point is not None:
            found[StatedLandmark(name, point.latitude, point.longitude)] = None
        if len(found) == _MOST_LANDMARKS:
            break
    return tuple(found)


def _has_place(item: Item) -> bool:
    return bool(item.types) and not any(kind.lower().endswith(_EVENT) for kind in item.types)


def _dates_of_items(page: Page) -> Iterator[str]:
    pages = [item for item in page.items if any(t.lower().endswith(_PAGES) for t in item.types)]
    for name in _CHANGED:
        yield from (text for item in pages if (text := first_text(item, name)))


def _dates_of_meta(page: Page) -> Iterator[str]:
    stated = dict(reversed(page.meta))
    yield from (stated[name] for name in _CHANGED_META if name in stated)


def _seconds(text: str) -> float:
    """The seconds since the epoch of a time as ISO 8601 writes it; 0 for anything else.

    >>> _seconds("1970-01-02T01:00:00+0100"), _seconds("1970-01-02"), _seconds("yesterday")
    (86400.0, 86400.0, 0.0)
    """
    try:
        time = datetime.fromisoformat(text.strip())
        return max(0.0, (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return 0.0


# How surely a page belongs to a point: an address whose spot is known, coordinates in its markup,
# the middle of the postal code or town of an address, a town it is about.
ADDRESS_STRENGTH, STATED_STRENGTH, TOWN_STRENGTH, LEAST_SCOPE_STRENGTH = 1.0, 0.9, 0.87, 0.2
# How far from the point a page may really be; a town's is by the size of the town.
_REACH_KM = {
    Precision.HOUSE: 0.05, Precision.STREET: 0.3, Precision.POSTCODE: 2.0, Precision.TOWN: 10.0,
    Precision.REGION: 50.0,
}  # fmt: skip
_SCOPE_STRENGTH = 0.5  # of the only place of a scope, over the least
_SMALL = (Kind.CITY, Kind.NEIGHBOURHOOD, Kind.LANDMARK)  # the middle of a country says nothing
# The share of a page's scope from which it is found at a town it names; a page with an address or
# coordinates elsewhere must be about the town, too.
_LEAST_SHARE, _ELSEWHERE_SHARE = 0.1, 0.3
_STATED_SHARE = 0.5  # the share of a place known by coordinates only
_DAY = 86_400.0  # seconds; a date further ahead than clocks differ is not that of the page
_TEXT = "text"  # the source of an address that stands in the text of its page


@dataclass(frozen=True, slots=True)
class Facts:
    """What the store has of a page."""

    visit: StoredVisit
    places: Sequence[StoredPlace]
    addresses: Sequence[StoredAddress]
    points: Sequence[Point]  # stated in the markup
    anchor: str = ""


def make_document(facts: Facts, page: Page, gazetteer: Gazetteer) -> Document:
    """The document of a page."""
    visit, facts = facts.visit, _of_page_itself(facts)
    dated_at = date_of(page)
    return Document(
        url=visit.url,
        title=page.title or visit.title,
        text=page.text,
        visit=visit.n,
        fetched_at=visit.answered_at,
        anchor=facts.anchor,
        language=visit.language,
        relevant=visit.relevant,
        places=tuple(_evidence(facts, gazetteer).values()),
        spots=tuple(_spots(facts, gazetteer)),
        addresses=tuple((a.address.start, a.address.end) for a in facts.addresses if _stands(a)),
        dated_at=dated_at if dated_at <= visit.fetched_at + _DAY else 0.0,
        evidence=tuple(_kinds_of_evidence(facts)),
        listed=len({stored.address.text for stored in facts.addresses}),
        known=tuple(known_spots_of(facts, landmarks_of(page), gazetteer)),
    )


def _of_page_itself(facts: Facts) -> Facts:
    """The facts without what is only the site's, as far as the page has others."""
    places = [place for place in facts.places if place.mentions or place.score]
    own = [stored for stored in facts.addresses if not stored.address.of_site]
    has_own = own or facts.points or any(place.mentions for place in places)
    return replace(facts, places=places, addresses=own if has_own else facts.addresses)


def _kinds_of_evidence(facts: Facts) -> Iterator[Evidence]:
    if facts.addresses:
        yield Evidence.ADDRESS
    if any(place.mentions for place in facts.places):
        yield Evidence.NAME
    if facts.points or any(stored.address.source != _TEXT for stored in facts.addresses):
        yield Evidence.MARKUP


def known_spots_of(
    facts: Facts, landmarks: Iterable[StatedLandmark], gazetteer: Gazetteer
) -> Iterator[KnownSpot]:
    """The houses, streets and landmarks that a page gives, each once.

    A page with one address and one pair of coordinates tells where that house is.
    """
    found: dict[tuple[str, int], KnownSpot] = {}
    for stored in facts.addresses:
        address = stored.address
        street = street_key(address.street)
        key = house_key(address.street, address.house_number)
        if street:
            spot = _spot_of_address(stored, gazetteer)
            known = KnownSpot(key or street, stored.place_id, spot, street if key else "")
            found.setdefault((known.key, known.place_id), known)
    if len(found) == 1 == len(facts.points):
        (only,) = found.values()
        yield replace(only, spot=_stated_spot(facts.points[0]))
    else:
        yield from found.values()
    for name, latitude, longitude in landmarks:
        if key := landmark_key(name):
            yield KnownSpot(key, 0, _stated_spot(Point(latitude, longitude)))


def _stands(stored: StoredAddress) -> bool:
    return stored.address.end > stored.address.start


def _evidence(facts: Facts, gazetteer: Gazetteer) -> dict[int, PlaceEvidence]:
    addressed = {stored.place_id for stored in facts.addresses if stored.place_id}
    found = {
        known.place.id: PlaceEvidence(
            known.place.id,
            known.score,
            known.mentions,
            has_address=known.place.id in addressed,
            is_main=known.is_main,
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


def _around(points: Sequence[Point], gazetteer: Gazetteer) -> list[Place]:
    near = [gazetteer.nearest(point) for point in points]
    return [place for place in near if place is not None]


def _spots(facts: Facts, gazetteer: Gazetteer) -> list[Spot]:
    """The points of a page, the strongest first, none twice."""
    found = [spot for a in facts.addresses if (spot := _spot_of_address(a, gazetteer))]
    found += [_stated_spot(point) for point in facts.points]
    found.sort(key=lambda spot: -spot.strength)
    addressed = {stored.place_id for stored in facts.addresses}
    least = _ELSEWHERE_SHARE if found else _LEAST_SHARE
    for known in facts.places:
        is_there = known.score >= least or (known.score > 0 and known.place.id in addressed)
        if is_there and known.place.kind in _SMALL:
            strength = LEAST_SCOPE_STRENGTH + _SCOPE_STRENGTH * known.score
            found.append(_middle_of(known.place, strength))
    spots: dict[Point, Spot] = {}
    for spot in found:
        spots.setdefault(spot.point, spot)
    return list(spots.values())


def _spot_of_address(stored: StoredAddress, gazetteer: Gazetteer) -> Spot | None:
    address = stored.address
    town = gazetteer.place(stored.place_id) if stored.place_id else None
    if address.point is None:
        return _middle_of(town, TOWN_STRENGTH) if town else None
    precision = address.precision or Precision.POSTCODE
    if town and not precision.is_exact and precision is not Precision.POSTCODE:
        return _middle_of(town, TOWN_STRENGTH)
    strength = ADDRESS_STRENGTH if precision.is_exact else TOWN_STRENGTH
    return Spot(address.point, strength, precision, _REACH_KM[precision])


def _stated_spot(point: Point) -> Spot:
    precision = stated_precision(point)
    is_wide = precision in (Precision.TOWN, Precision.REGION)
    strength = TOWN_STRENGTH if is_wide else STATED_STRENGTH
    return Spot(point, strength, precision, _REACH_KM[precision])


def _middle_of(place: Place, strength: float) -> Spot:
    return Spot(place.point, strength, place.precision, estimate_radius_km(place))
