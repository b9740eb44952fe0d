"""The pages of a synthetic web as arrays: role, place in the site's tree, city, address."""

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from geoscout_lab.worlds.synthetic.hosts import Flags, Floats, Hosts, HostType, Integers
from geoscout_lab.worlds.synthetic.profile import Profile

_BELOW_SECTION = 0.6  # content pages that hang on a section; the others on an earlier page
_DEEPEST = 8
_SECTIONS_BY_SIZE = 0.62  # x sqrt(pages); gives the tail of in-degrees that real webs have
# Shares of content pages that list others: of a portal, and branches of a chain.
_LISTING_SHARE = {HostType.PORTAL: 0.6, HostType.CHAIN: 0.35, HostType.DIRECTORY: 0.9}


class Role(IntEnum):
    """What a page is for."""

    HOME = 0
    CONTACT = 1
    IMPRINT = 2
    SECTION = 3
    CONTENT = 4
    LISTING = 5  # of a portal: who is in town
    LOCATOR = 6  # a branch of a chain
    DIRECTORY = 7  # entries of a directory for one city
    TRAP = 8
    DUPLICATE = 9
    REDIRECT = 10
    DEAD = 11
    SOFT_ERROR = 12  # says "not found" with status 200


_LISTING_ROLE = {
    HostType.PORTAL: Role.LISTING,
    HostType.CHAIN: Role.LOCATOR,
    HostType.DIRECTORY: Role.DIRECTORY,
}
LISTING_ROLES = (Role.LISTING, Role.DIRECTORY)


@dataclass(frozen=True, slots=True)
class Pages:
    host: Integers
    local: Integers  # number within its host
    role: npt.NDArray[np.int8]
    parent: Integers  # the page it hangs on; itself for a home page
    city: npt.NDArray[np.int16]  # the city it is about; -1 for none
    address_city: npt.NDArray[np.int16]  # the city of the addresses it shows; -1 without any

    @property
    def count(self) -> int:
        return len(self.host)


def make_pages(
    profile: Profile, hosts: Hosts, cities: Floats, chance: np.random.Generator
) -> tuple[Pages, Integers]:
    """All pages except noise, and how many sections each host has."""
    host = np.repeat(np.arange(hosts.count), hosts.size)
    local = np.arange(len(host)) - hosts.first[host]
    sections = _sections(profile, hosts)
    role = _roles(hosts, sections, host, local, chance)
    city = _page_cities(hosts, host, role, cities, chance)
    if profile.directory_cities:
        _narrow(city, (host, role), profile.directory_cities, len(cities), chance)
    any_city = chance.choice(len(cities), len(host), p=cities)
    pages = Pages(
        host=host,
        local=local,
        role=role,
        parent=_parents(hosts, sections, host, local, chance),
        city=city,
        address_city=_address_cities(hosts, host, role, city, any_city),
    )
    if profile.address_elsewhere:  # only then, so that other profiles keep their chances
        moved = chance.random(len(host)) < profile.address_elsewhere
        pages = replace(pages, address_city=np.where(moved, any_city, pages.address_city))
    shown = _shows_address(profile, hosts, pages, chance)
    shown_city = np.where(shown, pages.address_city, np.int16(-1))
    return replace(pages, address_city=shown_city), sections


def _sections(profile: Profile, hosts: Hosts) -> Integers:
    """More for larger sites; the smallest have five pages in all, two of them sections."""
    wanted = np.round(_SECTIONS_BY_SIZE * np.sqrt(hosts.size)).astype(np.int64)
    return np.clip(wanted, 1, profile.sections)


def first_section(hosts: Hosts) -> Integers:
    """The number within its host of each host's first section."""
    return 1 + hosts.has_contact.astype(np.int64) + hosts.has_imprint


def _roles(
    hosts: Hosts, sections: Integers, host: Integers, local: Integers, chance: np.random.Generator
) -> npt.NDArray[np.int8]:
    role = np.full(len(host), Role.CONTENT, dtype=np.int8)
    kind, luck = hosts.type[host], chance.random(len(host))
    for type, listing in _LISTING_ROLE.items():
        role[(kind == type) & (luck < _LISTING_SHARE[type])] = listing
    role[kind == HostType.TRAP] = Role.TRAP
    start = first_section(hosts)[host]
    role[(local >= start) & (local < start + sections[host])] = Role.SECTION
    role[hosts.has_imprint[host] & (local == start - 1)] = Role.IMPRINT
    role[hosts.has_contact[host] & (local == 1)] = Role.CONTACT
    role[local == 0] = Role.HOME
    return role


