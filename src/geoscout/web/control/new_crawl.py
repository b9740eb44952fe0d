"""A new crawl as a form or a program asks for it: everything that is wrong with it, or a command.

It is checked as the command line checks it, but all mistakes are told at once, each with the field
it is in. What is left is the command line that a person would type, which is run and shown.

Its region can be looked at first: its outline, and what else its name may mean. Files are refused:
the command line reads them, but here whoever may control the server could try which files its
machine has. And so can each seed, which is asked for as the crawl would ask it: robots.txt first,
no private address, the same agent. So that a long list does not burden one host, it is given its
pause between two of them.
"""

import asyncio
import re
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, TypedDict

from msgspec import Meta, Struct

from geoscout.crawling.assemble import check_options
from geoscout.crawling.options import CrawlOptions
from geoscout.crawling.seeds import seed_url
from geoscout.fetch.base import FetcherAim, create_fetcher
from geoscout.fetch.http.addresses import refusal
from geoscout.fetch.retries import KINDS, is_redirect
from geoscout.settings import Settings, user_agent
from geoscout.web.api.places import FeatureJson, feature
from geoscout_places.clock import steady_time
from geoscout_places.errors import FetchError, RegionError, UsageError
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.areas.shapes import Polygon
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Request, Response
from geoscout_places.urls import host_of

MOST_SEEDS = 200  # a command line has its limit
LARGEST_BUDGET = 100_000_000
Contact = Annotated[str, Meta(max_length=300, description="default: that of the server's settings")]
_NAME = re.compile(r"\w[\w.-]{0,63}")
_PRIVATE = "it is on your own machine or network; allow private addresses, if you mean it"
_MOST_ALTERNATIVES = 8
_FILE_ENDINGS = (".geojson", ".json", ".txt")
_SECONDS = 20.0  # for robots.txt and the page of a seed together
_MOST_HOSTS = 1000  # whose last time is remembered


class Mistake(TypedDict):
    """Something that is wrong with a request."""

    where: str  # the member of the body
    what: str


class NewCrawl(Struct, frozen=True, forbid_unknown_fields=True):
    """What is wanted of a new crawl."""

    name: Annotated[
        str, Meta(max_length=200, description="of its folder, in the folder that is served")
    ]
    region: Annotated[
        list[str], Meta(max_length=50, description="places, circles, boxes or GeoJSON")
    ]
    seeds: Annotated[list[str], Meta(max_length=1000, description="URLs")]
    contact: Contact = ""
    max_pages: Annotated[int | None, Meta(description="responses; null for no limit")] = None
    allow_private: Annotated[
        bool, Meta(description="ask private addresses, too; only where the server is local")
    ] = False
    only_check: Annotated[bool, Meta(description="check, and start nothing")] = False


class SeedJson(Struct, frozen=True):
    """What came of a seed."""

    seed: str  # as it was given
    url: str  # in normal form; "" where it is not a URL
    ok: bool  # a crawl can begin there
    status: int | None  # of HTTP
    detail: str  # in a sentence


def mistakes_in(
    wanted: NewCrawl, room: Path | None, settings: Settings, gazetteer: Gazetteer, *, is_local: bool
) -> list[Mistake]:
    """All that is wrong with a crawl that is wanted, in the folder for new crawls."""
    return [
        *_in_name(wanted.name, room),
        *_in_region(wanted.region, gazetteer),
        *_in_seeds(wanted.seeds, allow_private=wanted.allow_private),
        *_in_options(wanted, settings),
        *_in_private(wanted, is_local=is_local),
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


def read_region(texts: Sequence[str], gazetteer: Gazetteer) -> Region:
    """The region of some texts, as `--region` reads them, but for files."""
    for text in texts:
        for part in (text, *text.split(";")):
            if not text.lstrip().startswith("{") and _may_be_file(part.strip()):
                raise RegionError(f"{part.strip()!r} would be a file; paste its GeoJSON here")
    return Region.parse(texts, gazetteer)


def _may_be_file(text: str) -> bool:
    """Whether `Region.parse` could read a file of this name."""
    if text.endswith(_FILE_ENDINGS) or text.startswith(("~", "/", "./", "../")):
        return True
    if "." not in text and "/" not in text:
        return False
    try:
        return Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def region_json(texts: Sequence[str], gazetteer: Gazetteer) -> FeatureJson:
    """The outline of a region, its name, and the other places that its names may mean."""
    region = read_region(texts, gazetteer)
    shapes = [shape for area in region.areas for shape in area.shapes]
    named = [area for area in region.areas if isinstance(area, NamedArea)]
    labels = dict.fromkeys(gazetteer.label(place) for place in region.alternatives)
    for area in named:
        labels.pop(area.name, None)
    is_known = all(any(isinstance(s, Polygon) for s in area.shapes) for area in named)
    found = {
        "name": region.name,
        "alternatives": list(labels)[:_MOST_ALTERNATIVES],
        "notes": list(region.notes),
        "estimated": not is_known,
    }
    return feature(shapes, found)


class SeedChecker:
    """Asks for seeds, one at a time for each host."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._free_at: OrderedDict[str, float] = OrderedDict()

    async def check(self, seed: str, contact: str = "", *, allow_private: bool = False) -> SeedJson:
        """What a crawl that begins at this seed would meet."""
        url = seed_url(seed.strip())
        if url is None or (what := mistake_in_seed(seed, allow_private=allow_private)):
            what = what if url else mistake_in_seed(seed, allow_private=True)
            return _seen(seed, url or "", what)
        settings = replace(self._settings, contact=contact or self._settings.contact)
        aim = FetcherAim(settings, user_agent(settings), allow_private=allow_private)
        try:
            async with asyncio.timeout(_SECONDS):
                await self._wait_for_turn(host_of(url))
                response = await _ask(url, aim)
        except TimeoutError:
            return _seen(seed, url, f"the server does not answer within {_SECONDS:.0f} seconds")
        except FetchError as error:
            return _seen(seed, url, _sentence(error))
        return _of_response(seed, url, response)

    async def _wait_for_turn(self, host: str) -> None:
        now = steady_time()
        turn = max(now, self._free_at.get(host, 0.0))
        self._free_at[host] = turn + self._settings.delay_seconds
        self._free_at.move_to_end(host)
        if len(self._free_at) > _MOST_HOSTS:
            self._free_at.popitem(last=False)
        await asyncio.sleep(turn - now)


async def _ask(url: str, aim: FetcherAim) -> Response:
    fetcher = create_fetcher("live", aim)
    try:
        await fetcher.resolve(host_of(url))
        return await fetcher.fetch(Request(url))
    finally:
        await fetcher.close()


def _of_response(seed: str, url: str, response: Response) -> SeedJson:
    status = response.status
    if is_redirect(response):
        target = response.header("location")
        detail = f"it leads on to {target[:200]}" if target else "it leads on"
        return _seen(seed, url, detail, status, ok=True)
    if status == HTTPStatus.OK:
        return _seen(seed, url, "it answers with a page", status, ok=True)
    return _seen(seed, url, f"the server answers {status}", status)


def _sentence(error: FetchError) -> str:
    known = KINDS.get(error.kind)
    return known.meaning if known else str(error)


def _seen(
    seed: str, url: str, detail: str, status: int | None = None, *, ok: bool = False
) -> SeedJson:
    return SeedJson(seed, url, ok, status, detail)
