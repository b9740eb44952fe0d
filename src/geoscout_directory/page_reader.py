"""A page in, its entries out: markup and text brought together.

What the crawl found is handed in: the addresses of the page with their points. So nothing is
geoparsed a second time, and a page costs little more than to be parsed.

A page often says an address twice: in its markup and in its text, or above and below. Such
statements are made one; the one that comes first names the thing, and the others add what it lacks.

A crawl that looks for new businesses has to tell at once whether a page names somebody that no page
has named before; to merge what pages say (`merging.py`) needs all of them. So each business has a
few keys, and two with one in common count as the same: a telephone number, a website or a name,
each with the postal code or town, since branches share all three. That is less careful than
merging: what a page writes in another way counts as new once more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

from msgspec.structs import replace
from rapidfuzz.fuzz import token_set_ratio

from geoscout.entries import EntityKeys
from geoscout.strategy.terms import term_number
from geoscout_directory.categories import categories_of
from geoscout_directory.contacts import (
    FoundPhone,
    LinkPlaces,
    find_mails,
    find_phones,
    home_of,
    is_about_site,
    is_shared,
    numbers_of_entry,
    written_website,
)
from geoscout_directory.from_markup import MarkupEntry, entries_of_items, normal_phones
from geoscout_directory.from_text import TextEntry, TextEntryReader, is_of_person
from geoscout_directory.likeness import NormalForm, normal_form
from geoscout_directory.name_candidates import is_of_host, title_parts
from geoscout_directory.opening import days_of, hours_of_lines, lines_with_times
from geoscout_directory.records import NamePlace, PageEntry
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.placing import located
from geoscout_places.model import Address, Kind, Outline, Page, Point
from geoscout_places.reading import PageReading
from geoscout_places.urls import domain_of

MOST_PHONES, MOST_MAILS = 5, 3
_MOST_RIVALS = 50  # at one house on one page
_ALIKE = 80  # of 100, from which names next to one address mean one thing


def is_same_address(one: Address, other: Address) -> bool:
    """Whether two addresses of one page are the same, however they are abbreviated."""
    if one.house_number.lower() != other.house_number.lower():
        return False
    if one.unit and other.unit and one.unit.lower() != other.unit.lower():
        return False
    where = one.postcode == other.postcode or fold(one.city) == fold(other.city)
    return where and fold(one.street)[:5] == fold(other.street)[:5]


def is_less_of(one: Address, other: Address) -> bool:
    """Whether one of two addresses lacks the house number or street that the other has."""
    if one.postcode != other.postcode:
        return False
    if not (one.street and other.street):
        return True
    same_street = fold(one.street)[:5] == fold(other.street)[:5]
    return same_street and not (one.house_number and other.house_number)


def join_statements(entries: Sequence[PageEntry], *, is_one: bool = False) -> list[PageEntry]:
    """The entries of one page, those of the same thing made one; the first of them names it.

    `is_one`: the text of the page has one address only, so all names next to it mean one thing.
    """
    kept: list[PageEntry] = []
    near: dict[tuple[str, str], list[int]] = {}  # what can be the same: so time stays linear
    for entry in entries:
        keys = list(_keys(entry))
        if is_one and entry.address is not None:
            keys.append(("postcode", entry.address.postcode))
        rivals = [i for key in keys for i in near.get(key, ())[:_MOST_RIVALS]]
        same = next((i for i in rivals if _is_same(kept[i], entry, is_one)), None)
        if same is None:
            for key in keys:
                near.setdefault(key, []).append(len(kept))
            kept.append(entry)
        else:
            kept[same] = _with(kept[same], entry)
    return kept


def _keys(entry: PageEntry) -> Iterator[tuple[str, str]]:
    """What entries have in common that can be the same: the house, or the name."""
    if entry.address is not None:
        address = entry.address
        yield f"house {address.house_number.lower()}", fold(address.street)[:5]
    if entry.name:
        yield "name", fold(entry.name)


def _is_same(one: PageEntry, other: PageEntry, is_one: bool) -> bool:  # noqa: FBT001
    if one.address is None or other.address is None:
        return fold(one.name) == fold(other.name)
    if not is_same_address(one.address, other.address):
        is_same_name = is_one or fold(one.name) == fold(other.name)
        return is_same_name and is_less_of(one.address, other.address)
    weak = (NamePlace.TITLE, NamePlace.SITE)
    if is_one or not (one.name and other.name) or other.evidence in weak or one.evidence in weak:
        return True
    if one.phones and other.phones and set(one.phones).isdisjoint(other.phones):
        return False
    alike = token_set_ratio(fold(one.name), fold(other.name)) >= _ALIKE
    return alike or not _is_line(one) or not _is_line(other)


def _is_line(entry: PageEntry) -> bool:
    return entry.evidence in tuple(NamePlace)


def _with(one: PageEntry, other: PageEntry) -> PageEntry:
    """Two statements of one page as one; the better name and all details."""
    if not one.name or (one.evidence in (NamePlace.TITLE, NamePlace.SITE) and other.name):
        one, other = other, one
    better = max(one, other, key=_address_parts)
    website, is_own = (one.website, one.is_own) if one.website else (other.website, other.is_own)
    return replace(
        one,
        address=better.address,
        place_id=better.place_id,
        phones=tuple(dict.fromkeys((*one.phones, *other.phones)))[:MOST_PHONES],
        mails=tuple(dict.fromkeys((*one.mails, *other.mails)))[:MOST_MAILS],
        hours=max(one.hours, other.hours, key=days_of),
        categories=one.categories or other.categories,
        website=website,
        is_own=is_own,
        price=one.price or other.price,
    )


def _address_parts(entry: PageEntry) -> int:
    """How much of an address an entry has."""
    address = entry.address
    return (
        sum(map(bool, (address.street, address.house_number, address.postcode))) if address else -1
    )


_AREAS = (Kind.CITY, Kind.NEIGHBOURHOOD, Kind.DISTRICT, Kind.REGION, Kind.COUNTRY)
_LONGEST_PLACE, _MOST_PLACES, _NEAR_KM = 40, 8, 100.0


@dataclass(frozen=True, slots=True)
class PlacedAddress:
    """An address that the crawl found in a page, and the id of its town; 0 where unknown."""

    address: Address
    place_id: int


def placed(address: Address) -> PlacedAddress:
    """An address of a reading as `EntryReader` takes it."""
    place_id = address.place.id if address.place else 0
    return PlacedAddress(replace(address, place=None) if address.place else address, place_id)


class EntryReader:
    def __init__(self, gazetteer: Gazetteer, *, country: str = "", persons: bool = False) -> None:
        """`country` is that of numbers of which nothing else tells; `persons` keeps people."""
        self._gazetteer = gazetteer
        self._country = country
        self.persons = persons

    def read(self, page: Page, known: Sequence[PlacedAddress], outline: Outline) -> list[PageEntry]:
        """The entries of a page in its order, those that only its markup has first."""
        if not known and not page.items:
            return []
        reading = _PageReading(page, known, outline, self._country or _country_of(known))
        stated = [self._stated(entry, reading) for entry in entries_of_items(page)]
        found: list[TextEntry] = []
        if addresses := [k.address for k in known if k.address.end]:  # stand in the text
            is_person = None if self.persons else partial(is_of_person, url=page.url)
            text = TextEntryReader(page, outline, self._is_place, is_person=is_person)
            found = sorted(text.read(addresses), key=lambda entry: -entry.score)
        written = [self._written(entry, reading) for entry in found]
        is_one = bool(found) and found[0].is_only
        entries = join_statements([*filter(None, stated), *written], is_one=is_one)
        wanted = (entry for entry in entries if entry.name and self._is_wanted(entry))
        made = [self._with_town(reading.without_own_mails(entry)) for entry in wanted]
        return sorted(made, key=lambda entry: entry.address.start if entry.address else 0)

    def _is_wanted(self, entry: PageEntry) -> bool:
        return self.persons or not is_of_person(entry.name, entry.url)

    def _is_place(self, text: str, near: Point | None) -> bool:
        """Whether a text names a place; where `near` is given, one within a day's drive of it."""
        if len(text) > _LONGEST_PLACE:
            return False
        candidates = self._gazetteer.candidates(text)[:_MOST_PLACES]
        places = (c.place for c in candidates if c.place.kind in _AREAS)
        return any(near is None or distance_km(near, place.point) < _NEAR_KM for place in places)

    def _stated(self, entry: MarkupEntry, reading: _PageReading) -> PageEntry | None:
        if entry.is_person and not self.persons:
            return None
        address, place_id = self._located(entry.address, reading.known)
        name, evidence = entry.name, entry.source
        if reading.is_title(name):
            name, evidence = next(iter(title_parts(name)), name), NamePlace.TITLE
        country = (address.country if address else "") or reading.country
        linked = "" if is_shared(entry.website) else entry.website
        website = reading.website(linked, entry.name, address, is_only=False)
        return PageEntry(
            url=reading.page.url,
            name=name,
            evidence=evidence,
            address=address,
            place_id=place_id,
            phones=normal_phones(entry.phones, country),
            mails=entry.mails[:MOST_MAILS],
            hours=entry.hours,
            price=entry.price,
            categories=categories_of(entry.types, entry.name),
            website=website,
            is_own=bool(website) and domain_of(website) == reading.site,
        )

    def _located(
        self, address: Address | None, known: Sequence[PlacedAddress]
    ) -> tuple[Address | None, int]:
        """An address of the markup as the crawl placed it, or as the gazetteer does."""
        if address is None:
            return None, 0
        for other in known:
            if is_same_address(address, other.address):
                return other.address, other.place_id
        found = located(address, self._gazetteer)
        return found, found.place.id if found.place else 0

    def _with_town(self, entry: PageEntry) -> PageEntry:
        """An entry with the town of its postal code, where the page gives only the code."""
        address = entry.address
        if address is None or address.city or not address.postcode:
            return entry
        towns = self._gazetteer.postcodes(address.country, address.postcode)
        city = next((town.town for town in towns), "")
        return replace(entry, address=replace(address, city=city))

    def _written(self, entry: TextEntry, reading: _PageReading) -> PageEntry:
        text, address = reading.page.text, entry.address
        country = address.country or reading.country
        numbers: Sequence[FoundPhone] = find_phones(text, country, entry.start, entry.end)
        numbers = numbers_of_entry(numbers, text, address.end)
        phones = [phone.number for phone in numbers if not phone.is_fax]
        mails = find_mails(text, entry.start, entry.end)
        if entry.is_only:
            phones = phones or list(normal_phones(reading.outline.phones, country)[:1])
            mails = mails or [m for t in reading.outline.mails for m in find_mails(t)]
        linked = [u for u in reading.links.between(entry.start, entry.end) if domain_of(u)]
        spelled = written_website(entry.nearby, reading.site)
        linked_to = spelled or next(iter(linked), "")
        website = reading.website(linked_to, entry.name, address, is_only=entry.is_only)
        return PageEntry(
            url=reading.page.url,
            name=entry.name,
            evidence=entry.place,
            address=address,
            place_id=reading.place_ids.get((address.start, address.end), 0),
            phones=tuple(dict.fromkeys(phones))[:MOST_PHONES],
            mails=tuple(mails[:MOST_MAILS]),
            hours=reading.hours(entry),
            categories=categories_of((), entry.name, [*entry.nearby[:6], *reading.topics(entry)]),
            website=website,
            is_own=bool(website) and domain_of(website) == reading.site,
        )


