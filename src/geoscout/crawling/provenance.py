"""What the archive of a crawl says of the crawl: the fields at the start of each of its files.

A WARC file travels alone, so whoever gets one must see in it what was crawled, from where, by which
rules and by whom. The names without a prefix are those of the WARC standard and of Dublin Core.
They are noted once, when the crawl begins; paths are cut to the names of files, and passwords out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import orjson

from geoscout.crawling.options import CrawlOptions
from geoscout.settings import Settings, user_agent
from geoscout_places.urls import without_passwords

_SEEDS_NAMED = 100  # of a list of thousands the first say enough; each file has them
_LONGEST = 500  # letters of a value

Fields = list[tuple[str, str]]


def provenance(options: CrawlOptions, seeds: Sequence[str], settings: Settings) -> Fields:
    """The fields about a crawl that begins now."""
    regions = [_named(region) for region in options.region]
    fields = [
        ("description", f"a crawl for pages about {' and '.join(regions)}"),
        *(("geoscout-region", region) for region in regions),
        ("geoscout-strategy", options.strategy),
        ("geoscout-relevance", str(options.relevance)),
        ("geoscout-max-pages", _limit(options.max_pages)),
        ("geoscout-max-depth", _limit(options.max_depth)),
        ("geoscout-seeds", str(len(seeds))),
        *(("geoscout-seed", without_passwords(seed)) for seed in seeds[:_SEEDS_NAMED]),
    ]
    if options.has_nodes:
        fields.append(("geoscout-assignment", options.nodes.assignment))
    if settings.contact:
        fields.append(("operator", settings.contact))
    return [(name, value[:_LONGEST]) for name, value in (*fields, *_source(options, settings))]


def provenance_note(options: CrawlOptions, seeds: Sequence[str], settings: Settings) -> str:
    """The same as the text that the crawl keeps."""
    return orjson.dumps(provenance(options, seeds, settings)).decode()


def _source(options: CrawlOptions, settings: Settings) -> Fields:
    """Where the responses come from; a replay asks no server, so it has no rules for that."""
    if options.replay:
        return [("geoscout-replay", Path(path).name) for path in options.replay]
    if options.fetcher and options.fetcher.partition(":")[0] != "live":
        return [("geoscout-fetcher", options.fetcher.partition(":")[0])]
    return [("robots", "obey"), ("http-header-user-agent", user_agent(settings))]


def _named(region: str) -> str:
    return Path(region).name if region.endswith((".json", ".geojson")) else region


def _limit(number: int | None) -> str:
    return "none" if number is None else str(number)
