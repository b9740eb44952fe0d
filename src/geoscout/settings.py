"""Every setting of geoscout, with its default, its unit and the reason for it, in one place.

Values come, later ones winning, from the defaults below, a TOML file (`geoscout.toml` in the
working directory, or `--settings FILE`), the environment (`GEOSCOUT_HOME` sets `home`) and flags.
Nothing else in geoscout reads the environment. A plain dataclass is enough here: a settings
library would bring the same checks at ten times the start-up time.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoscout import __version__
from geoscout_places.errors import SettingsError
from geoscout_places.plugins import coerce, setting

if TYPE_CHECKING:
    from geoscout.scope_rules import HostSettings

DEFAULT_FILE = Path("geoscout.toml")
PREFIX = "GEOSCOUT_"
DEFAULT_RELEVANCE = "about"  # where no rule is asked for; why: docs/relevance.md
# Not settings: where test corpora lie, which only tools read; the crawl of `geoscout cluster`, and
# who looks after its workers; whether kernels are used, and how they are built.
NOT_SETTINGS = {
    "GEOSCOUT_CORPORA",
    "GEOSCOUT_NATIVE",
    "GEOSCOUT_NATIVE_FLAGS",
    "GEOSCOUT_ON",
    "GEOSCOUT_SUPERVISOR",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user can change. Make one with `load_settings`."""

    home: str = setting(
        "", "folder for compiled gazetteers and imports; empty means the user's cache directory"
    )
    extras: bool = setting(
        default=True,
        reason="build the gazetteer with the optional data packages that are installed; "
        "without them it is the same on every machine",
    )
    contact: str = setting(
        "",
        "a web or mail address where server owners can reach you; sent with every "
        "request, and required by a live crawl",
    )
    delay_seconds: float = setting(
        default=1.0,
        reason="shortest pause between two requests to one host; a slow one gets five times the "
        "time of its last response, and after a failure the pause is 30 times as long, doubled "
        "after each further one",
        unit="seconds",
    )
    connections: int = setting(
        default=50,
        reason="requests at the same time, each to a different host and IP address; while the "
        "best host is busy, the next best is asked",
    )
    workers: int = setting(
        default=1, reason="processes that parse and geoparse, besides the one that fetches"
    )
    page_seconds: float = setting(
        default=5.0,
        reason="processor time for reading one page; one that needs more is kept unread, and "
        "counted as `unread: time`",
        unit="seconds",
    )
    keep_pages: bool = setting(
        default=True,
        reason="keep what was read of each page beside its facts, about an eighth of the archive: "
        "index, directory and page views read that and parse nothing again",
    )
    relevance: str = setting(
        DEFAULT_RELEVANCE,
        "what makes a page relevant: about (all that it says, weighed), scope (what it is mainly"
        " about), address, or either of these two",
    )
    index_places: str = setting(
        "models",
        "what tells the search index the places of a page: the models of the geoparser, or "
        "common-node, the names of GeoWordNet that are linked under one node; an index that "
        "is there must be built again (`geoscout index --rebuild`)",
    )
    geocoder: str = setting(
        "",
        "geocoding service for the points of houses, such as "
        "nominatim:http://localhost:8080; after a comma the requests a second that it "
        "may get",
    )
    registrations: str = setting(
        "off",
        "where to look up who registered a domain, for `hybrid`, `rank`, `filter_seeds` "
        "and to know where a site is: off, whois, rdap, both, or a table; "
        "registries are asked only in live crawls",
    )
    hosts_per_domain: int = setting(
        default=10_000,
        reason="hosts of one registered domain, and a tenth of it of one without a relevant page, "
        "so that a farm of names cannot fill a crawl; each relevant page admits 20 more; 0: no "
        "limit; those of hosters such as github.io are not counted together",
    )
    pages_per_host: int = setting(
        default=10_000,
        reason="responses and failures of one host before it is left alone, so that an endless "
        "site does not keep a crawl going for ever; 0 means no limit",
    )
    sites_remembered: int = setting(
        default=20_000,
        reason="sites whose pages help to read their next page, those met last; 0 means none; "
        "a partition of a cluster remembers a quarter as many",
    )
    strict_streets: bool = setting(
        default=False,
        reason="leave out addresses whose street the imported street tables do not have, where "
        "these have the town",
    )
    include: tuple[str, ...] = setting(
        (), "patterns of the URLs that a new crawl asks for, such as example.org; empty: all"
    )
    exclude: tuple[str, ...] = setting(
        (), "patterns of URLs that a new crawl does not ask for, such as /*.php$"
    )
    hosts: tuple[HostSettings, ...] = setting(
        (),
        "tables with delay_seconds, pages, headers and off for single hosts; in a "
        "settings file only",
    )
    proxy: str = setting(
        "", "the proxy for the live web: http://, socks5:// or socks5h:// and its host and port"
    )
    render: str = setting(
        default="never",
        reason="show pages to a browser, for those whose text is made by scripts: never, auto"
        " (where the plain page is empty) or always; needs the extra browser",
    )
    pdf: bool = setting(
        default=False,
        reason="fetch and read PDF documents like pages; needs the extra pdf",
    )
    filter_domains: bool = setting(
        default=False,
        reason="skip country domains of countries that the region does not touch: for a German "
        "town, follow .de and general domains, not .fr",
    )
    filter_languages: bool = setting(
        default=False,
        reason="follow only pages and links in a language of the region's countries, if they "
        "state their language",
    )
    total_seconds: float = setting(
        default=60.0, reason="time limit for one response", unit="seconds"
    )
    body_megabytes: float = setting(
        default=8.0,
        reason="largest body as sent; decompressed it may be twice that",
        unit="megabytes",
    )
    tries: int = setting(default=4, reason="attempts at a page before it is given up")
    max_memory: str = setting(
        "",
        "memory for all processes of a crawl, such as 2G; near it caches are emptied, "
        "and a crawl that needs more ends in order and can be resumed; in a cluster it "
        "is for one worker and its readers",
    )
    disk_megabytes: float = setting(
        default=16.0,
        reason="room on the disk below which a crawl in a folder pauses until there is room "
        "again; 0 never pauses",
        unit="megabytes",
    )
    log_level: str = setting(
        "info", "the least important lines of the log that are shown: debug, info, warning, error"
    )
    log_format: str = setting("text", "lines of the log: text, or json with one object a line")
    metrics_port: int = setting(
        default=0, reason="loopback port for Prometheus metrics while crawling; 0 is off"
    )
    token: str = setting(
        "",
        "secret that clients of `geoscout serve` must send, once in the address and "
        "then as a cookie, or as `Authorization: Bearer`; required beyond loopback",
    )
    server_names: tuple[str, ...] = setting(
        (),
        "names under which clients reach `geoscout serve`, such as search.example.org; "
        "without a token only localhost, addresses of loopback and these are answered",
    )
    cors: tuple[str, ...] = setting(
        (), "origins of web pages that may read the API of `geoscout serve`; * for all"
    )
    requests_per_minute: int = setting(
        default=6000,
        reason="requests of one client to the API of `geoscout serve` in a minute, without map "
        "tiles; beyond them the status is 429; 0 means no limit",
    )
    control: bool = setting(
        default=True,
        reason="`geoscout serve` lets its owner start, stop and resume crawls from the pages",
    )
    tiles: str = setting(
        "", "URL of map tiles with {z}, {x} and {y}, or a PMTiles file; empty uses the built-in map"
    )


