"""Who links to whom: within a site by its tree and menus, between sites by city and popularity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from geoscout_lab.worlds.synthetic.profile import Profile
from geoscout_lab.worlds.synthetic.structure.cities import Floats
from geoscout_lab.worlds.synthetic.structure.hosts import Hosts, Integers
from geoscout_lab.worlds.synthetic.structure.link_table import Edges, Tie
from geoscout_lab.worlds.synthetic.structure.pages import LISTING_ROLES, Pages, Role, first_section

_SAME_COUNTRY = 0.85  # links by popularity that stay in the country, where there are several
_CALENDAR_NEIGHBOURS = (1, 2, 7)  # pages a trap leads to from each of its pages


@dataclass(frozen=True, slots=True)
class Ground:
    """What links are laid on."""

    profile: Profile
    hosts: Hosts
    pages: Pages
    sections: Integers
    country: Integers  # of each city, as a number
    nearness: Floats


def make_links(ground: Ground, chance: np.random.Generator) -> Edges:
    """All links between the pages that are not noise."""
    return Edges.joined(
        _menus(ground),
        _contacts(ground),
        _children(ground),
        _siblings(ground, chance),
        _traps(ground),
        _external(ground, chance),
        _listings(ground, chance),
    )


def _menus(ground: Ground) -> Edges:
    """Home and sections, from every page of a site."""
    pages, hosts = ground.pages, ground.hosts
    every = np.arange(pages.count)
    first = hosts.first[pages.host]
    parts = [Edges.of(every, first, Tie.HOME)]
    start = first_section(hosts)[pages.host]
    for number in range(ground.profile.sections):
        has = ground.sections[pages.host] > number
        parts.append(Edges.of(every[has], (first + start + number)[has], Tie.SECTION))
    return Edges.joined(*parts)


def _contacts(ground: Ground) -> Edges:
    """Contact and imprint, from every page or from the home page alone."""
    pages, hosts = ground.pages, ground.hosts
    linking = np.flatnonzero(hosts.contact_everywhere[pages.host] | (pages.role == Role.HOME))
    host = pages.host[linking]
    contact, imprint = hosts.has_contact[host], hosts.has_imprint[host]
    imprint_page = hosts.first[host] + first_section(hosts)[host] - 1
    return Edges.joined(
        Edges.of(linking[contact], hosts.first[host[contact]] + 1, Tie.CONTACT),
        Edges.of(linking[imprint], imprint_page[imprint], Tie.IMPRINT),
    )


def _children(ground: Ground) -> Edges:
    pages = ground.pages
    hung = np.flatnonzero((pages.local > 0) & (pages.role >= Role.SECTION))
    return Edges.of(pages.parent[hung], hung, Tie.CHILD)


def _siblings(ground: Ground, chance: np.random.Generator) -> Edges:
    pages, hosts = ground.pages, ground.hosts
    counts = chance.poisson(ground.profile.sibling_links, pages.count)
    source = np.repeat(np.arange(pages.count), counts)
    host = pages.host[source]
    return Edges.of(source, _any_page(hosts, host, chance), Tie.SIBLING)


def _listings(ground: Ground, chance: np.random.Generator) -> Edges:
    """The lists of a directory: from a page to others for its city, and to the first of others."""
    profile, pages = ground.profile, ground.pages
    listed = np.flatnonzero(pages.role == Role.DIRECTORY)
    if not profile.directory_links:  # chance is left alone, so that other profiles keep theirs
        return Edges.of(listed[:0], listed[:0], Tie.CHILD)
    source = np.repeat(listed, chance.poisson(profile.directory_links, len(listed)))
    shelf = pages.host * len(ground.country) + pages.city  # a city in a directory
    weight = np.ones(pages.count)
    target = WeightedChoice.of(listed, pages.host, weight).draw(pages.host[source], source, chance)
    shelves, number = np.unique(shelf[listed], return_index=True)
    target = listed[number[np.searchsorted(shelves, shelf[target])]]
    same = chance.random(len(source)) < profile.directory_same_city
    on_shelf = WeightedChoice.of(listed, shelf, weight)
    target[same] = on_shelf.draw(shelf[source[same]], source[same], chance)
    return Edges.joined(Edges.of(source, target, Tie.CHILD), _partners(ground, listed, chance))


def _partners(ground: Ground, listed: Integers, chance: np.random.Generator) -> Edges:
    """Links from a directory's page for a city to what other directories have for it."""
    pages = ground.pages
    source = np.repeat(listed, chance.poisson(ground.profile.directory_partners, len(listed)))
    city = pages.city.astype(np.int64)
    by_city = WeightedChoice.of(listed, city, np.ones(pages.count))
    target = by_city.draw(city[source], source, chance)
    other = pages.host[source] != pages.host[target]
    return Edges.of(source[other], target[other], Tie.ENTRY)


def _any_page(hosts: Hosts, host: Integers, chance: np.random.Generator) -> Integers:
    pages: Integers = hosts.first[host] + (chance.random(len(host)) * hosts.size[host]).astype(int)
    return pages


