"""Coordinates and addresses in links to map services, and `geo:` URIs (RFC 5870).

Every service has its own way to write a spot; each is one pattern below. An item has `latitude`
and `longitude` as the link states them, or the `query` that the service was to look for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote_plus

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from geoscout_places.model import Item

_LATITUDE = r"(?P<latitude>-?\d{1,3}(?:\.\d+)?)"
_LONGITUDE = r"(?P<longitude>-?\d{1,3}(?:\.\d+)?)"
_PAIR = rf"{_LATITUDE}(?:,|%2C|%20|\+|;|~|\s)+{_LONGITUDE}"
# What the reference to a map has somewhere, and few others have.
_HINTS = ("geo:", "maps", "openstreetmap", "osm.org", "waze.com", "here.com")
_GEO_URI = re.compile(rf"geo:{_LATITUDE},{_LONGITUDE}", re.IGNORECASE)


class _Service(Struct, frozen=True):
    """A map service: what its addresses look like and how they write a spot."""

    name: str
    address: re.Pattern[str]
    spots: tuple[re.Pattern[str], ...]  # in the order of trust


def _service(name: str, address: str, *spots: str) -> _Service:
    return _Service(
        name, re.compile(rf"(?:https?:)?//(?:{address})"), tuple(map(re.compile, spots))
    )


# What a pin marks is trusted more than what the map is centred on.
_SERVICES = (
    _service(
        "google",
        r"(?:www\.|maps\.)?google(?:apis)?\.[a-z.]{2,6}/(?:maps|local|\?)|maps\.google\.[a-z.]{2,6}/",
        rf"!3d{_LATITUDE}!4d{_LONGITUDE}",
        rf"!2d{_LONGITUDE}!3d{_LATITUDE}",
        rf"[?&](?:q|query|destination|daddr|ll|sll|center|cbll)=(?:loc:)?{_PAIR}(?:[&#(+]|$)",
        rf"[?&]markers=(?:[^&]*(?:\||%7C))?{_PAIR}(?:[&#|]|%7C|$)",
        rf"/(?:place|dir|search)/(?:[^/]*/)?{_LATITUDE},\+?{_LONGITUDE}(?:[/?]|$)",
        rf"/@{_LATITUDE},{_LONGITUDE},",
    ),
    _service(
        "openstreetmap",
        r"(?:www\.)?(?:openstreetmap\.(?:org|de)|osm\.org)/",
        rf"[?&]mlat={_LATITUDE}&mlon={_LONGITUDE}",
        rf"[?&]lat={_LATITUDE}&lon={_LONGITUDE}",
        rf"[?&]marker={_PAIR}",
        rf"#map=\d+(?:\.\d+)?/{_LATITUDE}/{_LONGITUDE}",
    ),
    _service(
        "bing",
        r"(?:www\.)?bing\.com/maps|maps\.bing\.com",
        rf"[?&](?:sp|rtp)=[^&]*(?:point|pos)\.{_LATITUDE}_{_LONGITUDE}",
        rf"[?&](?:cp|where1|ss)={_PAIR}",
    ),
    _service(
        "apple",
        r"maps\.apple\.com",
        rf"[?&](?:ll|sll|coordinate|daddr|q|near)={_PAIR}(?:[&#]|$)",
    ),
    _service(
        "waze",
        r"(?:www\.|ul\.|embed\.)?waze\.com/",
        rf"[?&](?:ll|latlng)={_PAIR}",
        rf"[?&]to=ll\.{_PAIR}",
        rf"[?&]lat={_LATITUDE}&lon={_LONGITUDE}",
    ),
    _service(
        "here",
        r"(?:www\.|share\.|wego\.)?here\.com/",
        rf"[?&]map={_PAIR}",
        rf"/[lr]/(?:[^/]*/)?{_LATITUDE},{_LONGITUDE}",
    ),
)
_QUERY = re.compile(r"[?&](?:q|query|daddr|destination|address|where1|saddr)=([^&#]+)")
_PLACE_PATH = re.compile(r"/maps/(?:place|search|dir/[^/]*)/([^/@?]+)")
_LONGEST = 4000  # characters
_LONGEST_QUERY = 200
_MOST = 100


def read_maps(references: Sequence[str]) -> list[Item]:
    """The items of the references that name a spot or an address, each once."""
    found: dict[Item, None] = {}
    together = "\n".join(references).lower()
    if not any(hint in together for hint in _HINTS):
        return []
    for reference in references:
        if len(reference) <= _LONGEST and len(found) < _MOST:
            item = read_reference(reference)
            if item is not None:
                found.setdefault(item)
    return list(found)


def map_pictures(tree: LexborHTMLParser) -> list[str]:
    """Where the pictures of maps come from: their addresses hold the spot, too."""
    return [node.attributes.get("src") or "" for node in tree.css("img[src*=staticmap]")]


def read_reference(reference: str) -> Item | None:
    """The item of one reference; None when it leads to no map.

    >>> read_reference("geo:48.137,11.575;u=35").properties
    (('latitude', '48.137'), ('longitude', '11.575'))
    """
    reference = reference.strip()
    uri = _GEO_URI.match(reference)
    if uri:
        return Item("geo-uri", (), _spot(uri))
    for service in _SERVICES:
        if service.address.match(reference):
            properties = tuple(_properties(reference, service))
            return Item("map-link", (service.name,), properties) if properties else None
    return None


def _properties(reference: str, service: _Service) -> Iterator[tuple[str, str | Item]]:
    found = next(filter(None, (spot.search(reference) for spot in service.spots)), None)
    if found:
        yield from _spot(found)
    query = _QUERY.search(reference) or _PLACE_PATH.search(reference)
    if query:
        text = " ".join(unquote_plus(query[1]).split())
        if any(map(str.isalpha, text)) and len(text) <= _LONGEST_QUERY:
            yield "query", text


def _spot(found: re.Match[str]) -> tuple[tuple[str, str | Item], ...]:
    return ("latitude", found["latitude"]), ("longitude", found["longitude"])