class _PageReading:
    """What is known of the page that is being read."""

    def __init__(
        self, page: Page, known: Sequence[PlacedAddress], outline: Outline, country: str
    ) -> None:
        self.page, self.known, self.outline, self.country = page, known, outline, country
        self.site = domain_of(page.url)
        first = (text for level, text in outline.headings if level == 1)
        self._topics = [page.title, *islice(first, 1)]
        self.place_ids = {(k.address.start, k.address.end): k.place_id for k in known}

    @cached_property
    def links(self) -> LinkPlaces:
        return LinkPlaces(self.page)

    def is_title(self, name: str) -> bool:
        """Whether a name is the title of the page, as templates write it into the markup."""
        return fold(self.page.title).startswith(fold(name))

    @cached_property
    def _hours(self) -> str:
        return hours_of_lines(lines_with_times(self.page.text))

    def hours(self, entry: TextEntry) -> str:
        """The hours next to an entry; those of the page where it is about nothing else."""
        near = hours_of_lines(entry.nearby)
        return max(near, self._hours, key=days_of) if entry.is_only else near

    def topics(self, entry: TextEntry) -> list[str]:
        """What the page is about, where all of it tells of the entry: a list has one topic, too."""
        return [] if entry.address.of_site else self._topics

    def without_own_mails(self, entry: PageEntry) -> PageEntry:
        """An entry of another than the site without the mails of the site."""
        if entry.is_own or not entry.mails:
            return entry
        kept = tuple(
            mail
            for mail in entry.mails
            if domain_of(f"http://{mail.rpartition('@')[2]}/") != self.site
        )
        return replace(entry, mails=kept)

    def website(self, linked: str, name: str, address: Address | None, *, is_only: bool) -> str:
        """The website of an entry: what is linked, or the site of the page if that is its own."""
        if linked and domain_of(linked) != self.site:
            return linked
        is_own = is_of_host(name, self.page.url)
        if address is not None and not is_own:
            is_own = is_only and (address.of_site or is_about_site(self.page.url))
        return home_of(self.page.url) if is_own else ""