def _parents(
    hosts: Hosts, sections: Integers, host: Integers, local: Integers, chance: np.random.Generator
) -> Integers:
    """Sections and their like hang on the home page, content on a section or earlier content."""
    start = first_section(hosts)[host]
    content_start = start + sections[host]
    section = start + (chance.random(len(host)) * sections[host]).astype(np.int64)
    span = local - content_start
    earlier = content_start + (chance.random(len(host)) * span).astype(np.int64)
    below_section = (chance.random(len(host)) < _BELOW_SECTION) | (span <= 0)
    parent = np.where(below_section, section, earlier)
    parent = np.where(local < content_start, 0, parent) + hosts.first[host]
    return _lifted(parent, hosts.first[host] + section, local < content_start)


def _lifted(parent: Integers, section: Integers, is_top: Flags) -> Integers:
    """The same tree with nothing deeper than `_DEEPEST`: what is goes below a section."""
    above = parent
    for _ in range(_DEEPEST - 2):
        above = np.where(is_top[above], above, parent[above])
    lifted: Integers = np.where(is_top | is_top[above], parent, section)
    return lifted


def _page_cities(
    hosts: Hosts,
    host: Integers,
    role: npt.NDArray[np.int8],
    cities: Floats,
    chance: np.random.Generator,
) -> npt.NDArray[np.int16]:
    city = np.where(hosts.is_local[host], hosts.city[host], -1).astype(np.int16)
    for listing in (Role.LOCATOR, Role.DIRECTORY):
        chosen = role == listing
        city[chosen] = chance.choice(len(cities), int(chosen.sum()), p=cities)
    return city


def _narrow(
    city: npt.NDArray[np.int16],
    pages: tuple[Integers, npt.NDArray[np.int8]],
    most: int,
    cities: int,
    chance: np.random.Generator,
) -> None:
    """Let each directory cover a few cities only; small ones are as likely as large ones."""
    host, role = pages
    listed = np.flatnonzero(role == Role.DIRECTORY)
    for directory in np.unique(host[listed]):
        own = listed[host[listed] == directory]
        some = chance.choice(cities, min(most, cities), replace=False)
        city[own] = chance.choice(some, len(own))


def _address_cities(
    hosts: Hosts,
    host: Integers,
    role: npt.NDArray[np.int8],
    city: npt.NDArray[np.int16],
    drawn: Integers,
) -> npt.NDArray[np.int16]:
    """The city of the address a page would show: its own, that of the company's seat, or any."""
    seat = np.isin(role, (Role.CONTACT, Role.IMPRINT, Role.HOME))
    elsewhere = np.where(seat, hosts.city[host], drawn)
    return np.where(city >= 0, city, elsewhere).astype(np.int16)


def _shows_address(
    profile: Profile, hosts: Hosts, pages: Pages, chance: np.random.Generator
) -> Flags:
    is_local = hosts.is_local[pages.host]
    share = np.zeros(pages.count)
    by_role = {
        Role.CONTACT: (profile.address_contact_local, profile.address_contact_national),
        Role.IMPRINT: (profile.address_imprint, profile.address_imprint),
        Role.HOME: (profile.address_home_local, profile.address_content_national),
        Role.SECTION: (profile.address_content_local, profile.address_content_national),
        Role.CONTENT: (profile.address_content_local, profile.address_content_national),
        Role.LISTING: (profile.address_listing, profile.address_listing),
        Role.LOCATOR: (profile.address_locator, profile.address_locator),
        Role.DIRECTORY: (profile.address_directory, profile.address_directory),
    }
    for role, (local, national) in by_role.items():
        chosen = pages.role == role
        share[chosen] = np.where(is_local[chosen], local, national)
    shown: Flags = chance.random(pages.count) < share
    in_footer = hosts.footer_address[pages.host] & (pages.role != Role.TRAP)
    footer: Flags = in_footer & (chance.random(pages.count) < profile.address_footer)
    return shown | footer
