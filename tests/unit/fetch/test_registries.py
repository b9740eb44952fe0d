from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from geoscout.fetch.rdap import RdapRules
from geoscout.fetch.registries import (
    KEPT_SECONDS,
    RegistrationCache,
    Registrations,
    RegistryRules,
    live_registrations,
)
from geoscout.registrations import RegistrationRecord
from geoscout_places.errors import DamagedDataError, FetchError, TryLaterError
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import content
from tests.unit.fetch.asking import RULES
from tests.unit.fetch.whois_servers import ROOT, WhoisServers, text
from tests.unit.fetch.whois_servers import RULES as WHOIS_RULES

FULL = RegistrationRecord("shop.example", "Boston", "MA", "US", "admin", source="whois")
EMPTY = RegistrationRecord("shop.example", source="rdap")


class FakeSource:
    """Knows what it was told; None is a domain it knows nothing of, an error is raised."""

    def __init__(self, replies: Mapping[str, RegistrationRecord | FetchError | None]) -> None:
        self.replies = replies
        self.asked: list[str] = []

    async def ask(self, domain: str) -> RegistrationRecord | None:
        self.asked.append(domain)
        await asyncio.sleep(0)
        reply = self.replies.get(domain)
        if isinstance(reply, FetchError):
            raise reply
        return reply


def look_up(folder: Path, *sources: FakeSource, host: str = "www.shop.example", times: int = 1):
    async def run() -> list[RegistrationRecord]:
        cache = RegistrationCache(folder / "r.sqlite")
        registrations = Registrations(sources, cache)
        try:
            return await asyncio.gather(*(registrations.look_up(host) for _ in range(times)))
        finally:
            cache.close()

    return asyncio.run(run())[0]


def test_first_source_that_knows_a_place_answers(tmp_path: Path) -> None:
    first, second = FakeSource({"shop.example": EMPTY}), FakeSource({"shop.example": FULL})
    third = FakeSource({})

    assert look_up(tmp_path, first, second, third) == FULL
    assert (first.asked, third.asked) == (["shop.example"], [])


def test_answer_is_remembered_on_disk(tmp_path: Path) -> None:
    source = FakeSource({"shop.example": FULL})

    assert look_up(tmp_path, source) == look_up(tmp_path, source) == FULL
    assert len(source.asked) == 1


def test_absent_record_is_an_answer_and_is_remembered(tmp_path: Path) -> None:
    source = FakeSource({})

    assert look_up(tmp_path, source) == RegistrationRecord("shop.example")
    look_up(tmp_path, source)

    assert len(source.asked) == 1


def test_failure_is_not_remembered(tmp_path: Path) -> None:
    failing = FakeSource({"shop.example": TryLaterError("timeout")})

    for _ in range(2):
        with pytest.raises(FetchError):
            look_up(tmp_path, failing)

    assert len(failing.asked) == 2


def test_failure_of_one_source_is_made_up_for_by_another(tmp_path: Path) -> None:
    failing = FakeSource({"shop.example": TryLaterError("timeout")})

    assert look_up(tmp_path, failing, FakeSource({"shop.example": FULL})) == FULL
    assert look_up(tmp_path / "b", FakeSource({"shop.example": EMPTY}), failing) == EMPTY


def test_same_question_at_a_time_is_asked_once(tmp_path: Path) -> None:
    source = FakeSource({"shop.example": FULL})

    look_up(tmp_path, source, times=5)

    assert source.asked == ["shop.example"]


def test_table_comes_before_everything(tmp_path: Path) -> None:
    async def run() -> RegistrationRecord:
        cache = RegistrationCache(tmp_path / "r.sqlite")
        cache.put(EMPTY)
        try:
            return await Registrations([], cache, {"shop.example": FULL}).look_up("shop.example")
        finally:
            cache.close()

    assert asyncio.run(run()) == FULL


def test_many_hosts_are_asked_for_together_and_failures_left_out(tmp_path: Path) -> None:
    source = FakeSource({"shop.example": FULL, "ill.example": TryLaterError("timeout")})

    async def run() -> dict[str, RegistrationRecord]:
        cache = RegistrationCache(tmp_path / "r.sqlite")
        try:
            hosts = ["a.shop.example", "b.shop.example", "www.ill.example"]
            return await Registrations([source], cache).look_up_all(hosts)
        finally:
            cache.close()

    assert asyncio.run(run()) == {"shop.example": FULL}
    assert sorted(source.asked) == ["ill.example", "shop.example"]


def test_old_record_is_forgotten(tmp_path: Path) -> None:
    then = RegistrationCache(tmp_path / "r.sqlite", now=lambda: 1000.0)
    then.put(FULL)
    then.close()
    later = RegistrationCache(tmp_path / "r.sqlite", now=lambda: 1001.0 + KEPT_SECONDS)

    assert later.get("shop.example") is None
    later.close()


def test_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.sqlite").write_bytes(b"no database" * 100)

    with pytest.raises(DamagedDataError, match=r"r\.sqlite"):
        RegistrationCache(tmp_path / "r.sqlite")


def test_whois_is_asked_where_rdap_tells_nothing_and_the_answer_is_kept(tmp_path: Path) -> None:
    replies = {ROOT: text("refer: nic.test\n"), "nic.test": text("Admin City: Boston\n")}

    async def run(web: FakeWeb) -> tuple[RegistrationRecord, RegistrationRecord, int]:
        async with WhoisServers(replies) as servers:
            web.resolver.addresses.update(servers.resolver.addresses)
            rdap = RdapRules(bootstrap=web.url("iana.test", "/dns.json"), pause_seconds=0.0)
            rules = RegistryRules(RULES, rdap, replace(WHOIS_RULES, port=servers.port))
            cache = tmp_path / "home" / "r.sqlite"
            async with live_registrations(rules, cache, resolver=web.resolver) as registrations:
                first = await registrations.look_up("www.shop.test")
            async with live_registrations(rules, cache, resolver=web.resolver) as registrations:
                second = await registrations.look_up("shop.test")
            return first, second, len(servers.log)

    with FakeWeb({"iana.test": Site(), "rdap.test": Site(content(b"{}"))}) as web:
        services = [[["test"], [web.url("rdap.test")]]]
        web.sites["iana.test"] = Site(content(json.dumps({"services": services}).encode()))
        first, second, questions = asyncio.run(run(web))

    assert (
        first
        == second
        == RegistrationRecord("shop.test", "Boston", "", "", "admin", source="whois")
    )
    assert questions == 2
    assert web.paths("rdap.test") == ["/domain/shop.test"]
