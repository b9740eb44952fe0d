"""Finds what belongs to a number: the site of a host, the URL, title and entities of a page.

Everything is made when it is asked for and depends on the numbers alone, so a web of 300,000 pages
holds arrays and a few thousand sites, not texts.

`Locations` has what tables say of servers and of registrants of domains. Both are clues that
crawlers have used for the place of a page, and here they are as unreliable as published: most
servers are in a data centre, and a registrant may live anywhere.
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from ipaddress import IPv4Address

import numpy as np

from geoscout_lab.worlds.synthetic.hosts import LOCAL, City, Floats, HostType, weights_of
from geoscout_lab.worlds.synthetic.pages import Role, first_section
from geoscout_lab.worlds.synthetic.profile import Chance, WebLanguage, share_of, slug
from geoscout_lab.worlds.synthetic.sites import (
    BLOCKED_FOLDER,
    PathWords,
    SyntheticSite,
    copy_url,
    distinct_domains,
    make_site,
    noise_path,
    page_path,
)
from geoscout_lab.worlds.synthetic.structure import Structure

_INWARD_LETTERS = "ABDEFGHJLNPQRSTUWXYZ"
_HIGHEST_NUMBER = {"DE": 180, "AT": 90, "GB": 240, "FR": 150, "US": 4900}
_LETTER_SHARE = 0.08  # house numbers such as 12a


@dataclass(frozen=True, slots=True)
class Entity:
    """Something with an address."""

    key: int
    name: str
    number: str
    street: str
    postcode: str
    city: City
    phone: str

    @property
    def street_line(self) -> str:
        if self.city.country in ("DE", "AT"):
            return f"{self.street} {self.number}"
        return f"{self.number} {self.street}"

    @property
    def town_line(self) -> str:
        city = self.city
        if city.country == "US":
            return f"{city.name}, {city.state} {self.postcode}"
        if city.country == "GB":
            return f"{city.name} {self.postcode}"
        return f"{self.postcode} {city.name}"

    @property
    def normal_form(self) -> str:
        """The text by which two mentions of one address are the same."""
        return f"{self.street_line}, {self.town_line}, {self.city.country}".casefold()


def make_entity(key: int, name: str, city: City, language: WebLanguage, random_seed: int) -> Entity:
    """The entity with this key; the same key has the same address wherever it is shown."""
    chance = Chance(random_seed * 7 + 3, key)
    number = str(chance.between(1, _HIGHEST_NUMBER[city.country]))
    if city.country in ("DE", "AT") and chance.hits(_LETTER_SHARE):
        number += chance.pick("abc")
    return Entity(
        key=key,
        name=name,
        number=number,
        street=chance.pick(language.streets[city.country]),
        postcode=_postcode(city, chance),
        city=city,
        phone=_phone(city.country, chance),
    )


def _postcode(city: City, chance: Chance) -> str:
    """A real postcode of the city; of a British one the gazetteer may have the first half only."""
    code = chance.pick(city.postcodes).code
    if city.country == "GB" and " " not in code:
        letters = chance.pick(_INWARD_LETTERS) + chance.pick(_INWARD_LETTERS)
        return f"{code} {chance.between(1, 9)}{letters}"
    return code


def _phone(country: str, chance: Chance) -> str:
    """A number in the ranges that are kept for fiction where there are such."""
    last = f"{chance.below(100):02d}"
    if country == "US":
        return f"(555) 555-01{last}"
    if country == "GB":
        return f"01632 9600{last}"
    if country == "FR":
        return f"01 99 00 {chance.below(100):02d} {last}"
    return f"030 / 23 12 5{chance.below(10)} {last}"


_REMEMBERED = 50_000  # titles, URLs and entities: those of popular pages are asked for often
_MOST_ENTRIES = 4  # addresses on a page that lists several
# Purposes of chance, so that what a page is called tells nothing of what it says.
_TITLE, _PATH, _ENTRIES, _ASTRAY, _WRONG, _OTHER, _FALSE = 11, 13, 17, 19, 47, 53, 59


class Register:
    def __init__(self, structure: Structure, port: int = 0) -> None:
        """`port`: where the web is served; 0 for the usual ones."""
        self.structure = structure
        self.profile = structure.profile
        self.random_seed = structure.random_seed
        self.port = port
        pages = structure.pages
        self.roles: list[int] = pages.role.tolist()
        self.hosts: list[int] = pages.host.tolist()
        self.locals: list[int] = pages.local.tolist()
        self.page_cities: list[int] = pages.city.tolist()
        self.address_cities: list[int] = pages.address_city.tolist()
        self.originals: list[int] = structure.original.tolist()
        self._first_sections: list[int] = first_section(structure.hosts).tolist()
        self.title = lru_cache(_REMEMBERED)(self._title)
        self.url = lru_cache(_REMEMBERED)(self._url)
        self.entity = lru_cache(_REMEMBERED)(self._entity)

    @cached_property
    def sites(self) -> list[SyntheticSite]:
        hosts, cities = self.structure.hosts, self.structure.cities
        made = [
            make_site(number, HostType(type), cities[city], self.profile, self.random_seed)
            for number, (type, city) in enumerate(
                zip(hosts.type.tolist(), hosts.city.tolist(), strict=True)
            )
        ]
        domains = distinct_domains([site.domain for site in made])
        suffix = f":{self.port}" if self.port else ""
        return [
            replace(site, domain=domain + suffix, scheme="http" if self.port else site.scheme)
            for site, domain in zip(made, domains, strict=True)
        ]

    @cached_property
    def hosts_by_city(self) -> list[list[int]]:
        hosts = self.structure.hosts
        found: list[list[int]] = [[] for _ in self.structure.cities]
        for host in np.flatnonzero(hosts.is_local).tolist():
            found[int(hosts.city[host])].append(host)
        return found

    @cached_property
    def _first_copies(self) -> frozenset[int]:
        """Of the copies of each page the first."""
        copies = np.flatnonzero(self.structure.pages.role == Role.DUPLICATE)
        _, first = np.unique(self.structure.original[copies], return_index=True)
        return frozenset(copies[first].tolist())

    def site(self, page: int) -> SyntheticSite:
        return self.sites[self.hosts[page]]

    def city(self, page: int) -> City | None:
        number = self.page_cities[page]
        return self.structure.cities[number] if number >= 0 else None

    def chance(self, page: int, purpose: int) -> Chance:
        """Chance of its own for a purpose; the same for a page and its copies."""
        return Chance(self.random_seed * 1009 + purpose, self.originals[page])

    # Titles.

    def is_astray(self, page: int) -> bool:
        """Whether a content page carries contact words without being one."""
        share = share_of(self.random_seed * 1009 + _ASTRAY, page)
        return self.roles[page] == Role.CONTENT and share < self.profile.contact_words_astray

    def named_city(self, page: int) -> City | None:
        """The city in the title of a page; of a national page one that it is not about."""
        profile, role = self.profile, self.roles[page]
        luck = share_of(self.random_seed * 1009 + _TITLE, page)
        city = self.city(page)
        if city is None:
            wrong = luck < profile.city_in_title_national and role == Role.CONTENT
            cities = self.structure.cities
            return cities[Chance(page, self.random_seed).below(len(cities))] if wrong else None
        share = {
            Role.LISTING: profile.city_in_title_listing,
            Role.DIRECTORY: profile.city_in_title_listing,
            Role.LOCATOR: profile.city_in_title_locator,
        }.get(Role(role), profile.city_in_title_local)
        return city if luck < share else None

    def _title(self, page: int) -> str:
        role, site = self.roles[page], self.site(page)
        if role == Role.DUPLICATE:
            return self.title(self.originals[page])
        labels, chance = site.language.labels, self.chance(page, _TITLE)
        if role == Role.CONTACT or self.is_astray(page):
            return chance.pick(labels["contact"])
        if role == Role.IMPRINT:
            return chance.pick(labels["imprint"])
        if role == Role.SECTION:
            return site.sections[self.locals[page] - self._first_sections[self.hosts[page]]]
        words = self._title_words(page, chance)
        city = self.named_city(page)
        return f"{words} {city.name}" if city and city.name not in words else words

    def wrong_title(self, page: int) -> str:
        """How links call a page that they take for one about another city; "" for most pages."""
        original = self.originals[page]
        luck = share_of(self.random_seed * 1009 + _WRONG, original)
        if self.city(page) is None or luck >= self.profile.wrong_anchors:
            return ""
        city = self._some_city(share_of(self.random_seed * 1009 + _OTHER, original))
        return f"{self._title_words(original, self.chance(original, _TITLE))} {city.name}"

    def _some_city(self, luck: float) -> City:
        """A city, the large ones more often."""
        number = int(np.searchsorted(self._weight_sums, luck, side="right"))
        return self.structure.cities[min(number, len(self.structure.cities) - 1)]

    @cached_property
    def _weight_sums(self) -> Floats:
        sums: Floats = np.cumsum(weights_of(self.structure.cities, self.profile.city_exponent))
        return sums

    def _title_words(self, page: int, chance: Chance) -> str:
        role, site = self.roles[page], self.site(page)
        labels = site.language.labels
        if role == Role.HOME:
            return site.name
        if role == Role.LOCATOR:
            return chance.pick(labels["locator"])
        if role == Role.LISTING:
            return chance.pick(labels["listing"])
        nouns = site.language.topics[self.topic(page)]
        first = chance.pick(nouns)
        if role == Role.DIRECTORY or chance.hits(0.3):
            return _capitalised(first)
        return f"{_capitalised(first)} & {chance.pick(nouns)}"

    def topic(self, page: int) -> str:
        """What a page is about besides a place; portals and directories have a bit of all."""
        site = self.site(page)
        if site.type in (HostType.PORTAL, HostType.DIRECTORY, HostType.TRAP):
            topics = tuple(site.language.topics)
            return topics[self.originals[page] * 7919 % len(topics)]
        return site.topic

    # URLs.

    def _url(self, page: int) -> str:
        role, site = self.roles[page], self.site(page)
        if role < Role.DUPLICATE:
            return f"{site.origin}{self.path(page)}"
        path = self.path(self.originals[page])
        if role == Role.DUPLICATE:
            is_first = page in self._first_copies
            return copy_url(site, path, page, is_first=is_first)
        return f"{site.origin}{noise_path(role, path, page)}"

    def path(self, page: int) -> str:
        """The path of a proper page."""
        return page_path(self.site(page), self.locals[page], self._path_words(page))

    def _path_words(self, page: int) -> PathWords:
        role, profile = self.roles[page], self.profile
        if role in (Role.HOME, Role.TRAP):
            return PathWords(role)
        chance = self.chance(page, _PATH)
        folder = f"{BLOCKED_FOLDER}/" if self.structure.blocked[page] else ""
        stem, city = "", ""
        labels = self.site(page).language.labels
        kind = _SLUGS.get(role, "contact" if self.is_astray(page) else "")
        if kind and chance.hits(profile.role_in_path):
            stem = chance.pick(labels[f"slugs_{kind}"])
        elif role == Role.SECTION and chance.hits(profile.role_in_path):
            stem = slug(self.title(page))
        elif not kind and role != Role.SECTION and chance.hits(profile.topic_in_path):
            stem = slug(self._title_words(page, self.chance(page, _TITLE)))
        about = self.city(page)
        if about and role in _CITY_PATHS and chance.hits(profile.city_in_path):
            city = slug(about.name)
        return PathWords(role, stem, city, folder)

    # Addresses.

    def entities(self, page: int) -> list[Entity]:
        """Whose addresses a page shows."""
        city = self.address_cities[page]
        if city < 0:
            return []
        original = self.originals[page]
        role, host = self.roles[original], self.hosts[page]
        if role in (Role.LISTING, Role.DIRECTORY):
            return self._entries(original, city)
        own = self.structure.hosts.city[host] == city and role != Role.LOCATOR
        return [self.entity(host if own else self.structure.hosts.count + original, city)]

    def false_entity(self, page: int) -> Entity | None:
        """What only looks like an address on a page: its city has no street of that name."""
        city, original = self.city(page), self.originals[page]
        luck = share_of(self.random_seed * 1009 + _FALSE, original)
        if city is None or city.country != "US" or luck >= self.profile.false_addresses:
            return None
        entity = self.entity(self.structure.hosts.count + original, self.page_cities[page])
        noun = self.chance(page, _FALSE).pick(self.site(page).language.topics[self.topic(page)])
        return replace(entity, street=f"{_capitalised(noun)} {entity.street.split()[-1]}")

    def _entries(self, page: int, city: int) -> list[Entity]:
        local = self.hosts_by_city[city]
        chance = self.chance(page, _ENTRIES)
        if not local:
            return [self.entity(self.structure.hosts.count + page, city)]
        chosen = {chance.pick(local) for _ in range(chance.between(1, _MOST_ENTRIES))}
        return [self.entity(host, city) for host in sorted(chosen)]

    def _entity(self, key: int, city: int) -> Entity:
        count = self.structure.hosts.count
        site = self.sites[key] if key < count else self.site(key - count)
        place = self.structure.cities[city]
        return make_entity(key, site.name, place, site.language_in(place), self.random_seed)


_SLUGS: dict[int, str] = {
    Role.CONTACT: "contact",
    Role.IMPRINT: "imprint",
    Role.LISTING: "listing",
    Role.DIRECTORY: "listing",
    Role.LOCATOR: "locator",
}
_CITY_PATHS = (Role.LISTING, Role.LOCATOR, Role.DIRECTORY)


def _capitalised(text: str) -> str:
    return text[0].upper() + text[1:]


_FIRST_ADDRESS = int(IPv4Address("198.18.0.0"))  # a network kept for tests, RFC 2544
_ADDRESSES = 1 << 17
_DATA_CENTRES = 5  # cities of a country, the most populous ones
_SERVER, _OWNER = 41, 43  # purposes of chance


class Locations:
    """The tables of a web, by the number of the host."""

    def __init__(self, register: Register) -> None:
        self._register = register

    def address(self, host: int) -> str:
        """The address of a host's server."""
        return str(IPv4Address(_FIRST_ADDRESS + host % _ADDRESSES))

    def server(self, host: int) -> City | None:
        """The location of the server in the table; None if the table does not have it."""
        profile, site = self._register.profile, self._register.sites[host]
        chance = self._chance(host, _SERVER)
        is_local = site.type in LOCAL
        if chance.hits(profile.server_unknown if is_local else profile.server_unknown_national):
            return None
        right = profile.server_right / (1 - profile.server_unknown)
        if is_local and chance.hits(right):
            return site.city
        return chance.pick(self._cities_of(site.city.country)[:_DATA_CENTRES])

    def owner(self, host: int) -> City:
        """The city in the registration of the domain."""
        site = self._register.sites[host]
        chance = self._chance(host, _OWNER)
        if chance.hits(self._register.profile.whois_wrong):
            others = [c for c in self._cities_of(site.city.country) if c is not site.city]
            return chance.pick(others or [site.city])
        return site.city

    def _cities_of(self, country: str) -> list[City]:
        return [city for city in self._register.structure.cities if city.country == country]

    def _chance(self, host: int, purpose: int) -> Chance:
        return Chance(self._register.random_seed * 1009 + purpose, host)
