import asyncio
import itertools
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from geoscout.fetch.http.addresses import AddressBook, address_rule
from geoscout.fetch.http.client import HttpClient
from geoscout.fetch.http.rules import HttpRules
from geoscout.fetch.registries import (
    KEPT_SECONDS,
    RdapClient,
    RdapRules,
    RegistrationCache,
    Registrations,
    RegistryRules,
    contacts_of,
    live_registrations,
    read_bootstrap,
    related_link,
)
from geoscout.registrations import Contact, RegistrationRecord
from geoscout_places.errors import DamagedDataError, FetchError, TryLaterError
from tests.fakeweb import FakeWeb, Handler, Site, overlaps
from tests.fakeweb.misbehaviour import endless_body, endless_redirect, failing, hanging, redirect
from tests.fakeweb.sites import by_path, content
from tests.unit.fetch.asking import IMPATIENT, RULES
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


def test_first_source_that_knows_a_place_answers(tmp_path):
    first, second = FakeSource({"shop.example": EMPTY}), FakeSource({"shop.example": FULL})
    third = FakeSource({})

    assert look_up(tmp_path, first, second, third) == FULL
    assert (first.asked, third.asked) == (["shop.example"], [])


def test_answer_is_remembered_on_disk(tmp_path):
    source = FakeSource({"shop.example": FULL})

    assert look_up(tmp_path, source) == look_up(tmp_path, source) == FULL
    assert len(source.asked) == 1


def test_absent_record_is_an_answer_and_is_remembered(tmp_path):
    source = FakeSource({})

    assert look_up(tmp_path, source) == RegistrationRecord("shop.example")
    look_up(tmp_path, source)

    assert len(source.asked) == 1


def test_failure_is_not_remembered(tmp_path):
    failing = FakeSource({"shop.example": TryLaterError("timeout")})

    for _ in range(2):
        with pytest.raises(FetchError):
            look_up(tmp_path, failing)

    assert len(failing.asked) == 2


def test_failure_of_one_source_is_made_up_for_by_another(tmp_path):
    failing = FakeSource({"shop.example": TryLaterError("timeout")})

    assert look_up(tmp_path, failing, FakeSource({"shop.example": FULL})) == FULL
    assert look_up(tmp_path / "b", FakeSource({"shop.example": EMPTY}), failing) == EMPTY


def test_same_question_at_a_time_is_asked_once(tmp_path):
    source = FakeSource({"shop.example": FULL})

    look_up(tmp_path, source, times=5)

    assert source.asked == ["shop.example"]


def test_many_hosts_are_asked_for_together_and_failures_left_out(tmp_path):
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


def test_old_record_is_forgotten(tmp_path):
    then = RegistrationCache(tmp_path / "r.sqlite", now=lambda: 1000.0)
    then.put(FULL)
    then.close()
    later = RegistrationCache(tmp_path / "r.sqlite", now=lambda: 1001.0 + KEPT_SECONDS)

    assert later.get("shop.example") is None
    later.close()


def test_damaged_file_is_named(tmp_path):
    (tmp_path / "r.sqlite").write_bytes(b"no database" * 100)

    with pytest.raises(DamagedDataError, match=r"r\.sqlite"):
        RegistrationCache(tmp_path / "r.sqlite")


def test_whois_is_asked_where_rdap_tells_nothing_and_the_answer_is_kept(tmp_path):
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


REGISTRY, REGISTRAR, IANA = "rdap.nic.test", "rdap.registrar.test", "iana.test"
RECORD = RegistrationRecord("shop.test", "Boston", "MA", "US", "registrant", source="rdap")


def entity(role: str, city: str, region: str = "MA", country: str = "US") -> dict[str, Any]:
    address = ["", "", "1 Main Street", city, region, "02101", country]
    return {"roles": [role], "vcardArray": ["vcard", [["adr", {}, "text", address]]]}


def answering(value: object) -> Handler:
    return content(json.dumps(value).encode(), "application/rdap+json")


def ask(
    registry: Handler,
    more: Mapping[str, Handler] | None = None,
    http: HttpRules = RULES,
    **rules: Any,
) -> tuple[RegistrationRecord | None, FakeWeb]:
    """The record of shop.test, and the web that was asked."""
    sites = {REGISTRY: Site(registry)} | {h: Site(s) for h, s in (more or {}).items()}
    web = FakeWeb(sites | {IANA: Site()})

    async def run() -> RegistrationRecord | None:
        book = AddressBook(web.resolver, refuses=address_rule(("127.0.0.0/8",)))
        client = HttpClient(http, book)
        known = RdapRules(bootstrap=web.url(IANA, "/dns.json"), pause_seconds=0.0)
        try:
            return await RdapClient(client, replace(known, **rules)).ask("shop.test")
        finally:
            await client.close()

    with web:
        services = [[["test"], [web.url(REGISTRY, "/v1/")]]]
        web.sites[IANA] = Site(answering({"services": services}))
        return asyncio.run(run()), web


def test_record_is_read_from_the_registry():
    record, web = ask(answering({"entities": [entity("registrant", "Boston")]}))

    assert record == RECORD
    assert web.paths(IANA) == ["/dns.json"]
    assert web.paths(REGISTRY) == ["/v1/domain/shop.test"]
    assert "application/rdap+json" in web.hits(REGISTRY)[0].headers["accept"]