def user_agent(settings: Settings) -> str:
    """Who we say we are to servers."""
    contact = f" (+{settings.contact})" if settings.contact else ""
    return f"geoscout/{__version__}{contact}"


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
) -> Settings:
    """Read the settings from file, environment and flags, later ones winning.

    `file` None means `geoscout.toml` where it exists; `environment` None means the process's own;
    a flag that is None was not given.

    Raises:
        SettingsError: an unknown key, or a value of the wrong type.
    """
    settings = Settings()
    if file is not None or DEFAULT_FILE.is_file():
        settings = _with(settings, _read_toml(file or DEFAULT_FILE), str(file or DEFAULT_FILE))
    from_environment = {
        key[len(PREFIX) :].lower(): value
        for key, value in (os.environ if environment is None else environment).items()
        if key.startswith(PREFIX) and key not in NOT_SETTINGS
    }
    settings = _with(settings, from_environment, "the environment")
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    return _with(settings, given, "the command line")


def _read_toml(file: Path) -> dict[str, object]:
    import tomllib  # noqa: PLC0415 - most starts have no file, and it takes a while to import

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"cannot read settings file {file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"settings file {file} is not TOML: {error}") from error


def _with(settings: Settings, values: Mapping[str, object], origin: str) -> Settings:
    known = {f.name: f for f in fields(Settings)}
    for key in values:
        if key not in known:
            import difflib  # noqa: PLC0415 - only when a key was mistyped

            near = difflib.get_close_matches(key, known, n=1, cutoff=0)
            raise SettingsError(f"{origin}: no setting is called {key!r}; nearest is {near[0]!r}")
    read = {key: _read(key, value, known[key].default, origin) for key, value in values.items()}
    return replace(settings, **read)


def _read(key: str, value: object, default: object, origin: str) -> Any:
    if key == "hosts":
        from geoscout.scope_rules import read_host_settings  # noqa: PLC0415 - few files have it

        return read_host_settings(value, origin)
    return coerce(key, value, default, origin)
