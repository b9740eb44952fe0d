"""What a crawl was asked for: one typed record, kept with the crawl as a note, and in its archive.

Everything that needs to know how a crawl was started reads it here: `resume`, `status`, `explain`
and the web pages. The note is JSON, and a field that is missing in it has its default.

A WARC file travels alone, so whoever gets one must see in it what was crawled, from where, by which
rules and by whom. The names without a prefix are those of the WARC standard and of Dublin Core.
They are noted once, when the crawl begins; paths are cut to the names of files, and passwords out.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from geoscout.settings import DEFAULT_RELEVANCE, Settings, user_agent
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import RelevanceRule
from geoscout_places.plugins import split_spec
from geoscout_places.urls import without_passwords

NOTE = "options"  # the name under which the store keeps it
NONE = "none"  # the assignment of a crawl without nodes
OFF = "off"  # registries are not asked


class NodeOptions(msgspec.Struct, frozen=True):
    """How the links of a crawl are divided among nodes."""

    assignment: str = NONE  # with its options, such as "anchor:window=10"
    nodes: str = ""  # a file, the name of a partition, or a way to divide the region's places
    policy: str = "A"
    ip_locations: str = ""  # a database or table of where servers are
    classifier: str = ""  # a file with a trained model


class CrawlOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl was asked for."""

    region: tuple[str, ...] = ()  # as the user wrote it
    strategy: str = "hybrid"  # with its options, such as "adaptive:depth=3"
    max_pages: int | None = None  # responses over all runs of the crawl; None: no limit
    max_depth: int | None = None  # links from a seed; None: no limit
    replay: tuple[str, ...] = ()  # archives to fetch from, instead of the web
    fetcher: str = ""  # with its options; "": archives where some are named, else the live web
    allow_private: bool = False  # private and loopback addresses may be fetched
    random_seed: int = 0
    relevance: RelevanceRule = RelevanceRule(DEFAULT_RELEVANCE)
    # On disk it is called teamwork, as in the first crawls with nodes.
    nodes: NodeOptions = msgspec.field(default_factory=NodeOptions, name="teamwork")
    model: str = ""  # the folder of an earlier crawl whose strategy has learned already
    archive: str = ""  # where the responses of a crawl that is not in a folder go; "": at home
    filter_seeds: bool = False  # look at the seeds before the crawl
    stop_when_barren: bool = False  # end after a long stretch without a relevant page
    include: tuple[str, ...] = ()  # patterns of URLs; empty: all
    exclude: tuple[str, ...] = ()
    registrations: str = OFF  # or "whois", "rdap", "both", or a table

    @property
    def aims_at_entities(self) -> bool:
        """Whether entities that are new count, and not relevant pages."""
        return split_spec(self.strategy)[1].get("aim") == "entities"

    @property
    def has_nodes(self) -> bool:
        """Whether the crawl is collaborative."""
        return self.nodes.assignment != NONE


def relevance_rule(name: str) -> RelevanceRule:
    """The rule of a name."""
    if name not in list(RelevanceRule):
        raise UsageError(f"relevance is one of {', '.join(RelevanceRule)}, not {name!r}")
    return RelevanceRule(name)


class Notes(Protocol):
    """Whatever keeps the notes of a crawl."""

    def note(self, name: str) -> str | None:
        """The note of a name; None where there is none."""


def to_note(options: CrawlOptions) -> str:
    return msgspec.json.encode(options).decode()


def read_crawl_options(notes: Notes) -> CrawlOptions | None:
    """What a crawl was asked for; None when it ended before that was kept.

    Raises:
        DamagedDataError: the note is not what `to_note` writes.
    """
    text = notes.note(NOTE)
    if text is None:
        return None
    try:
        return msgspec.json.decode(text, type=CrawlOptions)
    except msgspec.DecodeError as error:
        raise DamagedDataError(f"the options of this crawl cannot be read: {error}") from error


def options_of(notes: Notes) -> CrawlOptions:
    """The same for those who only show a crawl: the defaults when nothing was kept."""
    return read_crawl_options(notes) or CrawlOptions()


def region_of(options: CrawlOptions, gazetteer: Gazetteer) -> Region | None:
    """The region of a crawl; None where its file is gone, or the gazetteer has no such place."""
    try:
        return Region.parse(options.region, gazetteer) if options.region else None
    except UsageError:
        return None


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
