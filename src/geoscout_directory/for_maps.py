"""What a thing's own website says of it, for those who keep maps.

Maps take facts from the website of the thing itself and not from directories and advertisers. A
page is the thing's own when its domain is that of the thing's website, and no other things have
their website there, unless by names that are alike: the branches of a chain.

The forms are GeoJSON as All The Places writes it, tasks of MapRoulette, and GeoParquet as Overture
writes its places: version 2.0 of its schema, as the package `overture-schema` has it. Of All The
Places each file is the work of one spider; here that is the crawl, whose name is `geoscout_` and
that of its folder. Points are given only where they are those of a house or street: a shop at the
middle of its postal code would be on the map at a wrong spot.
"""

import base64
import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib import import_module
from itertools import islice
from types import ModuleType
from typing import Any, BinaryIO

import orjson
from msgspec import Struct
from msgspec.structs import replace
from rapidfuzz.fuzz import token_set_ratio

from geoscout.store.records import date_text
from geoscout_directory.brands import brand_of
from geoscout_directory.contacts import is_shared
from geoscout_directory.likeness import name_form
from geoscout_directory.listing.finding import ListedEntry, SourcePage
from geoscout_directory.merging import make_entry
from geoscout_directory.records import DirectoryEntry, MapStatus, PageEntry
from geoscout_places.extras import import_extra
from geoscout_places.model import Address, Point
from geoscout_places.urls import domain_of

MAP_FORMATS = ("atp", "maproulette", "overture")
LINEAGE = "S_ATP_AGGREGATORS"  # in the words of All The Places: one program for many sites
_ADDRESS = {
    "house_number": "addr:housenumber",
    "street": "addr:street",
    "city": "addr:city",
    "region": "addr:state",
    "postcode": "addr:postcode",
    "country": "addr:country",
}
_SOURCES = {"name": "name", "address": "addr", "phones": "phone", "mails": "email"}
Pages = Callable[[str], Mapping[str, SourcePage]]  # of an entry, by their URLs
_MOST_NAMES = 3  # of different things at one website; more make it a list
_GROUP = 10_000  # rows that Parquet has together
_CORNERS = ("xmin", "xmax", "ymin", "ymax")
_POINTERS = {"/names": "name", "/addresses": "address", "/phones": "phones", "/emails": "mails"}
_ALIKE = 80  # of 100; branches of a chain are called alike


class Source(Struct, frozen=True):
    """Where a value of an entry stands, and when that was seen."""

    url: str
    answered_at: float  # seconds since the epoch; 0 where it is not known


class OwnSites:
    """Which websites are those of the things that they describe."""

    def __init__(self, entries: Iterable[DirectoryEntry]) -> None:
        names: dict[str, list[str]] = defaultdict(list)
        for entry in entries:
            for domain in {domain_of(said.url) for said in entry.said if _claims(said)}:
                form = name_form(entry.name)
                if all(token_set_ratio(form, other) < _ALIKE for other in names[domain]):
                    names[domain].append(form)
        self._lists = {domain for domain, found in names.items() if len(found) > _MOST_NAMES}

    def is_list(self, domain: str) -> bool:
        """Whether a website is that of a guide: it names things that are not called alike."""
        return domain in self._lists

    def reduced(self, entry: DirectoryEntry) -> DirectoryEntry | None:
        """The entry as its own website tells it; None where that says nothing of it."""
        own = [s for s in entry.said if _claims(s) and not self.is_list(domain_of(s.url))]
        return replace(make_entry(own, ()), id=entry.id, map=entry.map) if own else None


def _claims(said: PageEntry) -> bool:
    """Whether a page says that it is part of the thing's website."""
    return (
        said.is_own and not is_shared(said.url) and domain_of(said.url) == domain_of(said.website)
    )


def sources_of(entry: DirectoryEntry, pages: Mapping[str, SourcePage]) -> dict[str, Source]:
    """For each field that has a value the most trusted page that says it."""
    found: dict[str, Source] = {}
    for said in entry.said:
        page = pages.get(said.url)
        source = Source(said.url, page.answered_at if page else 0.0)
        for field in _fields_said(said, entry):
            found.setdefault(field, source)
    return found


def _fields_said(said: PageEntry, entry: DirectoryEntry) -> Iterator[str]:
    """The fields of an entry that have their values from a page."""
    if said.name == entry.name:
        yield "name"
    if said.address is not None and said.address == entry.address:
        yield "address"
    if entry.phones and entry.phones[0] in said.phones:
        yield "phones"
    if entry.mails and entry.mails[0] in said.mails:
        yield "mails"
    if entry.hours and said.hours == entry.hours:
        yield "hours"


