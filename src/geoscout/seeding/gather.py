"""From files of any known kind to the seeds of a region."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from geoscout.seeding.hints import SeedHint
from geoscout.seeding.ranking import RankedSeed, SiteRanking
from geoscout.seeding.sources import url_lists, wikidata, wikipedia
from geoscout.seeding.sources.archives import ARCHIVE_SUFFIXES, hints_of_archive
from geoscout.seeding.sources.crawl import hints_of_crawl, is_crawl
from geoscout.seeding.sources.lines import bare_suffix, beginning
from geoscout.seeding.sources.osm import hints_of_map
from geoscout_places.errors import ImportFileError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer

_ARTICLES = "geo_tags.sql"
_MAPS = (".pbf", ".osm", ".geojson", ".geojsonl", ".geojsonseq")
_JSON = (".json", ".jsonl", ".ndjson", ".srj")
# What says nothing of where sites are; everything else is a text with a URL or host a line.
_LISTS: dict[str, Callable[[Path], Iterator[SeedHint]]] = {
    **dict.fromkeys(ARCHIVE_SUFFIXES, hints_of_archive),
    ".parquet": url_lists.hints_of_parquet,
    ".cdxj": url_lists.hints_of_cdxj,
    ".cdx": url_lists.hints_of_cdxj,
}


def gather_seeds(
    paths: Sequence[Path],
    gazetteer: Gazetteer,
    region: Region,
    *,
    most: int,
    on_file: Callable[[Path], None] = lambda _: None,
) -> list[RankedSeed]:
    """The most local sites that these files name, the best first.

    Raises:
        UsageError: a file is missing, is of no known kind, or needs a package.
    """
    for path in paths:
        if not path.exists():
            raise ImportFileError(f"there is no file {path}")
    ranking = SiteRanking(gazetteer, region)
    articles: frozenset[int] = frozenset()
    for path in sorted(paths, key=lambda path: _ARTICLES not in path.name):  # before their links
        on_file(path)
        if _ARTICLES in path.name:
            articles = wikipedia.articles_inside(path, region)
        elif bare_suffix(path) == ".sql":
            ranking.add(_links_of_articles(path, articles))
        else:
            ranking.add(hints_of(path, region))
    return ranking.best(most)


def hints_of(path: Path, region: Region) -> Iterator[SeedHint]:
    """What a file says, by what its name and its beginning tell of its kind.

    Raises:
        UsageError: it is of no known kind, or needs a package.
    """
    if is_crawl(path):
        return hints_of_crawl(path)
    if path.is_dir():
        raise ImportFileError(f"{path} is a folder, and not that of a crawl")
    suffix = bare_suffix(path)
    if suffix in _MAPS:
        return hints_of_map(path, region)
    if suffix in _JSON:
        return _hints_of_json(path, region)
    return _LISTS.get(suffix, url_lists.hints_of_lines)(path)


def _hints_of_json(path: Path, region: Region) -> Iterator[SeedHint]:
    start = b"".join(beginning(path).split())
    if b'"bindings"' in start or b'"head":{' in start:
        return wikidata.hints_of_answer(path, region)
    if b'"type":"item"' in start or b'"type":"property"' in start:
        return wikidata.hints_of_dump(path, region)
    return hints_of_map(path, region)


def _links_of_articles(path: Path, articles: frozenset[int]) -> Iterator[SeedHint]:
    if not articles:
        raise ImportFileError(
            f"{path} says nothing of where articles are: give the dump geo_tags.sql.gz as well"
        )
    return wikipedia.hints_of_articles(path, articles)
