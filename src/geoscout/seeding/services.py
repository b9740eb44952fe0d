"""Asks an Overpass or a SPARQL service that a user names, once, and keeps the answer as a file.

The services are run by volunteers: one question for a region, a long patience, and the answer is
kept in geoscout's home, so that the next command asks nobody.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from geoscout.store.disk import replace_file
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.region import Region

if TYPE_CHECKING:
    from http.client import HTTPResponse

_LARGEST_ANSWER = 200_000_000  # bytes
_PATIENCE_SECONDS = 180.0
_KEPT_DAYS = 30.0
_LARGEST_BOX = 10.0  # degrees; services refuse more, and a country is a job for a file
_PARAMETER = {"overpass": "data", "wikidata": "query"}
_OVERPASS = (
    '[out:json][timeout:170];(nwr["website"]({box});nwr["contact:website"]({box}););'
    "out tags center;"
)
_SPARQL = """SELECT ?item ?itemLabel ?website ?coord WHERE {{
  SERVICE wikibase:box {{
    ?item wdt:P625 ?coord .
    bd:serviceParam wikibase:cornerSouthWest "Point({west} {south})"^^geo:wktLiteral .
    bd:serviceParam wikibase:cornerNorthEast "Point({east} {north})"^^geo:wktLiteral .
  }}
  ?item wdt:P856 ?website .
  SERVICE wikibase:label {{ bd:serviceParam wikibase:language "en,mul" . }}
}}"""


def ask_service(service: str, region: Region, home: Path, agent: str) -> Path:
    """The file with the answer of a service, written `overpass=URL` or `wikidata=URL`.

    Raises:
        UsageError: that is not a service, the region is too large for it, or it did not answer.
    """
    kind, _, url = service.partition("=")
    if kind not in _PARAMETER or not url.startswith(("http://", "https://")):
        raise UsageError(f"--ask is overpass=URL or wikidata=URL, not {service!r}")
    query = _query(kind, region)
    name = hashlib.blake2b(f"{url}\n{query}".encode(), digest_size=12).hexdigest()
    file = home / "seeds" / f"{kind}-{name}.json"
    if file.exists() and time.time() - file.stat().st_mtime < _KEPT_DAYS * 86_400:
        return file
    file.parent.mkdir(parents=True, exist_ok=True)
    parameters = urlencode({_PARAMETER[kind]: query, "format": "json"})
    replace_file(file, _answer(f"{url}?{parameters}", agent))
    return file


def _query(kind: str, region: Region) -> str:
    west, south, east, north = _box(region)
    if east - west > _LARGEST_BOX or north - south > _LARGEST_BOX:
        raise UsageError(f"{region.name} is too large to ask a service about: give a file of it")
    if kind == "overpass":
        return _OVERPASS.format(box=f"{south:.5f},{west:.5f},{north:.5f},{east:.5f}")
    return _SPARQL.format(west=west, south=south, east=east, north=north)


def _box(region: Region) -> tuple[float, float, float, float]:
    boxes = [shape.bounding_box for area in region.areas for shape in area.shapes]
    return (
        min(box.west for box in boxes),
        min(box.south for box in boxes),
        max(box.east for box in boxes),
        max(box.north for box in boxes),
    )


def _answer(url: str, agent: str) -> bytes:
    from http.client import HTTPException  # noqa: PLC0415 - slow to import, rarely used
    from urllib.request import Request, urlopen  # noqa: PLC0415

    headers = {"User-Agent": agent, "Accept": "application/sparql-results+json,application/json"}
    request = Request(url, headers=headers)  # noqa: S310 - http only, see above
    try:
        with urlopen(request, timeout=_PATIENCE_SECONDS) as response:  # noqa: S310
            return b"".join(_parts(response))
    except (OSError, HTTPException) as error:
        raise UsageError(f"{url.partition('?')[0]} did not answer: {error}") from error


def _parts(response: HTTPResponse) -> Iterator[bytes]:
    size, until = 0, time.monotonic() + _PATIENCE_SECONDS
    while part := response.read1(1 << 20):
        size += len(part)
        if size > _LARGEST_ANSWER or time.monotonic() > until:
            raise OSError("the answer is too long")
        yield part
