"""Control of crawls: stop, resume, more pages, hosts to leave alone, and new crawls.

Every change is a POST of JSON that `control/access.py` must allow.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from anyio import CapacityLimiter
from fastapi import APIRouter, Body, Depends, Request, Response

from geoscout.state.base import holds_crawl
from geoscout.web.api.asking import PROBLEM, PROBLEMS, CrawlName, SiteHere, as_json, crawl_of
from geoscout.web.control.access import allow_control, rules_of, why_not
from geoscout.web.control.launching import Launcher, clear_away
from geoscout.web.control.messages import (
    BudgetJson,
    BudgetRequest,
    ControlJson,
    HostRequest,
    LeftAloneJson,
    RegionRequest,
    ResumeRequest,
    SeedRequest,
    StartedJson,
    StateJson,
    StopRequest,
)
from geoscout.web.control.new_crawl import (
    NewCrawl,
    ServerPlace,
    arguments_of,
    mistakes_in,
)
from geoscout.web.control.regions import FoundRegionJson, region_json
from geoscout.web.control.seed_check import SeedChecker, SeedJson
from geoscout.web.control.standing import SteeredCrawl, has_begun, standing_json, standing_of
from geoscout.web.problems import NotFoundError, RefusedError
from geoscout.web.site import Site
from geoscout.web.working import WorkThreads, run_for_client
from geoscout_places.errors import UsageError
from geoscout_places.urls import host_of, normalise

router = APIRouter(prefix="/api/control", tags=["control"], responses=PROBLEMS)
_ALLOWED = [Depends(allow_control)]  # of everything that changes or asks something
_REFUSALS: dict[int | str, dict[str, object]] = {
    403: PROBLEM, 409: PROBLEM, 415: PROBLEM, 429: PROBLEM,
}  # fmt: skip
_starting = WorkThreads(2)  # crawls at a time
_checking = CapacityLimiter(4)  # seeds at a time


@router.get("", response_model=ControlJson)
def control(request: Request, site: SiteHere, crawl: CrawlName = "") -> Response:
    """What can be controlled, and what is asked of a crawl at present."""
    rules, trouble = rules_of(request), why_not(request)
    served = crawl_of(site, crawl) if site.crawls or crawl else None
    room = site.shelf.room
    found: ControlJson = {
        "may": not trouble,
        "trouble": trouble,
        "can_begin": room is not None,
        "room": str(room or "") if not trouble else "",
        "is_local": rules.is_local,
        "contact": site.settings.contact if not trouble else "",
        "crawl": standing_json(served, site.settings.contact, with_log=not trouble)
        if served
        else None,
    }
    return as_json(found)


@router.post("/stop", response_model=StateJson, dependencies=_ALLOWED, responses=_REFUSALS)
def stop(site: SiteHere, asked: Annotated[StopRequest, Body()]) -> Response:
    """Stop a crawl in order, as Ctrl-C does; `running` says whether it takes longer."""
    is_over = _standing(site, asked.crawl).stop()
    detail = "stopped" if is_over else "it was asked to stop, and has not ended yet"
    return as_json(StateJson(crawl=asked.crawl, running=not is_over, detail=detail))


@router.post("/resume", response_model=StateJson, dependencies=_ALLOWED, responses=_REFUSALS)
async def resume(
    request: Request, site: SiteHere, asked: Annotated[ResumeRequest, Body()]
) -> Response:
    """Go on with a crawl, in a process that outlives the server."""
    rules, launcher = rules_of(request), _launcher(request)
    return await run_for_client(
        request, lambda _: _resume(site, asked, launcher, is_local=rules.is_local), _starting
    )


@router.post("/budget", response_model=BudgetJson, dependencies=_ALLOWED, responses=_REFUSALS)
def budget(site: SiteHere, asked: Annotated[BudgetRequest, Body()]) -> Response:
    """Let a crawl go farther, or less far; one that runs takes notice within seconds."""
    if (asked.max_pages is None) == (asked.more is None):
        raise UsageError("send either max_pages or more")
    limit = _standing(site, asked.crawl).limit(max_pages=asked.max_pages, more=asked.more)
    return as_json(BudgetJson(crawl=asked.crawl, max_pages=limit))


@router.post("/hosts", response_model=LeftAloneJson, dependencies=_ALLOWED, responses=_REFUSALS)
def leave_host(site: SiteHere, asked: Annotated[HostRequest, Body()]) -> Response:
    """Leave a host alone, or no longer; the crawl keeps that when it is resumed."""
    standing = _standing(site, asked.crawl)
    left_alone = standing.leave(_read_host(asked.host), alone=asked.leave_alone)
    return as_json(LeftAloneJson(crawl=asked.crawl, left_alone=left_alone))


@router.post("/region", response_model=FoundRegionJson, dependencies=_ALLOWED, responses=_REFUSALS)
def look_at_region(site: SiteHere, asked: Annotated[RegionRequest, Body()]) -> Response:
    """The outline of a region for a new crawl, and what else its names may mean."""
    return as_json(region_json(asked.region, site.gazetteer))


@router.post("/seed", response_model=SeedJson, dependencies=_ALLOWED, responses=_REFUSALS)
async def look_at_seed(request: Request, asked: Annotated[SeedRequest, Body()]) -> Response:
    """Look at a seed as a crawl would: address, robots.txt, answer. Takes 20 seconds at most."""
    if asked.allow_private and not rules_of(request).is_local:
        raise RefusedError(403, "private addresses can be asked only where the server is local")
    checker: SeedChecker = request.app.state.seed_checker
    async with _checking:
        found = await checker.check(
            asked.seed, asked.contact.strip(), allow_private=asked.allow_private
        )
    return as_json(found)


@router.post("/crawls", response_model=StartedJson, dependencies=_ALLOWED, responses=_REFUSALS)
async def begin(request: Request, site: SiteHere, wanted: Annotated[NewCrawl, Body()]) -> Response:
    """Begin a crawl below the folder that is served, in a process that outlives the server."""
    place = ServerPlace(room=site.shelf.room, is_local=rules_of(request).is_local)
    launcher = _launcher(request)
    return await run_for_client(request, lambda _: _begin(site, wanted, place, launcher), _starting)


def _launcher(request: Request) -> Launcher:
    launcher: Launcher = request.app.state.launcher
    return launcher


def _standing(site: Site, name: str) -> SteeredCrawl:
    return standing_of(crawl_of(site, name))


def _resume(site: Site, asked: ResumeRequest, launcher: Launcher, *, is_local: bool) -> Response:
    crawl = crawl_of(site, asked.crawl)
    standing = standing_of(crawl)
    if standing.is_running:
        raise RefusedError(409, "it is running already")
    known = standing_json(crawl, site.settings.contact, with_log=False)
    if known["allow_private"] and not (is_local and asked.allow_private):
        raise RefusedError(
            409, "this crawl may ask private addresses: allow_private must be true, and the server"
            " on loopback",
        )  # fmt: skip
    if known["needs_contact"] and not asked.contact.strip():
        what = "a live crawl needs a mail or web address where server owners can reach you"
        raise RefusedError(422, f"contact: {what}", errors=[{"where": "contact", "what": what}])
    words = ["resume", str(standing.folder)]
    if asked.contact.strip():
        words.append(f"--contact={asked.contact.strip()}")
    is_up, said = launcher.start(words, standing.folder, lambda: standing.is_running)
    detail = said.rpartition("\n")[2] if is_up else "it is still starting"
    return as_json(StateJson(crawl=asked.crawl, running=standing.is_running, detail=detail))


def _begin(site: Site, wanted: NewCrawl, place: ServerPlace, launcher: Launcher) -> Response:
    mistakes = mistakes_in(wanted, place, site.settings, site.gazetteer)
    folder = (place["room"] or Path()) / wanted.name
    words = [] if mistakes else arguments_of(wanted, folder)
    found = StartedJson(
        crawl=wanted.name,
        started=not wanted.only_check,
        command=shlex.join(["geoscout", *_as_typed(words)]) if words else "",
        errors=mistakes,
    )
    if not wanted.only_check:
        if mistakes:
            sentence = f"{mistakes[0]['where']}: {mistakes[0]['what']}"
            raise RefusedError(422, sentence, errors=mistakes)
        _launch(words, folder, launcher)
        site.shelf.look()
    return as_json(found)


def _launch(words: Sequence[str], folder: Path, launcher: Launcher) -> None:
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
