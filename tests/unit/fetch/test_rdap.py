from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from geoscout.fetch.http.addresses import AddressBook, address_rule
from geoscout.fetch.http.client import HttpClient
from geoscout.fetch.http.rules import HttpRules
from geoscout.fetch.rdap import (
    RdapClient,
    RdapRules,
    contacts_of,
    read_bootstrap,
    related_link,
)
from geoscout.registrations import Contact, RegistrationRecord
from geoscout_places.errors import FetchError
from tests.fakeweb import FakeWeb, Handler, Site, overlaps
from tests.fakeweb.misbehaviour import endless_body, endless_redirect, failing, hanging, redirect
from tests.fakeweb.sites import by_path, content
from tests.unit.fetch.asking import IMPATIENT, RULES

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


def test_record_is_read_from_the_registry() -> None:
    record, web = ask(answering({"entities": [entity("registrant", "Boston")]}))

    assert record == RECORD
    assert web.paths(IANA) == ["/dns.json"]
    assert web.paths(REGISTRY) == ["/v1/domain/shop.test"]
    assert "application/rdap+json" in web.hits(REGISTRY)[0].headers["accept"]


def test_registrar_is_asked_where_the_registry_has_no_place() -> None:
    async def thin(visitor: Any) -> None:
        port = visitor.headers["host"].rpartition(":")[2]
        link = {"rel": "related", "href": f"http://{REGISTRAR}:{port}/domain/shop.test"}
        await answering({"links": [link]})(visitor)

    full = answering({"entities": [entity("registrant", "Boston")]})

    assert ask(thin, {REGISTRAR: full})[0] == RECORD


def test_registrar_that_fails_is_no_failure() -> None:
    link = {"rel": "related", "href": "http://nowhere.test/domain/shop.test"}

    record, _ = ask(answering({"links": [link]}))

    assert record == RegistrationRecord("shop.test", source="rdap")


def test_redacted_record_is_normal() -> None:
    hidden = answering({"entities": [entity("registrant", "REDACTED FOR PRIVACY", "", "")]})

    assert ask(hidden)[0] == RegistrationRecord("shop.test", source="rdap")


def test_domain_the_registry_does_not_know_has_no_record() -> None:
    assert ask(failing(404))[0] is None


def test_redirect_is_followed() -> None:
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
def test_bad_answer_is_a_failure_by_name(registry: Handler, kind: str) -> None:
    with pytest.raises(FetchError) as caught:
        ask(registry, reply_bytes=100_000)

    assert caught.value.kind == kind


def test_silent_server_is_given_up() -> None:
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
def test_malformed_entities_are_no_contacts(found: dict[str, Any]) -> None:
    assert contacts_of(found) == {}


def test_entities_in_entities_are_found() -> None:
    registrar = {"roles": ["registrar"], "entities": [entity("administrative", "Boston")]}

    assert contacts_of({"entities": [registrar]})["admin"].city == "Boston"


def test_deep_nesting_ends() -> None:
    nest: dict[str, Any] = entity("registrant", "Boston")
    for _ in range(50):
        nest = {"entities": [nest]}

    assert contacts_of(nest) == {}


def test_country_code_stands_for_a_missing_country() -> None:
    address = ["", "", ["1 Main Street", "Floor 2"], "Boston", "MA", "", ""]
    card = ["vcard", [["fn", {}, "text", "Jane"], ["adr", {"cc": "US"}, "text", address]]]

    contacts = contacts_of({"entities": [{"roles": ["registrant"], "vcardArray": card}]})

    assert contacts["registrant"] == Contact("Boston", "MA", "US", " Jane")


def test_bootstrap_prefers_https_and_survives_what_is_malformed() -> None:
    services = [
        [["com", "NET"], ["http://a.example/", "https://a.example/v1"]],
        [["org"], ["ftp://b.example/"]],
        ["broken"],
        None,
    ]

    servers = read_bootstrap({"services": services})

    assert servers == {"com": "https://a.example/v1/", "net": "https://a.example/v1/"}


def test_only_a_link_to_the_domain_leads_on() -> None:
    links = [
        {"rel": "self", "href": "https://a.example/domain/x"},
        {"rel": "related", "href": "mailto:x@a.example"},
        {"rel": "related", "href": "https://b.example/domain/x"},
    ]

    assert related_link({"links": links}) == "https://b.example/domain/x"
    assert related_link({"links": [7]}) == ""


def test_server_is_asked_one_question_at_a_time() -> None:
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
