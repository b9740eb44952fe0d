"""The noise of a web: copies, redirects, dead links, and servers that do not answer.

A copy or a redirect replaces a page on one of the links to it, so that a crawler that follows the
link gets the copy. Dead links are added. All of them have numbers after those of the proper pages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geoscout_lab.worlds.synthetic.profile import Profile
from geoscout_lab.worlds.synthetic.structure.hosts import Hosts, Integers
from geoscout_lab.worlds.synthetic.structure.link_table import Edges, Tie
from geoscout_lab.worlds.synthetic.structure.pages import Pages, Role

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
