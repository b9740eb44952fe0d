"""Who links to whom: within a site by its tree and menus, between sites by city and popularity.

The links are one compressed table: from where, to where, of which kind. Noise comes last: a copy or
a redirect replaces a page on one of the links to it, so that a crawler that follows the link gets
the copy; dead links are added; some servers do not answer. All of them have numbers after those of
the proper pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from geoscout_lab.worlds.synthetic.hosts import Floats, Hosts, Integers
from geoscout_lab.worlds.synthetic.pages import LISTING_ROLES, Pages, Role, first_section
from geoscout_lab.worlds.synthetic.profile import Profile


class Tie(IntEnum):
    """What a link is on its page; also the order of links on a page."""

    HOME = 0  # navigation
    SECTION = 1
    TEXT = 2  # in a sentence, to another site
    ENTRY = 3  # entry of a list, to another site
    CHILD = 4  # list of the pages below
    SIBLING = 5  # other pages of the site
    STRAY = 6  # a page that does not exist any more
    CONTACT = 7  # foot of the page
    IMPRINT = 8
    MOVED = 9  # where a redirect leads


@dataclass(frozen=True, slots=True)
class Edges:
    """Links as a bag of rows."""

    source: Integers
    target: Integers
    tie: npt.NDArray[np.int8]

    @staticmethod
    def of(source: Integers, target: Integers, tie: Tie) -> Edges:
        return Edges(source, target, np.full(len(source), tie, dtype=np.int8))

    @staticmethod
    def joined(*parts: Edges) -> Edges:
        return Edges(
            np.concatenate([part.source for part in parts]),
            np.concatenate([part.target for part in parts]),
            np.concatenate([part.tie for part in parts]),
        )


@dataclass(frozen=True, slots=True)
class LinkTable:
    """The links of page p are rows start[p] to start[p + 1]."""

    start: Integers
    target: npt.NDArray[np.int32]
    tie: npt.NDArray[np.int8]

    def targets(self, page: int) -> npt.NDArray[np.int32]:
        return self.target[self.start[page] : self.start[page + 1]]

    def ties(self, page: int) -> npt.NDArray[np.int8]:
        return self.tie[self.start[page] : self.start[page + 1]]


def distinct(edges: Edges) -> Edges:
    """In the order of their pages; each target once a page, at its first place; no page itself."""
    kept = edges.source != edges.target
    source, target, tie = edges.source[kept], edges.target[kept], edges.tie[kept]
    order = np.lexsort((tie, target, source))
    source, target, tie = source[order], target[order], tie[order]
    first = np.ones(len(source), dtype=np.bool_)
    first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    source, target, tie = source[first], target[first], tie[first]
    # Pages of one kind of link come as their numbers do, externals in no order a crawler could use.
    order = np.lexsort((target, tie, source))
    return Edges(source[order], target[order], tie[order])


def compress(edges: Edges, pages: int) -> LinkTable:
    counts = np.bincount(edges.source, minlength=pages)
    start = np.concatenate(([0], np.cumsum(counts)))
    return LinkTable(start, edges.target.astype(np.int32), edges.tie)


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


FOUND, MOVED, MISSING, SILENT = 200, 301, 404, 0


@dataclass(frozen=True, slots=True)
class Noisy:
    """All pages with the noise; `original` of a copy or a redirect is the page it replaces."""

    pages: Pages
    edges: Edges
    original: Integers
    status: npt.NDArray[np.int16]
    blocked: npt.NDArray[np.bool_]  # robots.txt forbids it


def proper_pages(profile: Profile, pages: int) -> int:
    """How many pages of a web of that size are not noise."""
    noise = profile.duplicates + profile.redirects + profile.dead + profile.soft_errors
    return pages - int(noise * pages)


def add_noise(
    profile: Profile, hosts: Hosts, pages: Pages, edges: Edges, chance: np.random.Generator
) -> Noisy:
    """The web with its noise; `edges` are distinct."""
    total = round(pages.count / proper_pages(profile, 1_000_000) * 1_000_000)
    counts = {
        Role.DUPLICATE: int(profile.duplicates * total),
        Role.REDIRECT: int(profile.redirects * total),
        Role.DEAD: int(profile.dead * total),
        Role.SOFT_ERROR: int(profile.soft_errors * total),
    }
    role = np.concatenate([np.full(n, kind, dtype=np.int8) for kind, n in counts.items()])
    replaced = _links_to_replace(pages, edges, len(role), chance)
    original = edges.target[replaced].astype(np.int64)
    all_pages = _extended(pages, role, original)
    noisy_edges = _rewired(edges, replaced, all_pages, hosts)
    originals = np.concatenate((np.arange(pages.count), original))
    status = np.full(all_pages.count, FOUND, dtype=np.int16)
    status[all_pages.role == Role.REDIRECT] = MOVED
    status[all_pages.role == Role.DEAD] = MISSING
    blocked = _some(pages, all_pages.count, profile.blocked, chance)
    status[_some(pages, all_pages.count, profile.timeouts, chance) | blocked] = SILENT
    return Noisy(all_pages, noisy_edges, originals, status, blocked)


def _links_to_replace(
    pages: Pages, edges: Edges, count: int, chance: np.random.Generator
) -> Integers:
    """A link for each piece of noise; menus stay as they are, or no site would hold together."""
    loose = np.flatnonzero((edges.tie != Tie.HOME) & (edges.tie != Tie.SECTION))
    in_trap = pages.role[edges.target[loose]] == Role.TRAP
    return chance.choice(loose[~in_trap], count, replace=False)


def _extended(pages: Pages, role: npt.NDArray[np.int8], original: Integers) -> Pages:
    """The pages with the noise behind them; a copy says what its original says."""
    is_copy = role == Role.DUPLICATE
    blank = np.int16(-1)
    return Pages(
        host=np.concatenate((pages.host, pages.host[original])),
        local=np.concatenate((pages.local, pages.local[original])),
        role=np.concatenate((pages.role, role)),
        parent=np.concatenate((pages.parent, original)),
        city=np.concatenate((pages.city, np.where(is_copy, pages.city[original], blank))),
        address_city=np.concatenate(
            (pages.address_city, np.where(is_copy, pages.address_city[original], blank))
        ),
    )


def _rewired(edges: Edges, replaced: Integers, pages: Pages, hosts: Hosts) -> Edges:
    """The links with the noise on them; `replaced` has one for each piece of noise."""
    number = np.arange(pages.count - len(replaced), pages.count)
    role = pages.role[number]
    target, source = edges.target.copy(), edges.source
    stands_in = np.isin(role, (Role.DUPLICATE, Role.REDIRECT))
    target[replaced[stands_in]] = number[stands_in]
    gone = replaced[~stands_in]
    moved = number[role == Role.REDIRECT]
    soft = number[role == Role.SOFT_ERROR]
    return Edges.joined(
        Edges(source, target, edges.tie),
        Edges.of(source[gone], number[~stands_in], Tie.STRAY),
        Edges.of(moved, pages.parent[moved], Tie.MOVED),
        Edges.of(soft, hosts.first[pages.host[soft]], Tie.HOME),
    )


def _some(
    pages: Pages, total: int, share: float, chance: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """A share of the content pages, for what befalls single pages."""
    chosen = np.zeros(total, dtype=np.bool_)
    eligible = np.flatnonzero(pages.role >= Role.CONTENT)
    chosen[chance.choice(eligible, min(len(eligible), int(share * total)), replace=False)] = True
    return chosen