def write_map_format(
    entries: Iterable[ListedEntry], pages: Pages, format: str, stream: BinaryIO, crawl: str
) -> None:
    """Write entries in a format of `MAP_FORMATS`; `crawl` is the name of their crawl."""
    spider = f"geoscout_{crawl}"
    if format == "atp":
        _write_collection(entries, pages, stream, spider)
    elif format == "overture":
        _write_places(entries, pages, stream, spider)
    else:
        for listed in entries:
            if task := as_task(listed, pages(listed.id)):
                stream.write(b"\x1e" + orjson.dumps(task) + b"\n")  # RFC 8142


def _write_collection(
    entries: Iterable[ListedEntry], pages: Pages, stream: BinaryIO, spider: str
) -> None:
    attributes = {
        "@spider": spider,
        "spider:collection_time": datetime.now(UTC).isoformat(),
        "spider:lineage": LINEAGE,
    }
    stream.write(b'{"type":"FeatureCollection","dataset_attributes":' + orjson.dumps(attributes))
    stream.write(b',"features":[\n')
    separator = b""
    for listed in entries:
        feature = as_feature(listed, pages(listed.id), spider)
        stream.write(separator + orjson.dumps(feature))
        separator = b",\n"
    stream.write(b"\n]}\n")


def as_feature(listed: ListedEntry, pages: Mapping[str, SourcePage], spider: str) -> dict[str, Any]:
    """An entry as a feature of All The Places."""
    identity = hashlib.sha1(f"{listed.id}{spider}".encode(), usedforsecurity=False).digest()
    return {
        "type": "Feature",
        "id": base64.urlsafe_b64encode(identity).decode(),
        "properties": {"ref": listed.id, "@spider": spider, **tags_of(listed, pages)},
        "geometry": _geometry(_exact_point(listed.entry)),
    }


def tags_of(listed: ListedEntry, pages: Mapping[str, SourcePage]) -> dict[str, str]:
    """What is known of an entry as tags of OpenStreetMap, each fact with its page and day."""
    entry, sources = listed.entry, sources_of(listed.entry, pages)
    parts = entry.address.parts() if entry.address else {}
    brand = brand_of(entry)
    tags = {
        "name": entry.name,
        **dict(category.split("=", 1) for category in reversed(entry.categories)),
        **{_ADDRESS[part]: value for part, value in parts.items() if part in _ADDRESS},
        "addr:street_address": entry.street_line,
        "brand": brand.name if brand else "",
        "brand:wikidata": brand.wikidata if brand else "",
        "nsi_id": brand.id if brand else "",
        "phone": ";".join(entry.phones),
        "email": ";".join(entry.mails),
        "website": entry.website,
        "opening_hours": entry.hours,
        "check_date": date_text(listed.last_seen)[:10],
        **{
            f"source:{tag}": sources[field].url
            for field, tag in _SOURCES.items()
            if field in sources
        },
        **_hours_seen(sources.get("hours")),
        "fixme": _disputed(entry),
    }
    return {name: value for name, value in tags.items() if value}


def _hours_seen(source: Source | None) -> dict[str, str]:
    if source is None:
        return {}
    seen = {"opening_hours:url": source.url}
    if source.answered_at:
        seen["check_date:opening_hours"] = date_text(source.answered_at)[:10]
    return seen


def _disputed(entry: DirectoryEntry) -> str:
    """What pages contradict each other on; "" for nothing."""
    fields = ", ".join(sorted(found.field for found in entry.contradictions))
    return f"pages disagree on {fields}" if fields else ""


def _exact_point(entry: DirectoryEntry) -> Point | None:
    return entry.point if entry.precision is not None and entry.precision.is_exact else None


def _geometry(point: Point | None) -> dict[str, Any] | None:
    return {"type": "Point", "coordinates": [point.longitude, point.latitude]} if point else None


def as_task(listed: ListedEntry, pages: Mapping[str, SourcePage]) -> dict[str, Any] | None:
    """An entry as a task for somebody to look at; None where the map says the same.

    A task needs a spot to go to, so any point will do here.
    """
    match, point = listed.entry.map, listed.entry.point
    if point is None or (match is not None and match.status is MapStatus.SAME and not match.lacks):
        return None
    properties = {"id": listed.id, **tags_of(listed, pages)}
    if match is not None:
        properties["task"] = str(match.status)
        if match.osm_id:
            properties["@id"] = match.osm_id
        properties.update({f"map:{c.field}": c.in_map for c in match.changes})
        if match.lacks:
            properties["map:lacks"] = ", ".join(match.lacks)
    feature = {"type": "Feature", "properties": properties, "geometry": _geometry(point)}
    return {"type": "FeatureCollection", "features": [feature]}


