from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

from geoscout.fetch.rdap import RdapRules
from geoscout.fetch.registries import RegistryRules, live_registrations
from geoscout.registrations import RegistrationRecord
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb.sites import content
from tests.unit.fetch.asking import RULES
from tests.unit.fetch.whois_servers import ROOT, WhoisServers, text
from tests.unit.fetch.whois_servers import RULES as WHOIS_RULES


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
