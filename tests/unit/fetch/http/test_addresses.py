from __future__ import annotations

import random
from ipaddress import IPv4Address

import pytest

from geoscout.fetch.http.addresses import EVERYTHING, address_rule, refusal

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
def test_address_of_no_public_host_is_refused(address: str) -> None:
    assert refusal(address) == REFUSED[address]


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1", "168.63.129.17"]
)
def test_public_address_is_asked(address: str) -> None:
    assert refusal(address) is None


def test_allowed_network_is_asked_and_no_other() -> None:
    refuses = address_rule(["127.0.0.0/8", "::1/128"])

    assert refuses("127.0.0.9") is None
    assert refuses("::1") is None
    assert refuses("10.0.0.1") == "private"
    assert refuses("::ffff:127.0.0.1") is not None
    assert refuses("8.8.8.8") is None


@pytest.mark.parametrize("address", [a for a in REFUSED if REFUSED[a] != "malformed"])
def test_everything_can_be_allowed(address: str) -> None:
    assert address_rule(EVERYTHING)(address) is None


def test_what_is_no_network_is_an_error() -> None:
    with pytest.raises(ValueError, match="not appear to be"):
        address_rule(["loopback"])


def test_the_database_of_the_crawl_is_refused_even_where_it_is_public() -> None:
    refuses = address_rule((), ["8.8.8.8"])

    assert (refuses("8.8.8.8"), refuses("8.8.4.4")) == ("database", None)


def test_every_address_that_python_takes_for_special_is_refused() -> None:
    chance = random.Random(1)
    numbers = [chance.getrandbits(32) for _ in range(50_000)]
    special = [address for address in map(IPv4Address, numbers) if not address.is_global]

    assert len(special) > 1000
    assert [str(address) for address in special if refusal(str(address)) is None] == []