def _traps(ground: Ground) -> Edges:
    """Every page of a trap leads to some further ones."""
    pages, hosts = ground.pages, ground.hosts
    trapped = np.flatnonzero(pages.role == Role.TRAP)
    parts = []
    for step in _CALENDAR_NEIGHBOURS:
        host = pages.host[trapped]
        ahead = trapped + step
        inside = ahead < hosts.first[host] + hosts.size[host]
        parts.append(Edges.of(trapped[inside], ahead[inside], Tie.CHILD))
    return Edges.joined(*parts)


def _external(ground: Ground, chance: np.random.Generator) -> Edges:
    source = np.repeat(np.arange(ground.pages.count), _external_counts(ground, chance))
    host = _target_hosts(ground, source, chance)
    lands_home = chance.random(len(source)) < ground.profile.land_on_home
    home = ground.hosts.first[host]
    target = np.where(lands_home, home, _any_page(ground.hosts, host, chance))
    edges = Edges.of(source, target, Tie.TEXT)
    edges.tie[np.isin(ground.pages.role[source], LISTING_ROLES)] = Tie.ENTRY
    elsewhere = ground.pages.host[source] != host
    return Edges(source[elsewhere], target[elsewhere], edges.tie[elsewhere])


def _external_counts(ground: Ground, chance: np.random.Generator) -> Integers:
    profile, role = ground.profile, ground.pages.role
    count = ground.pages.count
    # Most pages have none; the others a geometric number, so that the mean is as the profile says.
    mean = profile.external_content / (1 - profile.external_none)
    counts = np.where(
        chance.random(count) < profile.external_none, 0, chance.geometric(1 / mean, count)
    )
    counts[role == Role.HOME] = chance.poisson(
        profile.external_home, int((role == Role.HOME).sum())
    )
    listing = np.isin(role, LISTING_ROLES)
    counts[listing] = chance.poisson(profile.external_listing, int(listing.sum()))
    counts[np.isin(role, (Role.CONTACT, Role.IMPRINT, Role.TRAP))] = 0
    return counts


def _target_hosts(ground: Ground, source: Integers, chance: np.random.Generator) -> Integers:
    """Where the external links of these pages go: own city, near city, any local host, anywhere."""
    profile, hosts = ground.profile, ground.hosts
    city = ground.pages.city[source].astype(np.int64)
    listing = np.isin(ground.pages.role[source], LISTING_ROLES)
    near_share = np.where(listing, profile.near_city_listing, profile.near_city)
    luck = chance.random(len(source))
    same = (city >= 0) & (luck < profile.same_city)
    near = (city >= 0) & ~same & (luck < profile.same_city + near_share)
    any_local = ~same & ~near & (chance.random(len(source)) < profile.any_local)
    target = _by_popularity(ground, source, chance)
    local = WeightedChoice.of(np.flatnonzero(hosts.is_local), hosts.city, hosts.attraction)
    target[same] = local.draw(city[same], target[same], chance)
    rows = city[near]
    neighbours = np.searchsorted(
        (ground.nearness + np.arange(len(ground.nearness))[:, None]).ravel(),
        rows + chance.random(len(rows)) * (1 - 1e-9),
    ) % len(ground.nearness)
    target[near] = local.draw(neighbours, target[near], chance)
    everyone = WeightedChoice.of(
        np.flatnonzero(hosts.is_local), np.zeros_like(hosts.city), hosts.attraction
    )
    zeros = np.zeros(int(any_local.sum()), dtype=np.int64)
    target[any_local] = everyone.draw(zeros, target[any_local], chance)
    return target


def _by_popularity(ground: Ground, source: Integers, chance: np.random.Generator) -> Integers:
    hosts = ground.hosts
    every = np.arange(hosts.count)
    zeros = np.zeros(len(source), dtype=np.int64)
    anywhere = WeightedChoice.of(every, np.zeros_like(hosts.city), hosts.attraction)
    target = anywhere.draw(zeros, zeros, chance)
    country = ground.country[hosts.city]
    own = country[ground.pages.host[source]]
    stays = chance.random(len(source)) < _SAME_COUNTRY
    at_home = WeightedChoice.of(every, country, hosts.attraction)
    target[stays] = at_home.draw(own[stays], target[stays], chance)
    return target


@dataclass(frozen=True, slots=True)
class WeightedChoice:
    """Draws members of groups by weight, all groups at once."""

    members: Integers  # sorted by group
    groups: Integers
    sums: Floats  # of the weights, running over all groups

    @staticmethod
    def of(members: Integers, group_of: Integers, weight: Floats) -> WeightedChoice:
        order = members[np.argsort(group_of[members], kind="stable")]
        sums = np.concatenate(([0.0], np.cumsum(weight[order])))
        return WeightedChoice(order, group_of[order], sums)

    def draw(self, groups: Integers, otherwise: Integers, chance: np.random.Generator) -> Integers:
        """One member of each of these groups; `otherwise` where a group is empty."""
        first = np.searchsorted(self.groups, groups, side="left")
        last = np.searchsorted(self.groups, groups, side="right")
        low, high = self.sums[first], self.sums[last]
        spot = low + chance.random(len(groups)) * (high - low)
        found = np.clip(np.searchsorted(self.sums, spot, side="right") - 1, first, last - 1)
        drawn: Integers = np.where(last > first, self.members[found], otherwise)
        return drawn
