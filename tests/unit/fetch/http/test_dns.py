from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from geoscout.fetch.http import addresses
from geoscout.fetch.http.addresses import AddressBook, HostsFile, SystemResolver
from geoscout_places.errors import FetchError, TryLaterError, UsageError
from tests.fakeweb import FakeResolver


def look_up(book: AddressBook, *hosts: str) -> Sequence[str]:
    async def run() -> Sequence[str]:
        return await asyncio.gather(*(book.address(host) for host in hosts))

    return asyncio.run(run())


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_host_is_looked_up_once_for_all_who_ask() -> None:
    resolver = FakeResolver({"a.test": "8.8.8.8"})

    assert look_up(AddressBook(resolver), "a.test", "a.test", "a.test") == ["8.8.8.8"] * 3
    assert resolver.asked["a.test"] == 1


def test_a_hosts_file_knows_its_own_hosts_only(tmp_path: Path) -> None:
    file = tmp_path / "hosts"
    file.write_text("# ours\n8.8.8.8 a.test b.test  # two\n\n1.1.1.1 b.test\n")
    book = AddressBook(HostsFile(file))

    assert look_up(book, "a.test", "b.test") == ["8.8.8.8", "8.8.8.8"]
    assert asyncio.run(HostsFile(file).look_up("b.test")) == ("8.8.8.8", "1.1.1.1")
    with pytest.raises(FetchError, match="not in the hosts file"):
        look_up(book, "localhost")
    with pytest.raises(UsageError, match="cannot be read"):
        HostsFile(tmp_path / "none")


def test_host_is_looked_up_again_after_a_while() -> None:
    resolver, clock = FakeResolver({"a.test": "8.8.8.8"}), Clock()
    book = AddressBook(resolver, monotonic=clock)
    look_up(book, "a.test")
    resolver.addresses["a.test"] = "1.1.1.1"

    assert look_up(book, "a.test") == ["8.8.8.8"]
    clock.now = 301.0
    assert look_up(book, "a.test") == ["1.1.1.1"]


def test_host_that_turns_private_is_refused_then() -> None:
    resolver, clock = FakeResolver({"a.test": "8.8.8.8"}), Clock()
    book = AddressBook(resolver, monotonic=clock)
    look_up(book, "a.test")
    resolver.addresses["a.test"] = "127.0.0.1"
    clock.now = 301.0

    with pytest.raises(FetchError, match=r"private-address: a\.test: 127\.0\.0\.1 is loopback"):
        look_up(book, "a.test")


def test_public_address_is_chosen_among_others() -> None:
    book = AddressBook(FakeResolver({"a.test": ("127.0.0.1", "8.8.8.8", "10.0.0.1")}))

    assert look_up(book, "a.test") == ["8.8.8.8"]


def test_next_address_is_tried_when_one_does_not_answer() -> None:
    book = AddressBook(FakeResolver({"a.test": ("8.8.8.8", "1.1.1.1")}))
    look_up(book, "a.test")
    book.failed("a.test", "8.8.8.8")

    assert look_up(book, "a.test") == ["1.1.1.1"]
    book.failed("a.test", "8.8.8.8")
    assert look_up(book, "a.test") == ["1.1.1.1"]


@pytest.mark.parametrize(("host", "address"), [("8.8.8.8", "8.8.8.8"), ("[2a00::1]", "2a00::1")])
def test_address_as_a_host_needs_no_look_up(host: str, address: str) -> None:
    assert look_up(AddressBook(FakeResolver({})), host) == [address]


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:8.8.8.8]"])
def test_private_address_as_a_host_is_refused(host: str) -> None:
    with pytest.raises(FetchError, match="private-address"):
        look_up(AddressBook(FakeResolver({})), host)


@pytest.mark.parametrize("addresses", [(), None])
def test_host_without_address_is_a_failure(addresses: tuple[str, ...] | None) -> None:
    known = {} if addresses is None else {"a.test": addresses}

    with pytest.raises(FetchError, match="dns"):
        look_up(AddressBook(FakeResolver(known)), "a.test")


class SilentResolver:
    async def look_up(self, host: str) -> tuple[str, ...]:
        await asyncio.sleep(60)
        return ("8.8.8.8",)


def test_look_up_that_takes_too_long_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_LONGEST_LOOK_UP_SECONDS", 0.01)

    with pytest.raises(FetchError, match=r"dns: a\.test: the look-up took too long"):
        look_up(AddressBook(SilentResolver()), "a.test")


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_HOSTS_REMEMBERED", 2)
    resolver = FakeResolver({f"{name}.test": "8.8.8.8" for name in "abc"})
    book = AddressBook(resolver)
    for host in ("a.test", "b.test", "c.test", "c.test", "a.test"):
        look_up(book, host)

    assert resolver.asked == {"a.test": 2, "b.test": 1, "c.test": 1}


def test_system_knows_this_machine() -> None:
    resolver = SystemResolver()
    found = asyncio.run(resolver.look_up("localhost"))

    assert set(found) <= {"127.0.0.1", "::1"}


def test_name_the_system_cannot_take_is_a_failure() -> None:
    resolver = SystemResolver()
    with pytest.raises(FetchError, match="dns"):
        asyncio.run(resolver.look_up("::1%no-such-interface"))


def test_own_lack_of_files_is_not_held_against_a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_files(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", no_files)
    monkeypatch.setattr(addresses, "lacks_files", lambda: True)

    with pytest.raises(TryLaterError) as raised:
        asyncio.run(SystemResolver().look_up("a.example"))
    assert raised.value.kind == "local"


def test_look_up_that_hangs_does_not_keep_the_process() -> None:
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
