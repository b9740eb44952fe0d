"""How well entries of a directory are joined to objects of OpenStreetMap.

    python -m benchmarks.map_joining synthetic [WEB…]    the map is invented (webs 11 12 13)
    python -m benchmarks.map_joining pages CRAWL         one half of the statements is the map

CRAWL is one that has a directory: run `geoscout directory CRAWL` before.

There is no extract of OpenStreetMap here, so that both are stand-ins.

`synthetic`: pages of a synthetic web are read as a crawl reads them, and merged. The map is made of
the same businesses, with the defects that maps have: a fifth is missing, names are shortened,
extended, misspelt or replaced, addresses, telephones and websites are missing or old, points are
moved, some things are closed; other tenants stand in the same houses, and branches of the same name
elsewhere. How often each happens is in `_Share`, set by judgement and not by a count of the map.
Telephone numbers of the web are replaced by distinct ones. The weights were set on webs 1 and 2.

`pages`: of a real crawl, what one half of its pages says is the map, and what the other says is
the directory. Two are the same if they have the same telephone number and the same house; numbers
and websites are then hidden, so that name, address and place have to do.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple
from zlib import crc32

from msgspec.structs import replace as with_values
from rapidfuzz.fuzz import token_sort_ratio

from geoscout.osm.records import OsmObject
from geoscout.settings import load_settings
from geoscout_directory.contacts import normal_phone
from geoscout_directory.joining import join_entries
from geoscout_directory.likeness import name_form, normal_form
from geoscout_directory.listing.finding import Listing, ListingQuestion
from geoscout_directory.listing.tables import directory_folder
from geoscout_directory.merging import merge_entries
from geoscout_directory.page_reader import EntryReader, PlacedAddress
from geoscout_directory.records import DirectoryEntry, MapStatus, PageEntry
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_lab.worlds.synthetic.register import Entity
from geoscout_lab.worlds.synthetic.web import SyntheticWeb
from geoscout_places.gazetteer import SqliteGazetteer, open_gazetteer
from geoscout_places.gazetteer.areas.sphere import destination, distance_km
from geoscout_places.gazetteer.home import home_folder
from geoscout_places.geo import Geoparser
from geoscout_places.model import Point, Precision
from geoscout_places.parse import parse_html
from geoscout_places.parse.document import OpenDocument

_KINDS = ("name", "phone", "site", "address", "distance", "category")
_MOST_PAGES = 700  # of a web that are read
_PAGES = 12_000
_SAME_NAME = 80
_NEAR_KM = 0.05
_AREA_KM = 2.0  # around the point of a postal code


class _Share(NamedTuple):
    """How often the map has which defect."""

    missing: float = 0.2
    closed: float = 0.03
    renamed: float = 0.05
    misspelt: float = 0.05
    shortened: float = 0.15
    extended: float = 0.1
    no_address: float = 0.3
    no_postcode: float = 0.35
    no_phone: float = 0.5
    old_phone: float = 0.08
    no_website: float = 0.5
    old_website: float = 0.05
    moved: float = 0.04  # by 100 to 400 m; others by some 15 m
    drawn_twice: float = 0.05  # as a node and as a building
    tenant: float = 0.3  # another thing in the same house
    branch: float = 0.15  # a thing of the same name elsewhere in town
    house: float = 0.6  # a house with the address and no name


_SHARE = _Share()


class _Made(NamedTuple):
    """A map, and what is true of it."""

    objects: list[OsmObject]
    of_address: dict[str, set[str]]  # the objects of a business, by its address
    name: dict[str, str]  # of a business, by its address
    point: dict[str, Point]  # where a house is, by its address
    new_phone: set[str]  # addresses of businesses of which the map has another number
    new_name: set[str]


class _Score(Counter[str]):
    """Counts, and the ratios of them."""

    def ratio(self, part: str, whole: str) -> float:
        return self[part] / max(self[whole], 1)


def main(arguments: Sequence[str]) -> None:
    """Run one of the measurements."""
    command, *rest = arguments
    if command == "pages":
        _halves(rest[0])
        return
    gazetteer = open_gazetteer()
    totals: dict[str, _Score] = defaultdict(_Score)
    for web in rest or ("11", "12", "13"):
        entries, made = _web_and_map(int(web), gazetteer)
        for without in ("", *_KINDS):
            score = _scored(join_entries(entries, made.objects, [without]), made)
            totals[without].update(score)
    for without, score in totals.items():
        print(_line(f"without {without}" if without else "all signs", score))


def _line(label: str, score: _Score) -> str:
    return (
        f"{label:18} precision {score.ratio('right', 'joined'):.3f}"
        f" recall {score.ratio('right', 'in map'):.3f} ({score['right']:,} of {score['in map']:,})"
        f" new: precision {score.ratio('rightly new', 'new'):.3f}"
        f" | telephone changed: precision {score.ratio('phone right', 'phone told'):.3f}"
        f" recall {score.ratio('phone right', 'phone true'):.3f} of {score['phone true']}"
        f" | renamed: precision {score.ratio('name right', 'name told'):.3f}"
        f" recall {score.ratio('name right', 'name true'):.3f} of {score['name true']}"
        f" | within 50 m {score.ratio('near', 'entries'):.3f} of {score['entries']:,}"
        f" | also badly read entries: precision {score.ratio('any right', 'any joined'):.3f}"
        f" recall {score.ratio('any right', 'any in map'):.3f} of {score['any in map']:,}"
    )


def _scored(joined: Iterable[DirectoryEntry], made: _Made) -> _Score:
    """Counts over entries whose name was read rightly, and for joining also over all.

    A page whose title was taken for a name makes an entry that no map has.
    """
    score = _Score()
    for entry in joined:
        address, match = _address_key(entry), entry.map
        if address not in made.point or match is None:
            continue  # an address that was read wrongly; what it is cannot be told
        true = made.of_address.get(address, set())
        score["any in map"] += bool(true)
        score["any joined"] += bool(match.osm_id)
        score["any right"] += match.osm_id in true
        if token_sort_ratio(name_form(entry.name), name_form(made.name[address])) < _SAME_NAME:
            continue
        score["entries"] += 1
        score["in map"] += bool(true)
        score["joined"] += bool(match.osm_id)
        score["right"] += match.osm_id in true
        score["new"] += match.status is MapStatus.NEW
        score["rightly new"] += match.status is MapStatus.NEW and not true
        fields = {change.field for change in match.changes}
        for field, expected in (("phone", made.new_phone), ("name", made.new_name)):
            said = bool(entry.phones) or field == "name"
            score[f"{field} told"] += field in fields
            score[f"{field} true"] += address in expected and said
            score[f"{field} right"] += field in fields and address in expected
        exact = entry.point if entry.precision is Precision.HOUSE else None
        score["near"] += exact is not None and distance_km(exact, made.point[address]) < _NEAR_KM
    return score


def _address_key(entry: DirectoryEntry | PageEntry) -> str:
    address = entry.address
    if address is None:
        return ""
    return f"{address.street} {address.house_number} {address.postcode}".casefold()


# The synthetic web and its map.


def _web_and_map(
    random_seed: int, gazetteer: SqliteGazetteer
) -> tuple[list[DirectoryEntry], _Made]:
    web = make_web(WebPlan("ahlers2009", random_seed, _PAGES), gazetteer, parse_html)
    original = web.register.entity
    web.register.entity = lambda key, city: replace(  # type: ignore[assignment]
        original(key, city), phone=f"030 {40_000_000 + key * 100 + city}"
    )
    chance = random.Random(random_seed)
    shown = [page for page in range(web.size) if web.status(page) == 200 and web.addresses(page)]
    pages = sorted(chance.sample(shown, min(_MOST_PAGES, len(shown))))
    entities = {
        entity.normal_form: (entity, web.register.sites[entity.key].origin)
        for page in shown
        for entity in web.register.entities(page)
        if entity.key < len(web.register.sites)
    }
    made = _Map(chance, gazetteer).make([entities[form] for form in sorted(entities)])
    return merge_entries(_statements(web, pages, gazetteer)), made


def _statements(
    web: SyntheticWeb, pages: Sequence[int], gazetteer: SqliteGazetteer
) -> Iterator[PageEntry]:
    geoparser, reader = Geoparser(gazetteer), EntryReader(gazetteer, persons=True)
    for number in pages:
        page = web.page(number)
        known = [
            PlacedAddress(found, found.place.id if found.place else 0)
            for found in geoparser.read(page).addresses
        ]
        outline = OpenDocument(web.html(number), page.url, web.content_type(number)).outline()
        yield from reader.read(page, known, outline)


class _Map:
    """Draws a map of businesses, with defects."""

    def __init__(self, chance: random.Random, gazetteer: SqliteGazetteer) -> None:
        self._chance, self._gazetteer, self._count = chance, gazetteer, 0
        self._made = _Made(
            objects=[],
            of_address=defaultdict(set),
            name={},
            point={},
            new_phone=set(),
            new_name=set(),
        )

    def make(self, entities: Sequence[tuple[Entity, str]]) -> _Made:
        for entity, origin in entities:
            self._add(entity, origin)
        return self._made

    def _hits(self, share: float) -> bool:
        return self._chance.random() < share

    def _add(self, entity: Entity, origin: str) -> None:
        made, chance = self._made, self._chance
        key = f"{entity.street} {entity.number} {entity.postcode}".casefold()
        codes = {code.code: code.point for code in entity.city.postcodes}
        centre = codes.get(entity.postcode) or entity.city.place.point
        home = made.point.setdefault(
            key, destination(centre, chance.uniform(0, 360), _AREA_KM * chance.random() ** 0.5)
        )
        made.name[key] = entity.name
        address = self._address(entity)
        if self._hits(_SHARE.house):
            self._object({**self._address(entity), "building": "yes"}, self._near(home, 10))
        if self._hits(_SHARE.tenant):
            name = f"{chance.choice(('Praxis', 'Kanzlei', 'Studio'))} {chance.randrange(10**4)}"
            self._object({"office": "yes", "name": name, **address}, self._near(home, 15))
        if self._hits(_SHARE.branch):
            away = destination(centre, chance.uniform(0, 360), 2 * _AREA_KM * chance.random())
            self._object({"shop": "yes", "name": entity.name}, away)
        if self._hits(_SHARE.missing):
            return
        tags = self._tags(entity, key, origin)
        for _ in range(2 if self._hits(_SHARE.drawn_twice) else 1):
            far = chance.uniform(100, 400) if self._hits(_SHARE.moved) else 15
            made.of_address[key].add(self._object(tags, self._near(home, far)))

    def _object(self, tags: dict[str, str], point: Point) -> str:
        self._count += 1
        found = OsmObject(id=f"node/{self._count}", tags=tags, point=point)
        self._made.objects.append(found)
        return found.id

    def _near(self, point: Point, metres: float) -> Point:
        chance = self._chance
        return destination(point, chance.uniform(0, 360), metres * chance.uniform(0.3, 1.3) / 1000)

    def _address(self, entity: Entity) -> dict[str, str]:
        tags = {"addr:street": entity.street, "addr:housenumber": entity.number}
        if not self._hits(_SHARE.no_postcode):
            tags |= {"addr:postcode": entity.postcode, "addr:city": entity.city.name}
        return tags

    def _tags(self, entity: Entity, key: str, origin: str) -> dict[str, str]:
        chance = self._chance
        feature = chance.choice(("shop", "amenity", "office"))
        tags = {f"{'disused:' if self._hits(_SHARE.closed) else ''}{feature}": "yes"}
        tags["name"] = self._name(entity.name, key)
        if not self._hits(_SHARE.no_address):
            tags |= self._address(entity)
        if not self._hits(_SHARE.no_phone):
            phone = normal_phone(entity.phone, entity.city.country) or entity.phone
            if self._hits(_SHARE.old_phone):
                phone = f"+4930{chance.randrange(5 * 10**7, 6 * 10**7)}"
                self._made.new_phone.add(key)
            tags["phone"] = f"{phone[:3]} {phone[3:5]} {phone[5:8]}-{phone[8:]}"
        if not self._hits(_SHARE.no_website):
            old = self._hits(_SHARE.old_website)
            tags["website"] = f"http://alt{chance.randrange(10**6)}.example/" if old else origin
        return tags

    def _name(self, name: str, key: str) -> str:
        chance, words = self._chance, name.split()
        if self._hits(_SHARE.renamed):
            self._made.new_name.add(key)
            return f"{chance.choice(('Haus', 'Zum', 'Atelier'))} Neu {chance.randrange(10**4)}"
        if self._hits(_SHARE.misspelt) and len(name) > 4:
            at = chance.randrange(1, len(name) - 1)
            return name[:at] + name[at + 1 :]
        if self._hits(_SHARE.shortened) and len(words) > 1:
            return " ".join(words[:-1])
        return (
            f"{name} {chance.choice(('GmbH', 'Filiale', 'e.K.'))}"
            if self._hits(_SHARE.extended)
            else name
        )


# Halves of a real crawl.


def _halves(crawl: str) -> None:
    folder = directory_folder(crawl, home_folder(load_settings()))
    with closing(Listing(folder, lambda _place: None)) as listing:
        listed = listing.read(listing.find(ListingQuestion()))
        said = [s for one in listed for s in one.entry.said if s.address]
    mine = merge_entries([s for s in said if crc32(s.url.encode()) % 2])
    others = merge_entries([s for s in said if not crc32(s.url.encode()) % 2])
    objects = [_as_object(number, entry) for number, entry in enumerate(mine)]
    truth: dict[str, set[str]] = defaultdict(set)
    for found, entry in zip(objects, mine, strict=True):
        for phone in entry.phones:
            truth[f"{normal_form(entry.said[0]).house} {phone}"].add(found.id)
    counts: Counter[str] = Counter()
    hidden = [with_values(e, phones=(), website="", said=tuple(_hidden(e.said))) for e in others]
    for without in ("", "name", "address"):
        counts = Counter()
        for entry, known in zip(join_entries(hidden, objects, [without]), others, strict=True):
            house = normal_form(known.said[0]).house
            true = set().union(*(truth.get(f"{house} {phone}", set()) for phone in known.phones))
            found_id = entry.map.osm_id if entry.map else ""
            counts["labelled"] += bool(true)
            counts["right"] += found_id in true
            counts["of these another"] += bool(true and found_id) and found_id not in true
            counts["joined"] += bool(found_id)
        print(
            f"{len(objects):,} objects, {len(hidden):,} entries;"
            f" without {without or 'nothing'}: {dict(counts)}"
        )


def _hidden(said: Iterable[PageEntry]) -> Iterator[PageEntry]:
    for one in said:
        yield with_values(one, phones=(), website="", is_own=False)


def _as_object(number: int, entry: DirectoryEntry) -> OsmObject:
    address = entry.address
    tags = {"name": entry.name, "amenity": "yes"}
    if address is not None:
        tags |= {"addr:street": address.street, "addr:housenumber": address.house_number}
        tags |= {"addr:postcode": address.postcode, "addr:city": address.city}
    return OsmObject(
        id=f"node/{number}",
        tags={key: value for key, value in tags.items() if value},
        point=entry.point or Point(0.0, 0.0),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
