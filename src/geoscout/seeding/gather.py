"""From files of any known kind to the seeds of a region, ranked by how local a site is.

    local = located · share + name + hub + domain + crawled

Only the order counts, and that a site with nothing in its favour is left out. The weights say what
a person would: a site that a map places in the region is local, unless the map places it in a
hundred other towns as well; the region's name in a host is nearly as good; a name in a path, or
the country's domain, is a little help.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from geoscout.seeding.lists import (
    ARCHIVE_SUFFIXES,
    SeedHint,
    bare_suffix,
    beginning,
    hints_of_archive,
    hints_of_cdxj,
    hints_of_crawl,
    hints_of_lines,
    hints_of_parquet,
)
from geoscout.seeding.maps import (
    articles_inside,
    hints_of_answer,
    hints_of_articles,
    hints_of_dump,
    hints_of_map,
)
from geoscout.strategy.filters import is_abroad
from geoscout.strategy.named_places import Cue, CueReader
from geoscout_places.caches import BoundedCache
from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link
from geoscout_places.urls import host_of, split

_MOST_SITES = 500_000  # remembered, about 500 MB; a file of the whole web has more
_TITLES_SHOWN = 2
_LEAST = 0.25  # a site with less says nothing of the region
_ONLY_NAMED = {Cue.INSIDE: 1.0, Cue.MAYBE: 0.6, Cue.AROUND: 0.3, Cue.ABROAD: -0.5}
_IN_PATH = {Cue.INSIDE: 0.4, Cue.MAYBE: 0.25, Cue.AROUND: 0.1}
_HUB, _HOME_DOMAIN, _FOREIGN_DOMAIN = 0.5, 0.2, -0.5
_MORE_OBJECTS = 0.25  # for each doubling of the things a site has in the region


@dataclass(frozen=True, slots=True)
class RankedSeed:
    url: str
    local: float
    reasons: tuple[str, ...]


@dataclass(slots=True)
class _Site:
    """What was said of a site."""

    url: str
    inside: int = 0
    outside: int = 0
    is_hub: bool = False
    share: float = 0.0
    host: Cue = Cue.NOTHING
    path: Cue = Cue.NOTHING
    titles: list[str] = field(default_factory=list)
    sources: set[str] = field(default_factory=set)


class SiteRanking:
    """Counts hints by site, and ranks the sites."""

    def __init__(self, gazetteer: Gazetteer, region: Region) -> None:
        self._countries = region.countries
        self._cues = CueReader(gazetteer, region)
        self._host_cues = BoundedCache(self._cue_of_host, 10_000)
        self._sites: dict[str, _Site] = {}

    def add(self, hints: Iterable[SeedHint]) -> None:
        for hint in hints:
            self._count(hint)
            if len(self._sites) > _MOST_SITES:
                self._leave_half()

    def best(self, most: int) -> list[RankedSeed]:
        """The most local sites, the best first; those that are not local at all are left out."""
        ranked = [self._ranked(site) for site in self._sites.values()]
        ranked.sort(key=lambda seed: (-seed.local, seed.url))
        return [seed for seed in ranked[:most] if seed.local >= _LEAST]

    def _count(self, hint: SeedHint) -> None:
        host = host_of(hint.url).removeprefix("www.")
        site = self._sites.get(host)
        if site is None:
            host_cue = self._host_cues[host]
            path_cue = Cue.NOTHING if host_cue > Cue.NEAR else self._cue_of_path(hint)
            if hint.inside is None and not hint.share and max(host_cue, path_cue) < Cue.AROUND:
                return  # nothing says that it is of the region, and most URLs are like that
            site = self._sites[host] = _Site(hint.url, host=host_cue, path=path_cue)
        _take(site, hint)

    def _cue_of_host(self, host: str) -> Cue:
        return self._cues.of_links([Link.to(f"http://{host}/")])[0][0]

    def _cue_of_path(self, hint: SeedHint) -> Cue:
        if not hint.title and split(hint.url).path == "/":
            return Cue.NOTHING
        _, path, anchor, _ = self._cues.of_links([Link(hint.url, anchor=hint.title)])[0]
        return max(path, anchor)

    def _leave_half(self) -> None:
        """Forget the less local half."""
        order = sorted(self._sites.items(), key=lambda item: -_local(item[1], self._countries)[0])
        self._sites = dict(order[: _MOST_SITES // 2])

    def _ranked(self, site: _Site) -> RankedSeed:
        local, reasons = _local(site, self._countries)
        return RankedSeed(site.url, round(local, 3), tuple(reasons))


def _take(site: _Site, hint: SeedHint) -> None:
    if hint.inside:
        # The page of a chain's branch is about the town; the home page of the chain is not.
        is_better = not site.inside or len(hint.url) < len(site.url)
        site.url = hint.url if is_better else site.url
        site.inside += 1
    elif hint.inside is False:
        site.outside += 1
    elif not site.inside and site.host > Cue.NEAR and len(hint.url) < len(site.url):
        site.url = hint.url  # the whole site is of the region, not only the page named first
    site.is_hub = site.is_hub or (hint.is_hub and bool(hint.inside))
    site.share = max(site.share, hint.share)
    site.sources.add(hint.source)
    if hint.title and hint.inside is not False and len(site.titles) < _TITLES_SHOWN:
        site.titles.append(hint.title)


def _local(site: _Site, countries: frozenset[str]) -> tuple[float, list[str]]:
    """How local a site is, and the reasons."""
    found = [*_located(site), *_named(site), *_domain(site.url, countries)]
    if site.share:
        found.append((site.share, f"{site.share:.0%} of its pages were relevant in a crawl"))
    return sum(weight for weight, _ in found), [reason for _, reason in found]


def _located(site: _Site) -> list[tuple[float, str]]:
    if not site.inside:
        return []
    share = site.inside / (site.inside + site.outside)
    weight = share * (1.0 + _MORE_OBJECTS * math.log2(site.inside))
    elsewhere = f", {site.outside} elsewhere" if site.outside else ""
    titles = f": {'; '.join(site.titles)}" if site.titles else ""
    sources = ", ".join(sorted(site.sources))
    found = [(weight, f"{site.inside} in the region{elsewhere} ({sources}{titles})")]
    if site.is_hub:
        found.append((_HUB * share, "public body"))
    return found


def _named(site: _Site) -> list[tuple[float, str]]:
    if weight := _ONLY_NAMED.get(site.host):
        says = "elsewhere" if site.host is Cue.ABROAD else "of the region"
        return [(weight, f"the host names a place {says}")]
    weight = _IN_PATH.get(site.path, 0.0)
    return [(weight, "the page names a place of the region")] if weight else []


def _domain(url: str, countries: frozenset[str]) -> list[tuple[float, str]]:
    if not countries:
        return []
    if is_abroad(url, countries):
        return [(_FOREIGN_DOMAIN, "domain of another country")]
    is_home = host_of(url).rpartition(".")[2].upper() in countries
    return [(_HOME_DOMAIN, "domain of the country")] if is_home else []


_ARTICLES = "geo_tags.sql"
_MAPS = (".pbf", ".osm", ".geojson", ".geojsonl", ".geojsonseq")
_JSON = (".json", ".jsonl", ".ndjson", ".srj")
# What says nothing of where sites are; everything else is a text with a URL or host a line.
_LISTS: dict[str, Callable[[Path], Iterator[SeedHint]]] = {
    **dict.fromkeys(ARCHIVE_SUFFIXES, hints_of_archive),
    ".cdxj": hints_of_cdxj,
    ".cdx": hints_of_cdxj,
}


def gather_seeds(
    paths: Sequence[Path], gazetteer: Gazetteer, region: Region, *, most: int
) -> list[RankedSeed]:
    """The most local sites that these files name, the best first."""
    for path in paths:
        if not path.exists():
            raise ImportFileError(f"there is no file {path}")
    ranking = SiteRanking(gazetteer, region)
    articles: frozenset[int] = frozenset()
    for path in sorted(paths, key=lambda path: _ARTICLES not in path.name):  # before their links
        if _ARTICLES in path.name:
            articles = articles_inside(path, region)
        elif bare_suffix(path) == ".sql":
            ranking.add(_links_of_articles(path, articles))
        else:
            ranking.add(hints_of(path, region))
    return ranking.best(most)


def hints_of(path: Path, region: Region) -> Iterator[SeedHint]:
    """What a file says, by what its name and its beginning tell of its kind."""
    if (path / "crawl.sqlite").is_file():
        return hints_of_crawl(path)
    if path.is_dir():
        raise ImportFileError(f"{path} is a folder, and not that of a crawl")
    suffix = bare_suffix(path)
    if suffix in _MAPS:
        return hints_of_map(path, region)
    if suffix in _JSON:
        return _hints_of_json(path, region)
    if suffix == ".parquet":
        return hints_of_parquet(path, region)
    return _LISTS.get(suffix, hints_of_lines)(path)


def _hints_of_json(path: Path, region: Region) -> Iterator[SeedHint]:
    start = b"".join(beginning(path).split())
    if b'"bindings"' in start or b'"head":{' in start:
        return hints_of_answer(path, region)
    if b'"type":"item"' in start or b'"type":"property"' in start:
        return hints_of_dump(path, region)
    return hints_of_map(path, region)


def _links_of_articles(path: Path, articles: frozenset[int]) -> Iterator[SeedHint]:
    if not articles:
        raise ImportFileError(
            f"{path} says nothing of where articles are: give the dump geo_tags.sql.gz as well"
        )
    return hints_of_articles(path, articles)
