"""The URLs of a synthetic web: what its pages, copies, redirects, dead links and traps are called.

All are in the normal form of `geoscout_places.urls`, and each ends in or carries its page's number,
so that no two are the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from geoscout_lab.worlds.synthetic.chance import Chance
from geoscout_lab.worlds.synthetic.register.sites import SyntheticSite
from geoscout_lab.worlds.synthetic.structure.hosts import HostType
from geoscout_lab.worlds.synthetic.structure.pages import Role
from geoscout_lab.worlds.synthetic.text.words import slug

_ENDINGS = (".html", "/", ".php", "", ".htm")
_FILTERS = ("colour", "size", "brand", "price", "sort", "rating", "stock", "year", "type", "sale")
_LOOP_LENGTH = 9
_LOOPS = ("info", "service", "news")
TRAPS = ("calendar", "facets", "loop", "session")
_FIRST_YEAR = 1995
BLOCKED_FOLDER = "intern"


@dataclass(frozen=True, slots=True)
class PathWords:
    """What a path is made of."""

    role: int
    stem: str = ""  # words of role or topic
    city: str = ""
    folder: str = ""  # ends in a slash where there is one


def page_path(site: SyntheticSite, local: int, words: PathWords) -> str:
    """The path of a proper page, from the root."""
    if words.role == Role.HOME:
        return "/"
    if words.role == Role.TRAP:
        return trap_path(site, local)
    ending = _ENDINGS[site.habit % len(_ENDINGS)]
    stem = "-".join(part for part in (words.stem, words.city) if part)
    if words.role in (Role.CONTACT, Role.IMPRINT, Role.SECTION) and words.stem:
        return f"/{words.folder}{stem}{ending}"
    if (site.habit >> 8) % 7 == 0 and not words.folder:
        return f"/index.php?page={stem + '-' if stem else ''}{local}"
    return f"/{words.folder}{stem + '-' if stem else ''}{local}{ending}"


def trap_kind(site: SyntheticSite) -> str:
    """Which trap a host is."""
    return TRAPS[site.habit % len(TRAPS)]


def trap_path(site: SyntheticSite, step: int) -> str:
    """The path of a step into a trap; there is one for any number."""
    kind = trap_kind(site)
    if kind == "calendar":
        return f"/calendar/{_FIRST_YEAR + step // 12}/{step % 12 + 1:02d}/"
    if kind == "facets":
        chosen = [f"{name}={step >> n & 1}" for n, name in enumerate(_FILTERS) if step >> n & 1]
        rest = step >> len(_FILTERS)
        return "/search?" + "&".join([*chosen, f"offset={rest * 10}"])
    if kind == "loop":
        depth, branch = step % _LOOP_LENGTH, step // _LOOP_LENGTH
        folders = "/".join(_LOOPS[n % len(_LOOPS)] for n in range(depth))
        return f"/{folders}{'/' if folders else ''}page-{branch}.html"
    return f"/article-{step % 40}.html?sid={Chance(site.habit, step).below(1 << 31):08x}a{step:07d}"


def step_of_trap(site: SyntheticSite, path: str) -> int | None:
    """The step into a trap that a path is; None for a path that is none.

    Served traps have no end: a step beyond the last numbered page is made when it is asked for.
    """
    kind = trap_kind(site)
    try:
        if kind == "calendar":
            _, _, year, month, _ = path.split("/")
            step = (int(year) - _FIRST_YEAR) * 12 + int(month) - 1
        elif kind == "facets":
            pairs = dict(pair.split("=") for pair in path.partition("?")[2].split("&"))
            rest = int(pairs.pop("offset")) // 10
            step = sum(1 << _FILTERS.index(name) for name in pairs) + (rest << len(_FILTERS))
        elif kind == "loop":
            *folders, page = path.strip("/").split("/")
            branch = int(page.removeprefix("page-").removesuffix(".html"))
            step = branch * _LOOP_LENGTH + len(folders)
        else:
            step = int(path.rpartition("a")[2])
    except (ValueError, KeyError):
        return None
    return step if trap_path(site, step) == path else None


def noise_path(role: int, path: str, number: int) -> str:
    """The path of a redirect, a dead link or a page that says it is none."""
    words = slug(path.partition("?")[0].rpartition(".")[0] or path.strip("/"))[:40]
    stem = words.rstrip("-0123456789") or "page"
    if role == Role.REDIRECT:
        return f"/old/{stem}-{number}"
    if role == Role.DEAD:
        return f"/archive/{stem}-{number}.html"
    return f"/{stem}-{number}.html"


def copy_url(site: SyntheticSite, path: str, number: int, *, is_first: bool) -> str:
    """The URL of a copy: other host name, print view, session id, or where the visitor came from.

    Only the first copy of a page may be the page under the site's other name.
    """
    chance = Chance(site.habit, number)
    kind = chance.below(4)
    if is_first and kind == 0 and site.type is not HostType.TRAP:
        domain = site.domain
        other = domain[4:] if domain.startswith("www.") else f"www.{domain}"
        return f"{site.scheme}://{other}{path}"
    joint = "&" if "?" in path else "?"
    if kind == 1:
        return f"{site.origin}{path}{joint}print={number}"
    if kind == 2:
        return f"{site.origin}{path}{joint}sid={chance.below(1 << 31):08x}a{number:07d}"
    return f"{site.origin}{path}{joint}ref={number}"


def is_copy_of_other_name(site: SyntheticSite, url: str) -> bool:
    """Whether a copy lies under the site's other name, so that its links must be absolute."""
    return not url.startswith(f"{site.origin}/")
