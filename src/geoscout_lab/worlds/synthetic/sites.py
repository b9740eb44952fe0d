"""What a host is called and looks like, and what its pages, copies, redirects and traps are called.

All URLs are in the normal form of `geoscout_places.urls`, and each ends in or carries its page's
number, so that no two are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from geoscout_lab.worlds.synthetic.hosts import City, HostType
from geoscout_lab.worlds.synthetic.pages import Role
from geoscout_lab.worlds.synthetic.profile import (
    LOCAL_TOPICS,
    NATIONAL_TOPICS,
    ORGANISATION_TOPICS,
    Chance,
    Profile,
    WebLanguage,
    language_of,
    slug,
)

_TOP_LEVEL = {
    "DE": ("de", "de", "de", "de", "com", "net", "info"),
    "AT": ("at", "at", "at", "com"),
    "GB": ("co.uk", "co.uk", "co.uk", "org.uk", "com"),
    "FR": ("fr", "fr", "fr", "com"),
    "US": ("com", "com", "com", "org", "net", "us"),
}
_SYLLABLES = "ba be bo da di do fa fe ga go ka ki ko la le lo ma mi mo na ne no pa pi ra re ri ro sa se so ta te ti to va ve vi xa zo".split()  # noqa: E501 - a list to be read across
_WITH_WWW = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class SyntheticSite:
    """A host as a reader knows it."""

    number: int
    type: HostType
    name: str
    domain: str  # with www. if it has it
    scheme: str
    city: City
    language: WebLanguage
    topic: str
    kind: str  # what it is, where it is local: "pizza restaurant"; "" for others
    layout: int  # which template, as a number that layouts are chosen by
    sections: tuple[str, ...]
    is_old: bool  # writes ISO 8859-1
    is_of_old_web: bool  # has the templates of the years before 2010
    habit: int  # a number that small choices of its templates are made by

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.domain}"

    def language_in(self, city: City) -> WebLanguage:
        """The language in which a branch in that city is written to."""
        return self.language if city.country == self.city.country else language_of(city.country)


def make_site(
    number: int, type: HostType, city: City, profile: Profile, random_seed: int
) -> SyntheticSite:
    """The site of a host; its domain is not checked against others: see `distinct_domains`."""
    chance = Chance(random_seed * 5 + 1, number)
    language = language_of(city.country)
    topic = chance.pick(_topics(type, tuple(language.topics) if profile.mixed_topics else ()))
    trade = chance.below(len(language.trades[topic]))
    name = _name(type, language.trades[topic][trade], city, language, chance)
    is_local = type in (HostType.BUSINESS, HostType.ORGANISATION)
    share = {
        HostType.BUSINESS: profile.city_in_host_local,
        HostType.ORGANISATION: profile.city_in_host_local,
        HostType.PORTAL: profile.city_in_host_portal,
    }.get(type, 0.0)
    return SyntheticSite(
        number=number,
        type=type,
        name=name,
        domain=_domain(slug(name.replace(city.name, "")) or topic, city, share, chance),
        scheme="https" if chance.hits(profile.secure) else "http",
        city=city,
        language=language,
        topic=topic,
        kind=language.kinds[topic][trade] if is_local else "",
        layout=chance.below(1 << 16),
        sections=_section_labels(language, profile.sections, chance),
        is_old=chance.hits(profile.old_charset),
        is_of_old_web=chance.hits(profile.old_templates),
        habit=chance.below(1 << 30),
    )


def distinct_domains(domains: Sequence[str]) -> list[str]:
    """The same domains; one that is taken already, with or without www, gets a number."""
    taken: set[str] = set()
    given = []
    for domain in domains:
        www = "www." if domain.startswith("www.") else ""
        label, dot, rest = domain.removeprefix("www.").partition(".")
        name, count = f"{label}{dot}{rest}", 1
        while name in taken:
            count += 1
            name = f"{label}-{count}{dot}{rest}"
        taken.add(name)
        given.append(f"{www}{name}")
    return given


def _topics(type: HostType, mixed: tuple[str, ...]) -> tuple[str, ...]:
    """The topics a site of that type may have; `mixed` are those of national sites, if any."""
    if type is HostType.BUSINESS:
        return LOCAL_TOPICS
    if type is HostType.ORGANISATION:
        return ORGANISATION_TOPICS
    if type is HostType.PORTAL:
        return ("news", "culture", "shop")
    return ("shop",) if type is HostType.CHAIN else mixed or NATIONAL_TOPICS


def _name(type: HostType, trade: str, city: City, language: WebLanguage, chance: Chance) -> str:
    if type in (HostType.BUSINESS, HostType.ORGANISATION):
        return f"{trade} {chance.pick(language.names['families'])}"
    if type is HostType.PORTAL:
        kind = "portal" if chance.hits(0.6) else "portal_plain"
        return chance.pick(language.names[kind]).format(city=city.name)
    brand = "".join(chance.pick(_SYLLABLES) for _ in range(chance.between(2, 4))).capitalize()
    if type in (HostType.DIRECTORY, HostType.TRAP):
        return f"{chance.pick(language.names[type.name.lower()])} {brand}"
    return f"{brand} {trade}"


def _domain(label: str, city: City, share: float, chance: Chance) -> str:
    """`share`: how many such hosts have the city in their name."""
    town = slug(city.name)
    if chance.hits(share):
        label = f"{label}-{town}" if chance.hits(0.7) else f"{town}-{label}"
    if chance.hits(0.3):
        label = label.replace("-", "")
    www = "www." if chance.hits(_WITH_WWW) else ""
    return f"{www}{label}.{chance.pick(_TOP_LEVEL[city.country])}"


def _section_labels(language: WebLanguage, count: int, chance: Chance) -> tuple[str, ...]:
    labels = list(language.labels["sections"])
    return tuple(labels.pop(chance.below(len(labels))) for _ in range(count))


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
