import asyncio
import itertools
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.fetch.http.addresses import AddressBook
from geoscout.fetch.whois import WhoisClient, contacts_in, referral_in
from geoscout.registrations import Contact, RegistrationRecord
from geoscout_places.errors import FetchError
from tests.fakeweb import FakeResolver
from tests.unit.fetch.whois_servers import (
    ROOT,
    RULES,
    Answer,
    WhoisServers,
    ask,
    flood,
    silence,
    text,
)

REGISTRY, REGISTRAR = "whois.nic.test", "whois.registrar.test"
TO_REGISTRY = text(f"domain: TEST\nrefer: {REGISTRY}\n")
TO_REGISTRAR = f"Domain Name: SHOP.TEST\nRegistrar WHOIS Server: {REGISTRAR}\n"
CONTACTS = "Registrant City: Boston\r\nRegistrant State/Province: MA\r\nRegistrant Country: US\r\n"
RECORD = RegistrationRecord("shop.test", "Boston", "MA", "US", "registrant", source="whois")


def with_registry(reply: Answer) -> dict[str, Answer]:
    return {ROOT: TO_REGISTRY, REGISTRY: reply}


NOTHING = RegistrationRecord("shop.test", source="whois")
HIDDEN = text("Registrant City: REDACTED FOR PRIVACY\n")
BACK = text(f"Registrar WHOIS Server: {REGISTRY}\n")


@pytest.mark.parametrize(
    ("replies", "record", "asked"),
    [
        (with_registry(text(TO_REGISTRAR)) | {REGISTRAR: text(CONTACTS)}, RECORD,
         [ROOT, REGISTRY, REGISTRAR]),
        # the registrar tells nothing, or cannot be asked: the registry has told something
        (with_registry(text(CONTACTS + TO_REGISTRAR)) | {REGISTRAR: HIDDEN}, RECORD,
         [ROOT, REGISTRY, REGISTRAR]),
        (with_registry(text(CONTACTS + TO_REGISTRAR)), RECORD, [ROOT, REGISTRY]),
        (with_registry(text(TO_REGISTRAR)) | {REGISTRAR: BACK}, NOTHING,
         [ROOT, REGISTRY, REGISTRAR]),
        ({ROOT: text("% no entries\n")}, None, [ROOT]),
        *((with_registry(text(garbage)), NOTHING, [ROOT, REGISTRY])
          for garbage in (b"", b"\x00\xff\xfe garbage \x80" * 500, b":" * 70_000)),
    ],
)  # fmt: skip
def test_referrals_are_followed_while_they_lead_on(replies, record, asked):
    found, questions = ask(replies)

    assert found == record
    assert [server for server, _ in questions] == asked


@pytest.mark.parametrize(
    ("top_level", "registry", "question"),
    [("test", REGISTRY, "shop.test"), ("de", "whois.denic.de", "-T dn,ace shop.de")],
)
def test_each_server_is_asked_in_its_way(top_level, registry, question):
    _, asked = ask(
        {ROOT: text(f"refer: {registry}\n"), registry: text(CONTACTS)}, f"shop.{top_level}"
    )

    assert asked == [(ROOT, top_level), (registry, question)]


def test_chain_of_referrals_ends():
    names = [REGISTRY, *(f"whois{n}.test" for n in range(8))]
    replies = {ROOT: TO_REGISTRY} | {
        name: text(f"Whois Server: {following}\n") for name, following in itertools.pairwise(names)
    }

    _, asked = ask(replies)

    assert len(asked) == 1 + 1 + RULES.most_referrals


def test_registry_is_looked_up_once_for_a_top_level_domain():
    async def run() -> list[str]:
        async with WhoisServers(with_registry(text(CONTACTS))) as servers:
            client = servers.client()
            await client.ask("shop.test")
            await client.ask("other.test")
            return [question for _, question, _ in servers.log]

    assert asyncio.run(run()) == ["test", "shop.test", "other.test"]


def test_old_encoding_is_read():
    reply = "Registrant City: Köln\nRegistrant Country: DE\n".encode("latin-1")

    record, _ = ask(with_registry(text(reply)))

    assert record is not None
    assert record.city == "Köln"


def test_endless_answer_is_cut():
    record, _ = ask(with_registry(flood))

    assert record is not None
    assert record.city == "Flood"


def test_silent_server_is_given_up():
    started = time.monotonic()

    with pytest.raises(FetchError) as caught:
        ask(with_registry(silence), rules=replace(RULES, seconds=0.3))

    assert caught.value.kind == "timeout"
    assert time.monotonic() - started < 10


def test_the_root_is_asked_once_for_many_domains():
    async def run() -> list[str]:
        async with WhoisServers(with_registry(text("Admin City: Bremen\n"))) as servers:
            client = servers.client()
            await asyncio.gather(*(client.ask(f"{n}.test") for n in range(5)))
            return [name for name, _, _ in servers.log]

    asked = asyncio.run(run())

    assert (asked.count(ROOT), asked.count(REGISTRY)) == (1, 5)


@pytest.mark.parametrize(("address", "kind"), [("127.0.0.99", "refused"), (None, "dns")])
def test_server_that_is_not_there_is_a_failure_by_name(address, kind):
    async def run() -> None:
        async with WhoisServers({ROOT: TO_REGISTRY}) as servers:
            servers.resolver.addresses |= {REGISTRY: address} if address else {}
            await servers.client().ask("shop.test")

    with pytest.raises(FetchError) as caught:
        asyncio.run(run())

    assert caught.value.kind == kind


