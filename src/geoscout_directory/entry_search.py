"""Which entries are asked for: by the filters of a list, or by the query of a search.

Filters are words, a category, a region and a day. A query such as "pizza in Lisbon" asks for
restaurants, not pages: its words name a sort of thing (*museum*, *bakeries*), or stand in the name
of what is asked for (*pizza*, *hofbräuhaus*), and the place is the one that the query was read as.
The index is not asked, so that a search costs no more than a look into the listing.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from math import inf
from typing import NamedTuple
from zoneinfo import ZoneInfo

from geoscout.entries import EntryFiltersJson, FactJson
from geoscout.index.schema import inflections
from geoscout.search.base import Interpretation, Question, Relation
from geoscout.search.query_words import stop_words
from geoscout.search.streets import looks_like_street
from geoscout.search.target import read_within
from geoscout.store.export import read_since
from geoscout.store.records import date_text
from geoscout_directory.categories import category_words, compound_ends, presets, tags
from geoscout_directory.listing.finding import (
    CategoryWord,
    EntryWanted,
    ListedEntry,
    Listing,
    ListingQuestion,
)
from geoscout_directory.opening import DAYS, is_open
from geoscout_directory.records import DirectoryEntry, PageEntry, address_line
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold, fold_street
from geoscout_places.geo.structured import split_street
from geoscout_places.model import Kind, Point, Precision


def read_entry_filters(
    text: str = "",
    category: str = "",
    since: str = "",
    within: str = "",
    region: Region | None = None,
) -> ListingQuestion:
    """What was asked for, as it is written; "" asks for nothing.

    `since` is a day, a time, or how long ago; `within` is what the region was read from.

    Raises:
        UsageError: there is no such category, or `since` is not a time.
    """
    return ListingQuestion(
        words=_as_listed(text),
        categories=_categories_meant(category) if category else frozenset(),
        within=within,
        region=region,
        since=read_since(since, time.time()) if since else 0.0,
    )


def _as_listed(text: str) -> tuple[str, ...]:
    """The folded words of a text as entries are listed under them: a street in one spelling."""
    words = fold(text).split()
    number = words[-1:] if words and words[-1][0].isdigit() else []
    street = " ".join(words[: len(words) - len(number)])
    return (fold_street(street), *number) if looks_like_street(street) else tuple(words)


def _categories_meant(asked: str) -> frozenset[str]:
    """The tags that a text means: a tag, its value or its key."""
    plain = asked.strip().lower().replace(" ", "_")
    found = frozenset(t for t in tags() if plain in (t, *t.split("=")))
    if not found:
        known = ", ".join(sorted(tag.partition("=")[2] for tag in tags()))
        raise UsageError(f"there is no category {asked!r}; there are {known}")
    return found


_SHOWN, _COMPARED = 5, 1000  # entries
_LONGEST_PHRASE = 3  # words that name a sort of thing together
_SHORT_END = 4  # letters; no word is a compound by so few
# What is narrower than the category must be in the name, and so must what it begins: not every fast
# food place has pizza (Pizzeria, Pizzaria), and most places of worship are churches.
_NARROW = {
    **{dish: (f"{dish.rstrip('as')}*",) for dish in (
        "pizza", "burger", "burgers", "kebab", "doner", "tacos", "sandwiches", "sushi", "bbq",
        "barbecue", "tapas", "bagels"
    )},
    **dict.fromkeys(("synagogue", "synagoge"), ("synagog*",)),
    **dict.fromkeys(("mosque", "moschee"), ("mosque*", "moschee*")),
}  # fmt: skip
_LONGEST_NAME = 300  # letters
_IGNORED = frozenset(("list", "all", "nice"))  # stand in no name
_STREET_KM, _POSTCODE_KM, _NEAR_KM = 1.5, 3.0, 10.0  # how far entries may be from a point
_ROUGH = (Precision.TOWN, Precision.REGION)  # of a point that says nothing of a street
# What is no town: entries are in it by their points.
_BY_POINT = (Kind.NEIGHBOURHOOD, Kind.LANDMARK, Kind.AREA, Kind.WATER)


_NO_FILTERS = EntryFiltersJson(text="", category="", within="")


class Hits(NamedTuple):
    """The entries that answer a query."""

    entries: Sequence[ListedEntry] = ()
    total: int = 0
    filters: EntryFiltersJson = _NO_FILTERS
    notes: tuple[str, ...] = ()


def find_entries(
    listing: Listing, question: Question, read: Interpretation, gazetteer: Gazetteer
) -> Hits:
    """The best entries for a question that was understood, how many fit, and how to list them all.

    None for a question with filters of pages. Where a street, house or postal code is asked for,
    those that have it in their address come first; words ask for those near it, too.
    """
    wanted = None if question.offset or question.filters else wanted_of(read)
    if wanted is None:
        return Hits()
    wanted = _limited(wanted, question, read, gazetteer)
    filters = _filters_of(wanted, question, read)
    found = _at_address(listing, wanted, read)
    if wanted.names or wanted.sorts or not found:
        numbers = _matching(listing, wanted, gazetteer)
        if wanted.near is None and not found and not read.open_at:
            return Hits(list(listing.read(numbers[:_SHOWN])), len(numbers), filters)
        known = frozenset(listed.id for listed in found)
        others = (e for e in listing.read(numbers[:_COMPARED]) if e.id not in known)
        found += _nearest(wanted.near, others) if wanted.near else list(others)
    if not read.open_at:
        return Hits(found[:_SHOWN], len(found), filters)
    opened, notes = OpeningTimes(read, gazetteer).those_open(found)
    return Hits(opened[:_SHOWN], len(opened), filters, notes)


class OpeningTimes:
    """Whether entries are open when a query says, else now, by the time of their towns."""

    def __init__(self, read: Interpretation, gazetteer: Gazetteer) -> None:
        self._read, self._gazetteer, self._now = read, gazetteer, time.time()

    def is_open(self, entry: DirectoryEntry) -> bool | None:
        """Whether it is open; None where neither hours nor clock tell."""
        asked = self._read.open_at
        if asked in DAYS:
            return is_open(entry.hours, DAYS.index(asked))
        zone = self._zone(entry)
        if not zone:
            return None
        now = datetime.fromtimestamp(self._now, zone)
        minutes = None if asked == "today" else 60 * now.hour + now.minute
        return is_open(entry.hours, now.weekday(), minutes)

    def those_open(
        self, entries: Iterable[ListedEntry]
    ) -> tuple[list[ListedEntry], tuple[str, ...]]:
        """Those that are known to be open, and what to say of the others."""
        known = [(listed, self.is_open(listed.entry)) for listed in entries]
        unknown = sum(state is None for _, state in known)
        notes = ["open by the hours that pages state; holidays are not checked"]
        if unknown:
            one = unknown == 1
            what = "does not say when it is" if one else "do not say when they are"
            notes.append(f"{unknown} more {what} open, and {'is' if one else 'are'} left out")
        return [listed for listed, state in known if state], tuple(notes)

    def _zone(self, entry: DirectoryEntry) -> ZoneInfo | None:
        """The time zone of its town, of what is around that, or of the place that was asked for."""
        town = self._gazetteer.place(entry.place_id)
        around = [town, *self._gazetteer.ancestors(town)] if town else []
        names = [place.timezone for place in (*around, self._read.place) if place]
        return next(filter(None, map(_zone_of, filter(None, names))), None)


@cache
def _zone_of(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError):  # this machine has no table of it
        return None


_Said = Callable[[PageEntry | DirectoryEntry], Sequence[str]]
_FACTS: Mapping[str, _Said] = {
    "hours": lambda said: [said.hours],
    "phone": lambda said: said.phones,
    "mail": lambda said: said.mails,
    "website": lambda said: [said.website],
    "address": lambda said: [address_line(said)],
    "price": lambda said: [said.price],
}
_MOST_OF_FACTS = 3  # entries whose facts are told


def told_facts(
    entries: Iterable[ListedEntry], read: Interpretation, listing: Listing, gazetteer: Gazetteer
) -> Iterator[FactJson]:
    """What was asked for of the best entries, each with a page that says so."""
    from geoscout_directory.contacts import shown_phone  # noqa: PLC0415 - takes long to import

    kinds = {*read.asks, *(("phone", "mail", "website") if "contact" in read.asks else ())}
    wanted = [kind for kind in _FACTS if kind in kinds]
    times, asked = OpeningTimes(read, gazetteer), {*read.words, *fold(read.name).split()}
    best = sorted(entries, key=lambda e: len({*fold(e.entry.name).split()} - asked))
    for listed in best[:_MOST_OF_FACTS] if wanted else ():
        entry, pages = listed.entry, listing.pages_of(listed.id)
        for kind in wanted:
            value = next(iter(_FACTS[kind](entry)), "")
            saying = (said for said in entry.said if value in _FACTS[kind](said))
            said = next(saying, entry.said[0])
            page = pages.get(said.url)
            if value:
                yield {
                    "kind": kind,
                    "value": shown_phone(value) if kind == "phone" else value,
                    "open": times.is_open(entry) if kind == "hours" else None,
                    "entry": listed.id,
                    "name": entry.name[:_LONGEST_NAME],
                    "address": address_line(entry),
                    "url": said.url,
                    "fetched_at": date_text(page.answered_at) if page else None,
                }


def _matching(listing: Listing, wanted: EntryWanted, gazetteer: Gazetteer) -> Sequence[int]:
    """The numbers of those that fit, the best first.

    Those of the sort with the name come first. Where there are none, the words rather describe a
    sort ("Italian restaurant"), and others of it will do, unless they name a place.
    """
    if not wanted.names and len(wanted.sorts) > 1:  # a vegan restaurant is no shop for vegan food
        return listing.match(wanted) or listing.match(replace(wanted, sorts=wanted.sorts[-1:]))
    if not wanted.names and any(_is_compound(sort.forms[0]) for sort in wanted.sorts):
        called = replace(wanted, names=tuple(sort.forms for sort in wanted.sorts), sorts=())
        return [*dict.fromkeys((*listing.match(called), *listing.match(wanted)))]
    if not (wanted.names and wanted.sorts):
        return listing.match(wanted)
    both = listing.match(replace(wanted, needs_both=True))
    is_placed = wanted.place or wanted.near or wanted.region
    if not both and is_placed and not any(gazetteer.search(word) for word, *_ in wanted.names):
        return listing.match(replace(wanted, names=())) or listing.match(wanted)
    return [*dict.fromkeys((*both, *listing.match(wanted)))]


def _at_address(listing: Listing, wanted: EntryWanted, read: Interpretation) -> list[ListedEntry]:
    """Those in the street, the nearest house numbers first, or with the postal code."""
    line = split_street(read.street)
    is_code = read.precision is Precision.POSTCODE and not read.known_key
    address = fold_street(line.street) or (fold(read.name).replace(" ", "") if is_code else "")
    if not address:
        return []
    place = read.town_of_street or wanted.place
    numbers = listing.match(replace(wanted, near=None, address=address, place=place))
    found = list(listing.read(numbers[:_COMPARED]))
    if line.house_number:
        asked = _number_in(line.house_number)
        found.sort(key=lambda listed: abs(_number_in(_house_of(listed)) - asked))
    return found


def _house_of(listed: ListedEntry) -> str:
    return listed.entry.address.house_number if listed.entry.address else ""


def _number_in(house: str) -> float:
    found = re.search(r"\d+", house)
    return int(found[0]) if found else inf


def wanted_of(read: Interpretation) -> EntryWanted | None:
    """What a query asks of entries; None when that is nothing."""
    names: list[tuple[str, ...]] = []
    sorts: list[CategoryWord] = []
    for at, meant in _phrases(read.words):
        phrase = _phrase(read.words, at)
        if phrase in _NARROW:
            names.append(_NARROW[phrase])
        elif meant:
            sorts.append(CategoryWord((phrase,), meant))
        elif phrase not in _IGNORED:
            names.append((phrase, *inflections(phrase)))
    is_spot = read.is_at_street or read.precision is Precision.POSTCODE
    if read.missing and len(names) < 2:  # Roberts Lane is not Robert Mondavi
        names = []
    if not names and not sorts and (read.words or not is_spot):
        return None
    wanted = EntryWanted(tuple(names), tuple(sorts))
    near, radius_km = read.point, _radius_km(read)
    if near is not None and radius_km:
        return replace(wanted, near=near, radius_km=radius_km)
    return replace(wanted, place=read.place.id if read.place and read.relation else 0)


def _limited(
    wanted: EntryWanted, question: Question, read: Interpretation, gazetteer: Gazetteer
) -> EntryWanted:
    """The same within what the question is limited to, and in a quarter or sight by its outline.

    An entry knows its town; whether it is in a quarter only its point tells.
    """
    place = read.place
    if wanted.place and place and place.kind in _BY_POINT:
        outline = Region((NamedArea(place, gazetteer),), gazetteer)
        wanted = replace(wanted, place=0, region=outline, near=place.point)
        if place.kind is Kind.LANDMARK:
            wanted = replace(wanted, region=None, radius_km=_STREET_KM)
    if question.within:
        wanted = replace(wanted, region=read_within(question.within, gazetteer))
    if question.near is not None and question.radius_km is not None:
        wanted = replace(wanted, near=question.near, radius_km=question.radius_km)
    return wanted


def _filters_of(wanted: EntryWanted, question: Question, read: Interpretation) -> EntryFiltersJson:
    """What to ask the directory for to see all of them, as somebody would write it."""
    text = " ".join(forms[0].rstrip("*") for forms in wanted.names)
    tags = [tag for sort in wanted.sorts for tag in sort.tags]
    if not text and not tags:
        text = read.street or read.name
    within = question.within or (f"id:{read.place.id}" if read.place and read.relation else "")
    category = tags[0] if len(tags) == 1 and not wanted.names else ""
    return EntryFiltersJson(text=text, category=category, within=within)


def _radius_km(read: Interpretation) -> float:
    """How far from the point of a query entries may be; 0 where they must be in its place."""
    if read.is_at_street:
        return _STREET_KM
    if read.precision is Precision.POSTCODE:
        return _POSTCODE_KM
    return _NEAR_KM if read.relation is Relation.NEAR else 0.0


def _nearest(point: Point, entries: Iterable[ListedEntry]) -> list[ListedEntry]:
    """Those that are known to be near a point, the nearest first."""
    placed = [e for e in entries if e.entry.point and e.entry.precision not in _ROUGH]
    return sorted(placed, key=lambda e: distance_km(point, e.entry.point or point))


def names_of_sorts(words: Sequence[str]) -> Iterator[tuple[range, Sequence[str]]]:
    """What the sorts of things that words name are called, in all languages, with their positions.

    >>> [at for at, names in names_of_sorts(["rent", "bike", "ulm"]) if "fahrradverleih" in names]
    [range(0, 2)]
    """
    for at, meant in _phrases(words):
        if meant:
            yield at, [name for tag in meant for name in _names_of()[tag]]


def _phrases(words: Sequence[str]) -> Iterator[tuple[range, tuple[str, ...]]]:
    """Where the words of a query name categories, several together at times ("car rental")."""
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST_PHRASE, len(words) - at), 0, -1):
            part = range(at, at + size)
            if (tags := _tags_of(_phrase(words, part))) or size == 1:
                yield part, tags
                break
        at += size


def _phrase(words: Sequence[str], at: range) -> str:
    return " ".join(words[n] for n in at)


def _tags_of(phrase: str) -> tuple[str, ...]:
    """The categories that a word or several name, in one of its forms; our own words come first.

    A compound is of the sort of its end, as German writes them: a Musikschule is a school.
    """
    before, blank, last = phrase.rpartition(" ")
    forms = (phrase, *(f"{before}{blank}{form}" for form in inflections(last)))
    for known in _known_words():
        if found := dict.fromkeys(known[form] for form in forms if form in known):
            return tuple(found)
    starts = range(1, len(phrase) - _SHORT_END + 1 if phrase.isalpha() else 0)
    ends = (phrase[start:] for start in starts)
    return next(((_ends()[end],) for end in ends if end in _ends()), ())


def _is_compound(phrase: str) -> bool:
    """Whether a sort of thing is only known by the end of its word."""
    forms = (phrase, *inflections(phrase))
    return phrase.isalpha() and not any(form in known for known in _known_words() for form in forms)


@cache
def _ends() -> dict[str, str]:
    """Categories by the words that compounds end in, without accents."""
    return {
        end: tag for word, tag in compound_ends().items() if len(end := fold(word)) > _SHORT_END
    }


@cache
def _known_words() -> tuple[dict[str, str], ...]:
    """Categories by words without accents: ours with their own names, and those of presets."""
    words = {fold(word): tag for word, tag in category_words().items()}
    for tag in dict.fromkeys(words.values()):
        words.setdefault(tag.partition("=")[2], tag)
    return words, *(_by_phrase(known) for known in presets())


def _by_phrase(known: Mapping[str, str]) -> dict[str, str]:
    """Categories by what stands in queries: "rent a bike" without its article."""
    small, found = stop_words(), dict[str, str]()
    for words, tag in known.items():
        folded = fold(words)
        found.setdefault(" ".join(w for w in folded.split() if w not in small) or folded, tag)
    return found


@cache
def _names_of() -> dict[str, list[str]]:
    """What things of each category are called, without accents."""
    found: dict[str, list[str]] = {}
    for word, tag in (*category_words().items(), *presets()[0].items()):
        found.setdefault(tag, []).append(fold(word))
    return found
