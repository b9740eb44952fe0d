"""Control of crawls: stop, resume, more pages, hosts to leave alone, and new crawls.

Every change is a POST of JSON that `control/access.py` must allow.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from anyio import CapacityLimiter
from msgspec import Meta, Struct
from starlette.requests import Request

from geoscout.state.base import holds_crawl
from geoscout.web.api.places import FeatureJson
from geoscout.web.control.access import allow_control, rules_of, why_not
from geoscout.web.control.new_crawl import (
    LARGEST_BUDGET,
    Contact,
    Mistake,
    NewCrawl,
    SeedChecker,
    SeedJson,
    arguments_of,
    mistakes_in,
    region_json,
)
from geoscout.web.control.running import (
    Launcher,
    SteeredCrawl,
    SteeredCrawlJson,
    clear_away,
    has_begun,
    standing_json,
)
from geoscout.web.endpoints import CrawlName, Endpoints
from geoscout.web.problems import InvalidRequestError, NotFoundError, RefusedError
from geoscout.web.site import Site
from geoscout_places.errors import UsageError
from geoscout_places.urls import host_of, normalise

endpoints = Endpoints("/api/control", "control")
# Of everything that changes or asks something.
_ALLOWED: dict[str, Any] = {"allow": allow_control, "problems": (403, 409, 415, 429)}
_checking = CapacityLimiter(4)  # seeds at a time
_Budget = Annotated[int, Meta(ge=1, le=LARGEST_BUDGET)]
_Crawl = Annotated[str, Meta(max_length=200, description="name of the crawl")]


class ControlJson(Struct, frozen=True, kw_only=True):
    """What this client can control."""

    may: bool
    trouble: str  # why it may not; "" when it may
    can_begin: bool  # there is a folder for new crawls
    room: str  # that folder
    is_local: bool  # only this machine reaches the server
    contact: str  # of the server's settings
    crawl: SteeredCrawlJson | None


class StateJson(Struct, frozen=True, kw_only=True):
    """What became of a crawl."""

    crawl: str
    running: bool
    detail: str


class BudgetJson(Struct, frozen=True, kw_only=True):
    """How far a crawl goes now."""

    crawl: str
    max_pages: int


class LeftAloneJson(Struct, frozen=True, kw_only=True):
    """The hosts that a crawl leaves alone."""

    crawl: str
    left_alone: list[str]


class StartedJson(Struct, frozen=True, kw_only=True):
    """A new crawl."""

    crawl: str
    started: bool
    command: str  # as one would type it; "" where something is wrong
    errors: list[Mistake]  # of `only_check`


@endpoints.get("")
def control(request: Request, site: Site, crawl: CrawlName = "") -> ControlJson:
    """What can be controlled, and what is asked of a crawl at present."""
    trouble = why_not(request)
    served = site.crawl(crawl) if site.crawls or crawl else None
    room, contact = site.shelf.room, site.settings.contact
    return ControlJson(
        may=not trouble,
        trouble=trouble,
        can_begin=room is not None,
        room=str(room or "") if not trouble else "",
        is_local=rules_of(request).is_local,
        contact=contact if not trouble else "",
        crawl=standing_json(served, contact, with_log=not trouble) if served else None,
    )


@endpoints.post("/stop", **_ALLOWED)
def stop(site: Site, crawl: _Crawl) -> StateJson:
    """Stop a crawl in order, as Ctrl-C does; `running` says whether it takes longer."""
    is_over = _standing(site, crawl).stop()
    detail = "stopped" if is_over else "it was asked to stop, and has not ended yet"
    return StateJson(crawl=crawl, running=not is_over, detail=detail)


@endpoints.post("/resume", threads="starting", **_ALLOWED)
def resume(
    request: Request,
    site: Site,
    *,
    crawl: _Crawl,
    contact: Contact = "",
    allow_private: Annotated[
        bool, Meta(description="must be true for a crawl that may ask private addresses")
    ] = False,
) -> StateJson:
    """Go on with a crawl, in a process that outlives the server."""
    served = site.crawl(crawl)
    standing = SteeredCrawl(served)
    if standing.is_running:
        raise RefusedError(409, "it is running already")
    known = standing_json(served, site.settings.contact, with_log=False)
    if known.allow_private and not (rules_of(request).is_local and allow_private):
        raise RefusedError(
            409, "this crawl may ask private addresses: allow_private must be true, and the server"
            " on loopback",
        )  # fmt: skip
    contact = contact.strip()
    if known.needs_contact and not contact:
        what = "a live crawl needs a mail or web address where server owners can reach you"
        raise InvalidRequestError([{"where": "contact", "what": what}])
    words = [*standing.command_to_resume(), *([f"--contact={contact}"] if contact else [])]
    folder = standing.log_folder
    folder.mkdir(parents=True, exist_ok=True)
    is_up, said = _launcher(request).start(words, folder, lambda: standing.is_running)
    detail = said.rpartition("\n")[2] if is_up else "it is still starting"
    return StateJson(crawl=crawl, running=standing.is_running, detail=detail)


@endpoints.post("/budget", **_ALLOWED)
def budget(
    site: Site,
    crawl: _Crawl,
    max_pages: Annotated[_Budget | None, Meta(description="responses in all")] = None,
    more: Annotated[_Budget | None, Meta(description="responses more than now")] = None,
) -> BudgetJson:
    """Let a crawl go farther, or less far; one that runs takes notice within seconds."""
    if (max_pages is None) == (more is None):
        raise UsageError("send either max_pages or more")
    limit = _standing(site, crawl).limit(max_pages=max_pages, more=more)
    return BudgetJson(crawl=crawl, max_pages=limit)


@endpoints.post("/hosts", **_ALLOWED)
def leave_host(
    site: Site,
    *,
    crawl: _Crawl,
    host: Annotated[str, Meta(max_length=260, description="such as www.example.org")],
    leave_alone: bool = True,
) -> LeftAloneJson:
    """Leave a host alone, or no longer; the crawl keeps that when it is resumed."""
    left_alone = _standing(site, crawl).leave(_read_host(host), alone=leave_alone)
    return LeftAloneJson(crawl=crawl, left_alone=left_alone)


@endpoints.post("/region", **_ALLOWED)
def look_at_region(
    site: Site,
    region: Annotated[list[Annotated[str, Meta(max_length=200_000)]], Meta(max_length=50)],
) -> FeatureJson:
    """The outline of a region for a new crawl, and what else its names may mean."""
    return region_json(region, site.gazetteer)


@endpoints.post("/seed", **_ALLOWED)
async def look_at_seed(
    request: Request,
    *,
    seed: Annotated[str, Meta(max_length=4000)],
    contact: Contact = "",
    allow_private: bool = False,
) -> SeedJson:
    """Look at a seed as a crawl would: address, robots.txt, answer. Takes 20 seconds at most."""
    if allow_private and not rules_of(request).is_local:
        raise RefusedError(403, "private addresses can be asked only where the server is local")
    checker: SeedChecker = request.app.state.seed_checker
    async with _checking:
        return await checker.check(seed, contact.strip(), allow_private=allow_private)


@endpoints.post("/crawls", threads="starting", **_ALLOWED)
def begin(request: Request, site: Site, wanted: NewCrawl) -> StartedJson:
    """Begin a crawl below the folder that is served, in a process that outlives the server."""
    room = site.shelf.room
    mistakes = mistakes_in(
        wanted, room, site.settings, site.gazetteer, is_local=rules_of(request).is_local
    )
    folder = (room or Path()) / wanted.name
    words = [] if mistakes else arguments_of(wanted, folder)
    if not wanted.only_check:
        if mistakes:
            raise InvalidRequestError(mistakes)
        launch(words, folder, _launcher(request))
        site.shelf.look()
    return StartedJson(
        crawl=wanted.name,
        started=not wanted.only_check,
        command=shlex.join(["geoscout", *_as_typed(words)]) if words else "",
        errors=mistakes,
    )


def _launcher(request: Request) -> Launcher:
    launcher: Launcher = request.app.state.launcher
    return launcher


def _standing(site: Site, name: str) -> SteeredCrawl:
    return SteeredCrawl(site.crawl(name))


def launch(words: Sequence[str], folder: Path, launcher: Launcher) -> None:
    """Begin a crawl in a new folder, which is removed if none begins.

    Raises:
        RefusedError: it cannot be made, or the crawl did not begin.
    """
    try:
        folder.mkdir()
    except OSError as error:
        raise RefusedError(409, f"{folder} cannot be made: {error.strerror}") from error
    try:
        launcher.start(words, folder, lambda: has_begun(folder))
    except RefusedError:
        if not holds_crawl(folder):
            clear_away(folder)
        raise


def _as_typed(words: Sequence[str]) -> list[str]:
    """Flags and their values in words of their own, as people write them, where that is safe."""
    typed: list[str] = []
    for word in words:
        flag, equals, value = word.partition("=")
        is_flag = flag.startswith("--") and equals and not value.startswith("-")
        typed += [flag, value] if is_flag else [word]
    return typed


def _read_host(text: str) -> str:
    """The host of a name or URL.

    Raises:
        NotFoundError: it is neither.
    """
    url = normalise(text if "://" in text else f"http://{text}/")
    if url is None or not host_of(url):
        raise NotFoundError(f"{text!r} is not the name of a host, such as www.example.org")
    return host_of(url)
