"""A loop that stood still is not the fault of a host."""

import asyncio
import random
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from ipaddress import IPv4Address

import pytest

from geoscout.fetch.http import addresses
from geoscout.fetch.http.addresses import (
    EVERYTHING,
    AddressBook,
    HostsFile,
    LoopWatch,
    SystemResolver,
    address_rule,
    is_web_port,
    refusal,
    refused_port,
)
from geoscout.fetch.retries import failure
from geoscout_places.errors import FetchError, TryLaterError, UsageError
from tests.fakeweb import FakeResolver

REFUSED = {
    "0.0.0.0": "unspecified",
    "127.0.0.1": "loopback",
    "127.8.9.10": "loopback",
    "10.1.2.3": "private",
    "172.16.0.1": "private",
    "192.168.1.1": "private",
    "169.254.169.254": "link-local",
    "100.64.0.1": "reserved",  # carriers' own
    "192.0.2.1": "private",  # documentation
    "198.18.0.1": "private",  # benchmarks
    "224.0.0.1": "multicast",
    "240.0.0.1": "private",
    "255.255.255.255": "private",
    "0.1.2.3": "private",
    "192.88.99.1": "6to4",
    "192.0.0.8": "private",
    "192.0.0.192": "private",  # Oracle's cloud
    "168.63.129.16": "cloud",  # Azure's
    "100.100.100.200": "reserved",  # Alibaba's
    "192.31.196.1": "reserved",
    "192.52.193.1": "reserved",
    "192.175.48.1": "reserved",
    "::": "unspecified",
    "::1": "loopback",
    "fe80::1": "link-local",
    "fe80::1%eth0": "link-local",
    "fc00::1": "private",
    "fd12:3456::1": "private",
    "fec0::1": "reserved",
    "ff02::1": "multicast",
    "2001:db8::1": "private",
    "::ffff:8.8.8.8": "ipv4-mapped",
    "::ffff:127.0.0.1": "ipv4-mapped",
    "::ffff:0:127.0.0.1": "ipv4-mapped",
    "::127.0.0.1": "ipv4-compatible",
    "64:ff9b::8.8.8.8": "nat64",
    "64:ff9b::7f00:1": "nat64",
    "64:ff9b:1::1": "nat64",
    "2002:7f00:1::": "6to4",
    "2001:0:53aa:64c:0:7b:f5ff:fffe": "teredo",
    "4000::1": "reserved",
    "3fff::1": "private",
    "5f00::1": "reserved",
    "100::1": "private",
    "2001:1ff::1": "reserved",
    "2620:4f:8000::1": "reserved",
    "not an address": "malformed",
    "127.1": "malformed",
}


@pytest.mark.parametrize("address", REFUSED)
def test_address_of_no_public_host_is_refused(address):
    assert refusal(address) == REFUSED[address]


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1", "168.63.129.17"]
)
def test_public_address_is_asked(address):
    assert refusal(address) is None


def test_allowed_network_is_asked_and_no_other():
    refuses = address_rule(["127.0.0.0/8", "::1/128"])

    assert refuses("127.0.0.9") is None
    assert refuses("::1") is None
    assert refuses("10.0.0.1") == "private"
    assert refuses("::ffff:127.0.0.1") is not None
    assert refuses("8.8.8.8") is None


@pytest.mark.parametrize("address", [a for a in REFUSED if REFUSED[a] != "malformed"])
def test_everything_can_be_allowed(address):
    assert address_rule(EVERYTHING)(address) is None


def test_what_is_no_network_is_an_error():
    with pytest.raises(ValueError, match="not appear to be"):
        address_rule(["loopback"])


def test_the_database_of_the_crawl_is_refused_even_where_it_is_public():
    refuses = address_rule((), ["8.8.8.8"])

    assert (refuses("8.8.8.8"), refuses("8.8.4.4")) == ("database", None)


def test_every_address_that_python_takes_for_special_is_refused():
    chance = random.Random(1)
    numbers = [chance.getrandbits(32) for _ in range(50_000)]
    special = [address for address in map(IPv4Address, numbers) if not address.is_global]

    assert len(special) > 1000
    assert [str(address) for address in special if refusal(str(address)) is None] == []


@pytest.mark.parametrize("port", [0, 21, 22, 23, 25, 53, 110, 143, 445, 3306, 5432, 6379, 11211])
def test_ports_of_other_services_are_not_asked(port):
    error = refused_port(f"http://a.test:{port}/")

    assert error is not None
    assert error.kind == "port"


@pytest.mark.parametrize("port", [80, 81, 88, 443, 3000, 5000, 8000, 8080, 8443, 49152, 65535])
def test_ports_of_the_web_are_asked(port):
    assert is_web_port(port)
    assert refused_port(f"http://a.test:{port}/x") is None


def test_a_url_without_a_port_has_that_of_its_scheme():
    assert refused_port("https://a.test/:22") is None
    assert refused_port("http://[2001:db8::22]/") is None


def look_up(book: AddressBook, *hosts: str) -> Sequence[str]:
    async def run() -> Sequence[str]:
        return await asyncio.gather(*(book.address(host) for host in hosts))

    return asyncio.run(run())


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_host_is_looked_up_once_for_all_who_ask():
    resolver = FakeResolver({"a.test": "8.8.8.8"})

    assert look_up(AddressBook(resolver), "a.test", "a.test", "a.test") == ["8.8.8.8"] * 3
    assert resolver.asked["a.test"] == 1


