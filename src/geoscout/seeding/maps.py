"""What maps, Wikidata and Wikipedia say of websites and where they are, and who is asked for it.

In a dump of Wikidata, P856 is the official website and P625 the coordinates. In the answer of a
SPARQL service (`application/sparql-results+json`) any column that holds URLs of websites is taken,
the one that holds a point (`Point(8.21 53.14)`) says where it is, and one that ends in "Label" is
the name. Of Wikipedia, `…-geo_tags.sql.gz` has the coordinates of articles, and
`…-externallinks.sql.gz` their links. Both are statements of SQL, each with thousands of rows:
(12,'https://de.example.www.','/path'),(13,…

`ask_service` asks an Overpass or a SPARQL service that a user names, once, and keeps the answer as
a file. The services are run by volunteers: one question for a region, a long patience, and the
answer is kept in geoscout's home, so that the next command asks nobody.
"""

import hashlib
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import orjson

from geoscout.crawl_folder import replace_file
from geoscout.named_service import ask_named
from geoscout.osm.files import read_objects
from geoscout.seeding.lists import SeedHint, opened
from geoscout_places.errors import ImportFileError, UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Point
from geoscout_places.urls import host_of, normalise, registrable_domain

# Things whose sites lead to much of their town.
_HUBS = frozenset(
    {
        "amenity=townhall", "amenity=community_centre", "amenity=library", "office=government",
        "tourism=information", "office=association", "amenity=university",
    }
)  # fmt: skip


def hints_of_map(path: Path, region: Region) -> Iterator[SeedHint]:
    """The websites of a file of OpenStreetMap, also those elsewhere: they tell chains."""
    for one in read_objects(path):
        websites = () if one.is_closed else one.websites
        for url in websites:
            yield SeedHint(
                url, "OpenStreetMap", one.name,
                inside=region.contains_point(one.point),
                is_hub=not _HUBS.isdisjoint(one.categories),
            )  # fmt: skip


_SOURCE = "Wikidata"
_POINT = re.compile(r"^\s*Point\(\s*([-\d.eE+]+)\s+([-\d.eE+]+)\s*\)", re.IGNORECASE)
_OF_WIKI = re.compile(r"^https?://([\w-]+\.)*(wikidata|wikipedia|wikimedia|openstreetmap)\.org/")
_LARGEST_ANSWER = 500_000_000  # bytes
_WEBSITE, _COORDINATES = "P856", "P625"
_LANGUAGES = ("en", "mul", "de", "fr", "es", "it", "pt")  # of labels, the first that there is