def _country_of(known: Sequence[PlacedAddress]) -> str:
    return next((k.address.country for k in known if k.address.country), "")


def entity_keys(
    entries: Iterable[PageEntry], region: Region | None, *, relevant: bool
) -> EntityKeys:
    """The keys of the businesses in the region.

    One whose place is not known is in the region if its page is relevant.
    """
    inside = (entry for entry in entries if _is_inside(entry, region, relevant=relevant))
    return tuple(tuple(map(term_number, _entity_keys(normal_form(entry)))) for entry in inside)


def _is_inside(entry: PageEntry, region: Region | None, *, relevant: bool) -> bool:
    point = entry.address.point if entry.address else None
    if point is None or region is None:
        return relevant
    return region.contains_point(point)


def _entity_keys(form: NormalForm) -> Iterator[str]:
    where = form.town or form.house
    yield f"name {' '.join(sorted(form.tokens))} {where}"
    for phone in sorted(form.phones):
        yield f"phone {phone} {where}"
    if form.site:
        yield f"site {form.site} {where}"


class PageEntries:
    """Reads what pages say of businesses; implements `geoscout.entries.PageEntryReader`."""

    def __init__(self, gazetteer: Gazetteer, region: Region | None) -> None:
        self._reader = EntryReader(gazetteer)
        self._region = region

    def keys(self, found: PageReading) -> EntityKeys:
        known = [placed(address) for address in found.reading.addresses]
        entries = self._reader.read(found.seen, known, found.outline)
        return entity_keys(entries, self._region, relevant=found.relevance.relevant)