def test_a_hosts_file_knows_its_own_hosts_only(tmp_path):
    file = tmp_path / "hosts"
    file.write_text("# ours\n8.8.8.8 a.test b.test  # two\n\n1.1.1.1 b.test\n")
    book = AddressBook(HostsFile(file))

    assert look_up(book, "a.test", "b.test") == ["8.8.8.8", "8.8.8.8"]
    assert asyncio.run(HostsFile(file).look_up("b.test")) == ("8.8.8.8", "1.1.1.1")
    with pytest.raises(FetchError, match="not in the hosts file"):
        look_up(book, "localhost")
    for other in ("none", "/dev/zero"):
        with pytest.raises(UsageError, match="there is no hosts file"):
            HostsFile(tmp_path / other)


def test_host_is_looked_up_again_after_a_while_and_refused_when_it_turned_private():
    resolver, clock = FakeResolver({"a.test": "8.8.8.8"}), Clock()
    book = AddressBook(resolver, monotonic=clock)
    look_up(book, "a.test")
    resolver.addresses["a.test"] = "1.1.1.1"
    assert look_up(book, "a.test") == ["8.8.8.8"]
    clock.now = 301.0
    assert look_up(book, "a.test") == ["1.1.1.1"]
    resolver.addresses["a.test"] = "127.0.0.1"
    clock.now = 602.0
    with pytest.raises(FetchError, match=r"private-address: a\.test: 127\.0\.0\.1 is loopback"):
        look_up(book, "a.test")


def test_public_address_is_chosen_among_others():
    book = AddressBook(FakeResolver({"a.test": ("127.0.0.1", "8.8.8.8", "10.0.0.1")}))

    assert look_up(book, "a.test") == ["8.8.8.8"]


def test_next_address_is_tried_when_one_does_not_answer():
    book = AddressBook(FakeResolver({"a.test": ("8.8.8.8", "1.1.1.1")}))
    look_up(book, "a.test")
    book.failed("a.test", "8.8.8.8")

    assert look_up(book, "a.test") == ["1.1.1.1"]
    book.failed("a.test", "8.8.8.8")
    assert look_up(book, "a.test") == ["1.1.1.1"]


@pytest.mark.parametrize(("host", "address"), [("8.8.8.8", "8.8.8.8"), ("[2a00::1]", "2a00::1")])
def test_address_as_a_host_needs_no_look_up(host, address):
    assert look_up(AddressBook(FakeResolver({})), host) == [address]


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:8.8.8.8]"])
def test_private_address_as_a_host_is_refused(host):
    with pytest.raises(FetchError, match="private-address"):
        look_up(AddressBook(FakeResolver({})), host)


@pytest.mark.parametrize("addresses", [(), None])
def test_host_without_address_is_a_failure(addresses):
    known = {} if addresses is None else {"a.test": addresses}

    with pytest.raises(FetchError, match="dns"):
        look_up(AddressBook(FakeResolver(known)), "a.test")


class SilentResolver:
    async def look_up(self, host: str) -> tuple[str, ...]:
        await asyncio.sleep(60)
        return ("8.8.8.8",)


def test_look_up_that_takes_too_long_is_a_failure(monkeypatch):
    monkeypatch.setattr(addresses, "_LONGEST_LOOK_UP_SECONDS", 0.01)

    with pytest.raises(FetchError, match=r"dns: a\.test: the look-up took too long"):
        look_up(AddressBook(SilentResolver()), "a.test")


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(addresses, "_HOSTS_REMEMBERED", 2)
    resolver = FakeResolver({f"{name}.test": "8.8.8.8" for name in "abc"})
    book = AddressBook(resolver)
    for host in ("a.test", "b.test", "c.test", "c.test", "a.test"):
        look_up(book, host)

    assert resolver.asked == {"a.test": 2, "b.test": 1, "c.test": 1}


def test_system_knows_this_machine():
    resolver = SystemResolver()
    found = asyncio.run(resolver.look_up("localhost"))

    assert set(found) <= {"127.0.0.1", "::1"}


def test_name_the_system_cannot_take_is_a_failure():
    resolver = SystemResolver()
    with pytest.raises(FetchError, match="dns"):
        asyncio.run(resolver.look_up("::1%no-such-interface"))


def test_own_lack_of_files_is_not_held_against_a_host(monkeypatch):
    def no_files(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", no_files)
    monkeypatch.setattr(addresses, "lacks_files", lambda: True)

    with pytest.raises(TryLaterError) as raised:
        asyncio.run(SystemResolver().look_up("a.example"))
    assert raised.value.kind == "local"


def test_look_up_that_hangs_does_not_keep_the_process():
    """An executor would wait for its threads, however long the system takes."""
    program = """
import asyncio, socket, time
from geoscout.fetch.http.addresses import SystemResolver
socket.getaddrinfo = lambda *_, **__: time.sleep(60)
async def ask():
    asked = asyncio.create_task(SystemResolver().look_up("a.example"))
    await asyncio.sleep(0.1)
    asked.cancel()
asyncio.run(ask())
"""
    done = subprocess.run([sys.executable, "-c", program], timeout=30, check=False)

    assert done.returncode == 0


def kind_after(kind: str, stall: float) -> str:
    async def run() -> str:
        watch = LoopWatch()
        mark = watch.mark()
        await asyncio.sleep(0.01)
        time.sleep(stall)
        return watch.judge(failure(kind), mark).kind

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("kind", "stall", "judged"),
    [
        ("timeout", 1.4, "late"),
        ("timeout", 0.0, "timeout"),
        ("refused", 1.4, "refused"),
    ],
)
def test_time_limit_counts_only_while_the_loop_is_awake(kind, stall, judged):
    assert kind_after(kind, stall) == judged