def _write_places(
    entries: Iterable[ListedEntry], pages: Pages, stream: BinaryIO, dataset: str
) -> None:
    arrow = import_extra("overture, unlike atp,", "parquet", "pyarrow")
    parquet = import_module("pyarrow.parquet")
    tables = import_module("geoscout.store.export_tables")
    schema, extent = _place_schema(arrow), tables.Extent()

    def made() -> Iterator[dict[str, Any]]:
        for listed in entries:
            if point := _exact_point(listed.entry):
                extent.add(point.latitude, point.longitude)
                shape = tables.point_as_wkb(point.latitude, point.longitude)
                yield {**as_place(listed, point, pages(listed.id), dataset), "geometry": shape}

    rows = made()
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while group := list(islice(rows, _GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))
        geo = orjson.loads(tables.geo_metadata(extent))
        corners = {name: ["bbox", name] for name in _CORNERS}
        geo["columns"]["geometry"]["covering"] = {"bbox": corners}
        writer.add_key_value_metadata({"geo": orjson.dumps(geo).decode()})


def _place_schema(arrow: ModuleType) -> Any:
    """The columns of Overture's places, with the types that its releases have."""
    text, number, record = arrow.string(), arrow.float64(), arrow.struct
    texts, span = arrow.list_(text), arrow.list_(number)
    variants = [("variant", text), ("language", text), ("value", text), ("between", span)]
    scope = [("perspectives", record([("mode", text), ("countries", texts)])), ("side", text)]
    common, rules = arrow.map_(text, text), arrow.list_(record([*variants, *scope]))
    names = record([("primary", text), ("common", common), ("rules", rules)])
    source = [(name, text) for name in ("property", "dataset", "license", "record_id")]
    source += [("update_time", text), ("confidence", number), ("between", span)]
    source += [(name, text) for name in ("provider", "resource", "version")]
    address = [(name, text) for name in ("freeform", "locality", "postcode", "region", "country")]
    taxonomy = [("primary", text), ("hierarchy", texts), ("alternates", texts)]
    columns = {
        "id": text,
        "geometry": arrow.binary(),
        "bbox": record([(name, arrow.float32()) for name in _CORNERS]),
        "theme": text,
        "type": text,
        "version": arrow.int32(),
        "sources": arrow.list_(record(source)),
        "names": names,
        "operating_status": text,
        "basic_category": text,
        "taxonomy": record(taxonomy),
        "confidence": number,
        **dict.fromkeys(("websites", "socials", "emails", "phones"), texts),
        "brand": record([("names", names), ("wikidata", text)]),
        "addresses": arrow.list_(record(address)),
    }
    return arrow.schema(list(columns.items()))


def as_place(
    listed: ListedEntry, point: Point, pages: Mapping[str, SourcePage], dataset: str
) -> dict[str, Any]:
    """An entry as a place of Overture, but for its geometry.

    What the directory does not know stays empty: its categories are those of OpenStreetMap.
    """
    entry, address, brand = listed.entry, listed.entry.address, brand_of(listed.entry)
    sources = {"": Source(entry.said[0].url, listed.last_seen)}
    found = sources_of(entry, pages)
    sources |= {path: found[field] for path, field in _POINTERS.items() if field in found}
    return {
        "id": listed.id,
        "bbox": dict(zip(_CORNERS, [point.longitude] * 2 + [point.latitude] * 2, strict=True)),
        "theme": "places",
        "type": "place",
        "version": 1,
        "sources": [
            {
                "property": path,
                "dataset": dataset,
                "record_id": source.url,
                "update_time": date_text(source.answered_at) if source.answered_at else None,
            }
            for path, source in sources.items()
        ],
        "names": {"primary": entry.name},
        "websites": [entry.website] if entry.website else None,
        "emails": list(entry.mails) or None,
        "phones": list(entry.phones) or None,
        "brand": {"names": {"primary": brand.name}, "wikidata": brand.wikidata} if brand else None,
        "addresses": [_place_address(address, entry.street_line)] if address else None,
    }


def _place_address(address: Address, street: str) -> dict[str, str | None]:
    region = f"{address.country}-{address.region}"
    return {
        "freeform": street or None,
        "locality": address.city or None,
        "postcode": address.postcode or None,
        "region": region if re.fullmatch(r"[A-Z]{2}-[A-Z0-9]{1,3}", region) else None,
        "country": address.country or None,
    }
