"""Records as rows of a table and back: each value goes by the name of its column (`schema.py`)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from geoscout.store.base import (
    LinksTo,
    PlaceCounts,
    StoredAddress,
    StoredPlace,
    StoredVisit,
    Visit,
)
from geoscout.store.records import unpack_links
from geoscout.store.schema import ADDRESS
from geoscout.warc import unpack
from geoscout_places.model import Address, Place, Point, Precision, Reading
from geoscout_places.urls import normalise

VISIT_FIELDS = StoredVisit.__struct_fields__  # the columns have these names
ADDRESS_FIELDS = tuple(column.name for column in ADDRESS.columns(shared=True) if not column.is_key)
_DEEPEST_PATH = 12  # of places; the gazetteer has seven levels, and a local name is one more


def visit_row(visit: Visit, digest: bytes) -> dict[str, Any]:
    """What a visit is itself, without its number; `digest` is the SHA-1 of the body."""
    request, response, page = visit.request, visit.response, visit.page
    return {
        "url": request.url,
        "node": request.node,
        "status": response.status,
        "relevant": visit.relevant,
        "priority": request.priority,
        "depth": request.depth,
        "distance": request.distance,
        "parent": request.parent,
        "fetched_at": response.fetched_at,
        "seconds": response.seconds,
        "address": response.address,
        "size": len(response.body),
        "title": page.title if page else "",
        "language": page.language if page else "",
        "digest": digest,
        # The integers of databases are signed: the upper half of the hashes becomes negative.
        "simhash": visit.simhash - (1 << 64) if visit.simhash >> 63 else visit.simhash,
        "is_page": page is not None,
        "noindex": visit.noindex,
        "degree": visit.degree,
        "captured_at": response.captured_at,
    }


def as_visit(row: Sequence[Any]) -> StoredVisit:
    """The record of a row with the columns `VISIT_FIELDS`."""
    values = dict(zip(VISIT_FIELDS, row, strict=True))
    values["simhash"] %= 1 << 64
    for flag in ("relevant", "is_page", "noindex"):
        values[flag] = bool(values[flag])
    return StoredVisit(**values)


def address_row(visit: int, position: int, address: Address) -> dict[str, Any]:
    """An address of a visit's page."""
    point, place = address.point, address.place
    return {
        "visit": visit,
        "position": position,
        "start": address.start,
        "end": address.end,
        "text": address.text,
        "house_number": address.house_number,
        "street": address.street,
        "unit": address.unit,
        "city": address.city,
        "region": address.region,
        "postcode": address.postcode,
        "country": address.country,
        "latitude": point.latitude if point else None,
        "longitude": point.longitude if point else None,
        "place": place.id if place else 0,
        "source": address.source,
        "of_site": address.of_site,
        "precision": address.precision or "",
    }


def as_address(row: Sequence[Any]) -> StoredAddress:
    """The record of a row with number, URL and relevance of the visit, then `ADDRESS_FIELDS`."""
    n, url, relevant, *values = row
    found = dict(zip(ADDRESS_FIELDS, values, strict=True))
    latitude, longitude = found.pop("latitude"), found.pop("longitude")
    place_id, precision = found.pop("place"), found.pop("precision")
    address = Address(
        **{**found, "of_site": bool(found["of_site"])},
        point=None if latitude is None else Point(latitude, longitude),
        place=None,
        precision=Precision(precision) if precision else None,
    )
    return StoredAddress(n, url, bool(relevant), address, place_id)


def place_values(place: Place) -> tuple[Any, ...]:
    """The values of a place; `Place.from_row` reads them."""
    return (
        place.id, place.name, place.kind.value, place.point.latitude, place.point.longitude,
        place.country, place.population, place.timezone, place.parent, place.feature,
    )  # fmt: skip


def places_in(reading: Reading) -> Iterator[Place]:
    """Every place that a reading names, with those around them; some come twice."""
    for mention in reading.mentions:
        if mention.place is not None:
            yield mention.place
    for part in reading.scope:
        yield from (*part.path, part.place)
    yield from reading.around


def visit_places(reading: Reading) -> Iterator[tuple[int, int, float, float, bool, int]]:
    """What is kept of each place of a page: its id, how often and how surely it is mentioned.

    Then its share of the page's scope, whether it is what the page is mainly about, and how often
    it is mentioned in what many pages of the site have.
    """
    mentions: Counter[int] = Counter()
    of_site: Counter[int] = Counter()
    confidence: dict[int, float] = {}
    for mention in reading.mentions:
        if mention.place is not None:
            id = mention.place.id
            (of_site if mention.of_site else mentions)[id] += 1
            confidence[id] = max(confidence.get(id, 0.0), mention.confidence)
    main = reading.scope[0].place.id if reading.scope else 0
    scores: dict[int, float] = {}
    for part in reading.scope:
        scores.setdefault(part.place.id, part.score)
    for id in {**scores, **mentions, **of_site}:
        surest, share = confidence.get(id, 0.0), scores.get(id, 0.0)
        yield id, mentions[id], surest, share, id == main, of_site[id]


def as_place(place: Place, path: tuple[str, ...], values: Sequence[Any]) -> StoredPlace:
    """What a page says of a place: the values of `visit_places` without the id."""
    mentions, confidence, score, main, of_site = values
    return StoredPlace(
        place, path, mentions, confidence, score,
        is_main=None if main is None else bool(main), site_mentions=of_site,
    )  # fmt: skip


def as_place_counts(place: Place, path: tuple[str, ...], values: Sequence[int]) -> PlaceCounts:
    """What all pages say of a place, as the stores count it."""
    mentioned_by, about, main_of, mentions = values
    return PlaceCounts(
        place, path, mentioned_by=mentioned_by, about=about, main_of=main_of, mentions=mentions
    )


def place_path(place: Place, find: Callable[[int], Place | None]) -> tuple[str, ...]:
    """The names of the places around a place and its own, from the broad to the narrow."""
    names = [place.name]
    while place.parent and (above := find(place.parent)) and len(names) < _DEEPEST_PATH:
        names.append(above.name)
        place = above
    return tuple(reversed(names))


def find_links_to(
    url: str, rows: Iterable[tuple[str, bytes]], pages: int, most: int, until: float
) -> LinksTo:
    """The pages with a link to a URL, among these with their packed links.

    `pages` is how many there are, and `until` a time of `time.monotonic`.
    """
    host, _, path = url.partition("://")[2].partition("/")
    needle = (path or host).encode()  # most packed rows need not be parsed to rule them out
    found: dict[str, None] = {}
    looked_at = 0
    for source, packed in rows:
        if time.monotonic() > until or len(found) >= most:
            break
        looked_at += 1
        if source not in found and needle in unpack(packed) and _leads(packed, url):
            found[source] = None
    return LinksTo(tuple(found), looked_at, pages)


def _leads(packed: bytes, url: str) -> bool:
    return any(normalise(link.url) == url for link in unpack_links(packed))
