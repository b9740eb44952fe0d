from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import replace

import pytest

from geoscout.fetch.http.addresses import AddressBook
from geoscout.fetch.whois import WhoisClient
from geoscout.registrations import RegistrationRecord
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


def test_referrals_are_followed_from_root_to_registry_to_registrar() -> None:
    replies = with_registry(text(TO_REGISTRAR)) | {REGISTRAR: text(CONTACTS)}

    record, asked = ask(replies)

    assert record == RECORD
    assert asked == [(ROOT, "test"), (REGISTRY, "shop.test"), (REGISTRAR, "shop.test")]


def test_registrar_that_tells_nothing_leaves_what_the_registry_told() -> None:
    hidden = text("Registrant City: REDACTED FOR PRIVACY\n")
    replies = with_registry(text(CONTACTS + TO_REGISTRAR)) | {REGISTRAR: hidden}

    assert ask(replies)[0] == RECORD


def test_referral_back_to_a_server_ends_there() -> None:
    back = text(f"Registrar WHOIS Server: {REGISTRY}\n")

    record, asked = ask(with_registry(text(TO_REGISTRAR)) | {REGISTRAR: back})

    assert record == RegistrationRecord("shop.test", source="whois")
    assert [server for server, _ in asked] == [ROOT, REGISTRY, REGISTRAR]


def test_chain_of_referrals_ends() -> None:
    names = [REGISTRY, *(f"whois{n}.test" for n in range(8))]
    replies = {ROOT: TO_REGISTRY} | {
        name: text(f"Whois Server: {following}\n") for name, following in itertools.pairwise(names)
    }

    _, asked = ask(replies)

    assert len(asked) == 1 + 1 + RULES.most_referrals


def test_registrar_that_cannot_be_asked_is_no_failure() -> None:
    assert ask(with_registry(text(CONTACTS + TO_REGISTRAR)))[0] == RECORD


def test_top_level_domain_without_a_server_has_no_record() -> None:
    assert ask({ROOT: text("% no entries\n")}) == (None, [(ROOT, "test")])


def test_registry_is_looked_up_once_for_a_top_level_domain() -> None:
    async def run() -> list[str]:
        async with WhoisServers(with_registry(text(CONTACTS))) as servers:
            client = servers.client()
            await client.ask("shop.test")
            await client.ask("other.test")
            return [question for _, question, _ in servers.log]

    assert asyncio.run(run()) == ["test", "shop.test", "other.test"]


@pytest.mark.parametrize("reply", [b"", b"\x00\xff\xfe garbage \x80" * 500, b":" * 70_000])
def test_garbage_is_a_record_without_a_place(reply: bytes) -> None:
    assert ask(with_registry(text(reply)))[0] == RegistrationRecord("shop.test", source="whois")


def test_old_encoding_is_read() -> None:
    reply = "Registrant City: Köln\nRegistrant Country: DE\n".encode("latin-1")

    record, _ = ask(with_registry(text(reply)))

    assert record is not None
    assert record.city == "Köln"


def test_endless_answer_is_cut() -> None:
    record, _ = ask(with_registry(flood))

    assert record is not None
    assert record.city == "Flood"


def test_silent_server_is_given_up() -> None:
    started = time.monotonic()

    with pytest.raises(FetchError) as caught:
        ask(with_registry(silence), rules=replace(RULES, seconds=0.3))

    assert caught.value.kind == "timeout"
    assert time.monotonic() - started < 10


def test_unknown_server_is_a_failure_by_name() -> None:
    with pytest.raises(FetchError) as caught:
        ask({ROOT: TO_REGISTRY})

    assert caught.value.kind == "dns"


def test_the_root_is_asked_once_for_many_domains() -> None:
    async def run() -> list[str]:
        async with WhoisServers(with_registry(text("Admin City: Bremen\n"))) as servers:
            client = servers.client()
            await asyncio.gather(*(client.ask(f"{n}.test") for n in range(5)))
            return [name for name, _, _ in servers.log]

    asked = asyncio.run(run())

    assert (asked.count(ROOT), asked.count(REGISTRY)) == (1, 5)


def test_closed_port_is_a_failure_by_name() -> None:
    async def run() -> None:
        async with WhoisServers({ROOT: TO_REGISTRY}) as servers:
            servers.resolver.addresses[REGISTRY] = "127.0.0.99"
            await servers.client().ask("shop.test")

    with pytest.raises(FetchError) as caught:
        asyncio.run(run())

    assert caught.value.kind == "refused"


def test_private_address_is_not_asked() -> None:
    async def run() -> None:
        book = AddressBook(FakeResolver({ROOT: "127.0.0.1"}))
        await WhoisClient(book, RULES).ask("shop.test")

    with pytest.raises(FetchError) as caught:
        asyncio.run(run())

    assert caught.value.kind == "private-address"


def test_server_is_left_alone_between_two_questions() -> None:
    async def run() -> list[float]:
        async with WhoisServers(with_registry(text(CONTACTS))) as servers:
            client = servers.client(replace(RULES, pause_seconds=0.2))
            await asyncio.gather(*(client.ask(f"{n}.test") for n in range(3)))
            return [when for name, _, when in servers.log if name == REGISTRY]

    first, second, third = asyncio.run(run())

    assert second - first >= 0.2
    assert third - second >= 0.2


def test_registry_with_a_way_of_its_own_is_asked_in_it() -> None:
    replies = {ROOT: text("refer: whois.denic.de\n"), "whois.denic.de": text(CONTACTS)}

    _, asked = ask(replies, "laden.de")

    assert asked[-1] == ("whois.denic.de", "-T dn,ace laden.de")
