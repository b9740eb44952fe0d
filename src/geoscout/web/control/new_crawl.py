"""A new crawl as a form or a program asks for it: everything that is wrong with it, or a command.

It is checked as the command line checks it, but all mistakes are told at once, each with the field
it is in. What is left is the command line that a person would type, which is run and shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from geoscout.crawling.assemble import check_options
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.seeds import seed_url
from geoscout.fetch.http.addresses import refusal
from geoscout.settings import Settings
from geoscout.web.control.regions import read_region
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.urls import host_of

MOST_SEEDS = 200  # a command line has its limit
LARGEST_BUDGET = 100_000_000
_NAME = re.compile(r"\w[\w.-]{0,63}")
_PRIVATE = "it is on your own machine or network; allow private addresses, if you mean it"


class Mistake(TypedDict):
    """Something that is wrong with a request."""

    where: str  # the member of the body
    what: str


class NewCrawl(BaseModel):
    """What is wanted of a new crawl."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "example": {
                "name": "lisbon",
                "region": ["Lisbon, Portugal"],
                "seeds": ["https://www.lisboa.pt/"],
                "contact": "you@example.org",
                "max_pages": 1000,
            }
        },
    )

    name: str = Field(max_length=200, description="of its folder, in the folder that is served")
    region: list[str] = Field(max_length=50, description="places, circles, boxes or GeoJSON")
    seeds: list[str] = Field(max_length=1000, description="URLs")
    contact: str = Field("", max_length=300, description="default: that of the server's settings")
    max_pages: int | None = Field(None, description="responses; null for no limit")
    allow_private: bool = Field(
        default=False, description="ask private addresses, too; only where the server is local"
    )
    only_check: bool = Field(default=False, description="check, and start nothing")


class ServerPlace(TypedDict):
    """Where a server is, as far as new crawls depend on it."""

    room: Path | None  # the folder for new crawls
    is_local: bool


def mistakes_in(
    wanted: NewCrawl, place: ServerPlace, settings: Settings, gazetteer: Gazetteer
) -> list[Mistake]:
    """All that is wrong with a crawl that is wanted."""
    return [
        *_in_name(wanted.name, place["room"]),
        *_in_region(wanted.region, gazetteer),
        *_in_seeds(wanted.seeds, allow_private=wanted.allow_private),
        *_in_options(wanted, settings),
        *_in_private(wanted, is_local=place["is_local"]),
    ]


def arguments_of(wanted: NewCrawl, folder: Path) -> list[str]:
    """The arguments of `geoscout` for a crawl in which nothing is wrong.

    Each value is one word with its flag, so that none can be taken for another flag.
    """
    words = ["crawl", *(f"--region={text.strip()}" for text in wanted.region)]
    words += ["--seeds", *dict.fromkeys(filter(None, map(seed_url, map(str.strip, wanted.seeds))))]
    if wanted.contact:
        words.append(f"--contact={wanted.contact}")
    if wanted.max_pages is not None:
        words.append(f"--max-pages={wanted.max_pages}")
    if wanted.allow_private:
        words.append("--allow-private")
    return [*words, f"--out={folder}"]


def _in_name(name: str, room: Path | None) -> Iterator[Mistake]:
    if room is None:
        what = "there is no folder for new crawls: serve one, with `geoscout serve FOLDER`"
    elif not _NAME.fullmatch(name):
        what = "a name has letters, digits, dots, - and _, at most 64, and begins with a letter"
    elif (room / name).exists() or (room / name).is_symlink():
        what = f"there is a folder {name!r} already; resume its crawl, or take another name"
    else:
        return
    yield {"where": "name", "what": what}


def _in_region(texts: Sequence[str], gazetteer: Gazetteer) -> Iterator[Mistake]:
    try:
        read_region(texts, gazetteer)
    except UsageError as error:
        yield {"where": "region", "what": str(error)}


def _in_seeds(seeds: Sequence[str], *, allow_private: bool) -> Iterator[Mistake]:
    if not seeds:
        yield {"where": "seeds", "what": "name at least one URL to begin with"}
    if len(seeds) > MOST_SEEDS:
        yield {"where": "seeds", "what": f"at most {MOST_SEEDS}; more go by the command line"}
    for number, seed in enumerate(seeds[:MOST_SEEDS]):
        if what := mistake_in_seed(seed, allow_private=allow_private):
            yield {"where": f"seeds.{number}", "what": what}


def mistake_in_seed(seed: str, *, allow_private: bool) -> str:
    """What is wrong with a seed, as far as can be told without asking anybody; "" for nothing."""
    url = seed_url(seed.strip())
    if url is None:
        return f"{seed[:200]!r} is not an http(s) URL"
    host = host_of(url).strip("[]")
    is_private = host == "localhost" or refusal(host) not in (None, "malformed")
    return _PRIVATE if is_private and not allow_private else ""


def _in_options(wanted: NewCrawl, settings: Settings) -> Iterator[Mistake]:
    contact = wanted.contact.strip() or settings.contact
    if wanted.max_pages is not None and not 1 <= wanted.max_pages <= LARGEST_BUDGET:
        what = f"from 1 to {LARGEST_BUDGET:,} responses, or none for no limit"
        yield {"where": "max_pages", "what": what}
    try:  # one check at a time: it tells the first mistake only
        check_options(
            CrawlOptions(allow_private=wanted.allow_private), replace(settings, contact=contact)
        )
    except UsageError as error:
        yield {"where": "contact", "what": str(error)}


def _in_private(wanted: NewCrawl, *, is_local: bool) -> Iterator[Mistake]:
    if wanted.allow_private and not is_local:
        what = "private addresses can be allowed only where the server is on loopback"
        yield {"where": "allow_private", "what": what}
