"""The brand of an entry, as the name-suggestion-index of OpenStreetMap knows it, and chains.

An entry is of a brand if its whole name is one that the index gives to the brand, without its town
and the number of the branch; its category is that of the brand, or one that the index takes for it;
and the brand is where the entry is. So an inn called Linde is no bakery of that name, and no brand
is guessed where two fit.
"""

import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from msgspec import Struct

from geoscout_directory.contacts import is_shared
from geoscout_directory.records import DirectoryEntry
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Address
from geoscout_places.urls import domain_of

_WORLD = "001"
_NUMBER = re.compile(r"[\s,(-]*(?:#|№|\b(?:no|nr)\b\.?|\bstore\b)?\s*\d+\)?$", re.IGNORECASE)
_WIDEST = 1000  # more countries than there are


class Brand(Struct, frozen=True, gc=False):
    """A brand in one category."""

    name: str
    id: str  # of the index, `nsi_id`
    wikidata: str
    where: str  # codes of countries, 001 for the world, and boxes: US:-124.5,32.5,-114,42.1

    @property
    def width(self) -> int:
        """Of two brands of one name the one in fewer countries is meant."""
        areas = self.where.split()
        return _WIDEST if _WORLD in areas else len(areas)

    def is_at(self, address: Address | None) -> bool:
        """Whether there is such a branch where an address is."""
        areas = self.where.split()
        return any(_holds(area, address) for area in areas if area[0] != "-") and not any(
            _holds(area[1:], address) for area in areas if area[0] == "-"
        )


def _holds(area: str, address: Address | None) -> bool:
    if area == _WORLD or address is None:
        return area == _WORLD
    country, _, corners = area.partition(":")
    if country and country != address.country:
        return False
    if not corners:
        return True
    west, south, east, north = map(float, corners.split(","))
    point = address.point
    return (
        point is not None and west <= point.longitude <= east and south <= point.latitude <= north
    )


@cache
def _table() -> tuple[Mapping[str, Mapping[str, list[Brand]]], Mapping[str, tuple[str, ...]]]:
    """The brands of each category by name, and the categories taken for each, itself first."""
    packed = (files("geoscout_directory") / "data/brands.tsv.xz").read_bytes()
    known: dict[str, dict[str, list[Brand]]] = defaultdict(dict)
    alike: dict[str, list[str]] = defaultdict(list)
    for line in lzma.decompress(packed).decode().splitlines()[1:]:
        tag, name, id, wikidata, names, where = line.split("\t")
        if not name:
            for one in tag.split(","):
                alike[one] += tag.split(",")
            continue
        form = brand_form(name)
        brand = Brand(name, id if "-" in id else f"{form}-{id}", wikidata, where)
        for word in names.split(","):
            known[tag].setdefault(word.replace("*", form), []).append(brand)
    every = known.keys() | alike.keys()
    return dict(known), {tag: tuple(dict.fromkeys((tag, *alike[tag]))) for tag in every}


def brand_form(name: str) -> str:
    """The form in which names of brands are compared.

    >>> brand_form("McDonald’s"), brand_form("H & M"), brand_form("C&A")
    ('mcdonalds', 'hm', 'ca')
    """
    return fold(name).replace(" ", "")


def brand_of(entry: DirectoryEntry) -> Brand | None:
    """The brand of an entry; None where it has none, or two fit."""
    known, alike = _table()
    for name in _forms(entry):
        for category in entry.categories:
            for tag in alike.get(category, ()):
                named = known.get(tag, {}).get(name, ())
                if found := [brand for brand in named if brand.is_at(entry.address)]:
                    return _narrowest(found)
    return None


def _forms(entry: DirectoryEntry) -> Iterator[str]:
    """The name of an entry, and what is left of it without number and town."""
    yield brand_form(entry.name)
    name = _NUMBER.sub("", entry.name)
    yield brand_form(name)
    if entry.address and (town := fold(entry.address.city)):
        yield f" {fold(name)} ".replace(f" {town} ", " ").replace(" ", "")


def is_of_brand(entry: DirectoryEntry, asked: str) -> bool:
    """Whether an entry is of a brand, by its name, Wikidata's number, or the domain of its site."""
    brand = brand_of(entry)
    if brand and (asked == brand.wikidata or brand_form(asked) == brand_form(brand.name)):
        return True
    return bool(entry.website) and asked.lower() == domain_of(entry.website)


class Chain(NamedTuple):
    """The entries of one brand or website, and how many of them have what."""

    name: str
    brand: str  # Wikidata's number, or the domain of the website
    entries: int
    towns: int
    phone: int
    hours: int
    website: int
    disagreements: int  # entries of which pages say different things


def chains(entries: Iterable[DirectoryEntry], is_list: Callable[[str], bool]) -> list[Chain]:
    """The brands and websites that have several entries; `is_list` tells websites of guides."""
    found: dict[str, list[DirectoryEntry]] = defaultdict(list)
    for entry in entries:
        brand, site = brand_of(entry), domain_of(entry.website)
        if brand or (site and not is_shared(entry.website) and not is_list(site)):
            found[brand.wikidata if brand else site].append(entry)
    made = (_chain(key, group) for key, group in found.items() if len(group) > 1)
    return sorted(made, key=lambda chain: (-chain.entries, chain.name))


def _chain(key: str, group: Sequence[DirectoryEntry]) -> Chain:
    brand = brand_of(group[0])
    name = brand.name if brand else Counter(entry.name for entry in group).most_common(1)[0][0]
    towns = {entry.address.city for entry in group if entry.address}
    return Chain(
        name,
        key,
        len(group),
        len(towns),
        phone=sum(bool(entry.phones) for entry in group),
        hours=sum(bool(entry.hours) for entry in group),
        website=sum(bool(entry.website) for entry in group),
        disagreements=sum(bool(entry.contradictions) for entry in group),
    )


def _narrowest(brands: Iterable[Brand]) -> Brand | None:
    first, *others = sorted(brands, key=lambda brand: brand.width)
    rivals = (brand for brand in others if brand.width == first.width)
    return None if any(brand.wikidata != first.wikidata for brand in rivals) else first