def test_private_address_is_not_asked():
    async def run() -> None:
        book = AddressBook(FakeResolver({ROOT: "127.0.0.1"}))
        await WhoisClient(book, RULES).ask("shop.test")

    with pytest.raises(FetchError) as caught:
        asyncio.run(run())

    assert caught.value.kind == "private-address"


def test_server_is_left_alone_between_two_questions():
    async def run() -> list[float]:
        async with WhoisServers(with_registry(text(CONTACTS))) as servers:
            client = servers.client(replace(RULES, pause_seconds=0.2))
            await asyncio.gather(*(client.ask(f"{n}.test") for n in range(3)))
            return [when for name, _, when in servers.log if name == REGISTRY]

    first, second, third = asyncio.run(run())

    assert second - first >= 0.2
    assert third - second >= 0.2


ICANN = """\
Domain Name: EXAMPLE.ORG
Registrant Name: Jane Doe
Registrant Organization: Example Inc.
Registrant City: Boston
Registrant State/Province: MA
Registrant Country: US
Admin City: Cambridge
Admin Country: US
Tech City: Mesa
>>> Last update of whois database: 2026-01-01T00:00:00Z <<<
Name Server: Admin City: Nowhere
"""
HANDLES = """\
%% This is a whois server. Registrant City: Comment
domain:      exemple.fr
holder-c:    EX1-FRNIC
admin-c:     JD7-FRNIC
tech-c:      HO3-FRNIC

nic-hdl:     EX1-FRNIC
contact:     Exemple SARL
address:     12 rue des Lilas
address:     75011 PARIS
country:     FR

nic-hdl:     JD7-FRNIC
person:      Jeanne Dupont
address:     3 quai du Port
address:     13002 Marseille
country:     FR

nic-hdl:     HO3-FRNIC
address:     2 rue Kellermann
address:     59100 Roubaix
country:     FR
"""
SECTIONS = """\
Domain: beispiel.de
Status: connect

[Holder]
Name: Beispiel GmbH
Address: Lange Straße 1
PostalCode: 26122
City: Oldenburg
CountryCode: DE

[Tech-C]
Name: Hostmaster
City: Berlin
CountryCode: DE
"""
NOMINET = """\
    Domain name:
        example.co.uk

    Registrant:
        Example Ltd

    Registrant's address:
        Unit 4
        12 High Street
        Reading
        Berkshire
        RG1 1AA
        United Kingdom
"""


def test_form_of_generic_domains_is_read():
    contacts = contacts_in(ICANN)

    assert contacts["registrant"] == Contact("Boston", "MA", "US", "Jane Doe; Example Inc.")
    assert contacts["admin"] == Contact("Cambridge", "", "US")
    assert contacts["technical"].city == "Mesa"


def test_handles_lead_to_their_blocks():
    contacts = contacts_in(HANDLES)

    assert contacts["registrant"] == Contact("PARIS", "", "FR", "Exemple SARL")
    assert contacts["admin"] == Contact("Marseille", "", "FR", "Jeanne Dupont")
    assert contacts["technical"].city == "Roubaix"


@pytest.mark.parametrize(
    ("line", "city"),
    [
        ("105 63 Athens", "Athens"),
        ("105 63 Athens, Greece", "Athens"),
        ("110 00 Praha", "Praha"),
        ("A-1010 Wien", "Wien"),
        ("10 Downing Street", ""),
    ],
)
def test_town_stands_behind_its_code(line, city):
    text = f"domain: a.example\nadmin-c: X1\n\nnic-hdl: X1\naddress: {line}\n"

    assert contacts_in(text).get("admin", Contact()).city == city


def test_headed_sections_are_read():
    contacts = contacts_in(SECTIONS)

    assert contacts["registrant"] == Contact("Oldenburg", "", "DE", "Beispiel GmbH")
    assert contacts["technical"].city == "Berlin"


def test_british_address_lines_are_read():
    registrant = contacts_in(NOMINET)["registrant"]

    assert (registrant.city, registrant.country) == ("Reading", "United Kingdom")


@pytest.mark.parametrize(
    ("reply", "server"),
    [
        ("refer:        whois.denic.de", "whois.denic.de"),
        ("   Registrar WHOIS Server: whois.Example.com", "whois.example.com"),
        ("ReferralServer: whois://whois.example.net:43", "whois.example.net"),
        ("whois: ", ""),
        ("Whois Server: whois.example.com:25", ""),
        ("Whois Server: localhost", ""),
        ("Whois Server: a.example\nrefer: b.example", "a.example"),
        ("% refer: whois.comment.example", ""),
        ("Registrar WHOIS Server: http://bad.example/path?x", ""),
    ],
)
def test_referral(reply, server):
    assert referral_in(reply) == server


@given(st.text(max_size=300))
def test_any_text_is_survived(text):
    contacts_in(text)
    referral_in(text)


@pytest.mark.parametrize("piece", [" ", ":", "a: ", "[", "Admin City", "0" * 5 + " "])
def test_hostile_text_takes_linear_time(piece):
    started = time.process_time()

    contacts_in(piece * (65_536 // len(piece)))

    assert time.process_time() - started < 1.0