def hints_of_answer(path: Path, region: Region) -> Iterator[SeedHint]:
    """The websites in an answer of a SPARQL service."""
    with opened(path) as stream:
        content = stream.read(_LARGEST_ANSWER)
    try:
        rows = orjson.loads(content)["results"]["bindings"]
        cells = [{name: str(cell["value"]) for name, cell in row.items()} for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ImportFileError(f"{path} is not the JSON of a SPARQL service") from error
    for row in cells:
        yield from _hints_of_row(row, region)


def _hints_of_row(row: Mapping[str, str], region: Region) -> Iterator[SeedHint]:
    points = [point for value in row.values() if (point := _point(value))]
    inside = region.contains_point(points[0]) if points else None
    title = next((value for name, value in row.items() if name.endswith("Label")), "")
    for value in row.values():
        if value.startswith(("http://", "https://")) and not _OF_WIKI.match(value):
            url = normalise(value)
            # A query without coordinates asked for things of the region, or it would be of no use.
            if url:
                yield SeedHint(url, _SOURCE, title, inside=True if inside is None else inside)


def hints_of_dump(path: Path, region: Region) -> Iterator[SeedHint]:
    """The websites of the things in a dump that have coordinates; one thing a line."""
    with opened(path) as stream:
        for line in stream:
            if b'"P856"' in line and b'"P625"' in line:
                yield from _hints_of_entity(line.strip().rstrip(b","), region)


def _hints_of_entity(line: bytes, region: Region) -> Iterator[SeedHint]:
    try:
        entity = orjson.loads(line)
        claims = entity["claims"]
        where = _values(claims[_COORDINATES])[0]
        point = Point(float(where["latitude"]), float(where["longitude"]))
        websites = [str(value) for value in _values(claims[_WEBSITE])]
    except (ValueError, KeyError, TypeError, IndexError):
        return  # one damaged line, or a thing with a website and "unknown" for its coordinates
    inside = region.contains_point(point)
    for url in filter(None, map(normalise, websites)):
        yield SeedHint(url, _SOURCE, _label(entity), inside=inside)


def _values(claims: list[Mapping[str, Any]]) -> list[Any]:
    """The values of a property, without those that are out of date."""
    return [
        claim["mainsnak"]["datavalue"]["value"]
        for claim in claims
        if claim.get("rank") != "deprecated" and "datavalue" in claim["mainsnak"]
    ]


def _label(entity: Mapping[str, Any]) -> str:
    labels = entity.get("labels") or {}
    codes = [code for code in _LANGUAGES if code in labels] or list(labels)[:1]
    return str(labels[codes[0]].get("value", "")) if codes else ""


def _point(text: str) -> Point | None:
    match = _POINT.match(text)
    try:
        return Point(float(match[2]), float(match[1])) if match else None
    except ValueError:
        return None


_INSERTED = b" VALUES "
_ROW = re.compile(rb"\(((?:[^()']|'(?:[^'\\]|\\.)*')*)\)")
_FIELD = re.compile(rb"'((?:[^'\\]|\\.)*)'|([^,']+)")
_ESCAPED = re.compile(rb"\\(.)")
# Cited everywhere, and of no town.
_CITED = frozenset(
    "archive.org d-nb.info doi.org google.com jstor.org loc.gov viaf.org wikidata.org wikimedia.org"
    " wikipedia.org wmcloud.org wmflabs.org worldcat.org youtube.com".split()
)


def articles_inside(path: Path, region: Region) -> frozenset[int]:
    """The numbers of the articles whose coordinates are in the region.

    The columns are gt_id, gt_page_id, gt_globe, gt_primary, gt_lat, gt_lon and more.
    """
    found = set()
    for row in _rows(path):
        try:
            globe, is_primary = row[2], row[3] == b"1"
            point, article = Point(float(row[4]), float(row[5])), int(row[1])
        except (IndexError, ValueError):
            continue
        if globe == b"earth" and is_primary and region.contains_point(point):
            found.add(article)
    return frozenset(found)


def hints_of_articles(path: Path, articles: frozenset[int]) -> Iterator[SeedHint]:
    """The links of these articles to other sites."""
    for row in _rows(path):
        if len(row) > 2 and _number(row[1]) in articles:
            url = normalise(_link(row))
            if url and registrable_domain(host_of(url)) not in _CITED:
                yield SeedHint(url, "Wikipedia", inside=True)


def _link(row: list[bytes]) -> str:
    """The URL of a row: in two columns since 2023, the host backwards, before that in one."""
    first = row[2].decode("utf-8", "replace")
    scheme, found, host = first.partition("://")
    if not found or not host.endswith("."):
        return first
    path = row[3].decode("utf-8", "replace") if len(row) > 3 else "/"
    return f"{scheme}://{'.'.join(reversed(host.rstrip('.').split('.')))}{path}"


def _number(text: bytes) -> int:
    """A number of at most twenty digits; -1 for anything else."""
    return int(text) if len(text) <= 20 and text.isdigit() else -1


def _rows(path: Path) -> Iterator[list[bytes]]:
    """The rows that the statements insert; NULL is an empty field."""
    with opened(path) as stream:
        for line in stream:
            start = line.find(_INSERTED)
            if line.startswith(b"INSERT INTO") and start >= 0:
                for row in _ROW.finditer(line, start + len(_INSERTED)):
                    yield [_field(match) for match in _FIELD.finditer(row[1])]


def _field(match: re.Match[bytes]) -> bytes:
    quoted, plain = match.groups()
    if quoted is not None:
        return _ESCAPED.sub(rb"\1", quoted)
    return b"" if plain == b"NULL" else plain.strip()


_LARGEST_REPLY = 200_000_000  # bytes
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
    """The file with the answer of a service, written `overpass=URL` or `wikidata=URL`."""
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
    headers = {"User-Agent": agent, "Accept": "application/sparql-results+json,application/json"}
    try:
        return ask_named(url, headers, most_bytes=_LARGEST_REPLY, seconds=_PATIENCE_SECONDS)
    except OSError as error:
        raise UsageError(f"{url.partition('?')[0]} did not answer: {error}") from error