def test_registrar_is_asked_where_the_registry_has_no_place():
    async def thin(visitor: Any) -> None:
        port = visitor.headers["host"].rpartition(":")[2]
        link = {"rel": "related", "href": f"http://{REGISTRAR}:{port}/domain/shop.test"}
        await answering({"links": [link]})(visitor)

    full = answering({"entities": [entity("registrant", "Boston")]})

    assert ask(thin, {REGISTRAR: full})[0] == RECORD


def test_registrar_that_fails_is_no_failure():
    link = {"rel": "related", "href": "http://nowhere.test/domain/shop.test"}

    record, _ = ask(answering({"links": [link]}))

    assert record == RegistrationRecord("shop.test", source="rdap")


def test_redacted_record_is_normal():
    hidden = answering({"entities": [entity("registrant", "REDACTED FOR PRIVACY", "", "")]})

    assert ask(hidden)[0] == RegistrationRecord("shop.test", source="rdap")


def test_domain_the_registry_does_not_know_has_no_record():
    assert ask(failing(404))[0] is None


def test_redirect_is_followed():
    full = answering({"entities": [entity("registrant", "Boston")]})
    moved = by_path({"/v1/domain/shop.test": redirect("/v2/shop"), "/v2/shop": full})

    assert ask(moved)[0] == RECORD


@pytest.mark.parametrize(
    ("registry", "kind"),
    [
        (content(b"<html>not JSON", "text/html"), "protocol"),
        (content(b"[1, 2]", "application/json"), "protocol"),
        (failing(400), "protocol"),
        (failing(429), "stalled"),
        (failing(503), "stalled"),
        (endless_redirect, "protocol"),
        (endless_body, "too-large"),
    ],
)
def test_bad_answer_is_a_failure_by_name(registry, kind):
    with pytest.raises(FetchError) as caught:
        ask(registry, reply_bytes=100_000)

    assert caught.value.kind == kind


def test_silent_server_is_given_up():
    with pytest.raises(FetchError) as caught:
        ask(hanging, http=IMPATIENT)

    assert caught.value.kind in ("timeout", "stalled")


@pytest.mark.parametrize(
    "found",
    [
        {"entities": "none"},
        {"entities": [None, 7, {"roles": "registrant"}, {"roles": ["registrant"]}]},
        {"entities": [{"roles": ["registrant"], "vcardArray": ["vcard", [["adr"], [], 3]]}]},
        {"entities": [{"roles": ["registrant"], "vcardArray": ["vcard", [["adr", 1, 2, "x"]]]}]},
    ],
)
def test_malformed_entities_are_no_contacts(found):
    assert contacts_of(found) == {}


def test_entities_in_entities_are_found():
    registrar = {"roles": ["registrar"], "entities": [entity("administrative", "Boston")]}

    assert contacts_of({"entities": [registrar]})["admin"].city == "Boston"


def test_deep_nesting_ends():
    nest: dict[str, Any] = entity("registrant", "Boston")
    for _ in range(50):
        nest = {"entities": [nest]}

    assert contacts_of(nest) == {}


def test_country_code_stands_for_a_missing_country():
    address = ["", "", ["1 Main Street", "Floor 2"], "Boston", "MA", "", ""]
    card = ["vcard", [["fn", {}, "text", "Jane"], ["adr", {"cc": "US"}, "text", address]]]

    contacts = contacts_of({"entities": [{"roles": ["registrant"], "vcardArray": card}]})

    assert contacts["registrant"] == Contact("Boston", "MA", "US", " Jane")


def test_bootstrap_prefers_https_and_survives_what_is_malformed():
    services = [
        [["com", "NET"], ["http://a.example/", "https://a.example/v1"]],
        [["org"], ["ftp://b.example/"]],
        ["broken"],
        None,
    ]

    servers = read_bootstrap({"services": services})

    assert servers == {"com": "https://a.example/v1/", "net": "https://a.example/v1/"}


def test_only_a_link_to_the_domain_leads_on():
    links = [
        {"rel": "self", "href": "https://a.example/domain/x"},
        {"rel": "related", "href": "mailto:x@a.example"},
        {"rel": "related", "href": "https://b.example/domain/x"},
    ]

    assert related_link({"links": links}) == "https://b.example/domain/x"
    assert related_link({"links": [7]}) == ""


def test_server_is_asked_one_question_at_a_time():
    web = FakeWeb({REGISTRY: Site(answering({}))} | {IANA: Site()})

    async def run() -> None:
        book = AddressBook(web.resolver, refuses=address_rule(("127.0.0.0/8",)))
        client = HttpClient(RULES, book)
        rules = RdapRules(bootstrap=web.url(IANA, "/"), pause_seconds=0.1)
        rdap = RdapClient(client, rules)
        try:
            await asyncio.gather(*(rdap.ask(f"{n}.test") for n in range(3)))
        finally:
            await client.close()

    with web:
        web.sites[IANA] = Site(answering({"services": [[["test"], [web.url(REGISTRY)]]]}))
        asyncio.run(run())

    hits = web.hits(REGISTRY)
    assert (len(web.hits(IANA)), len(hits)) == (1, 3)
    assert overlaps(hits) == []
    assert all(b.start - a.end >= 0.09 for a, b in itertools.pairwise(hits))
