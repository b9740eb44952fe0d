from __future__ import annotations

import contextlib
import random
import sys
from pathlib import Path

import pytest

from geoscout.fetch.location import IpDatabase
from geoscout_places.errors import DamagedDataError, UsageError
from tests.unit.fetch.address_files import address_file

RECORD = {"city": "Reno", "lat": 39.5, "id": 70_000, "long": "x" * 200, "yes": True, "all": ["a"]}
RECORDS = {"192.0.2.0/24": RECORD, "2001:db8::/32": {"city": "Kyoto"}}


def opened(folder: Path, content: bytes) -> IpDatabase:
    file = folder / "addresses.mmdb"
    file.write_bytes(content)
    return IpDatabase(file)


@pytest.mark.parametrize("record_bits", [24, 28, 32])
def test_record_of_an_address_is_found(tmp_path: Path, record_bits: int) -> None:
    database = opened(tmp_path, address_file(RECORDS, record_bits))

    assert database.find("192.0.2.200") == RECORD
    assert database.find("2001:db8::7") == {"city": "Kyoto"}


@pytest.mark.parametrize("address", ["192.0.3.1", "2001:db9::1", "no address", ""])
def test_other_address_has_no_record(tmp_path: Path, address: str) -> None:
    assert opened(tmp_path, address_file(RECORDS)).find(address) is None


def test_file_of_ipv4_addresses_has_no_others(tmp_path: Path) -> None:
    database = opened(tmp_path, address_file({"192.0.2.0/24": RECORD}, version=4))

    assert database.find("192.0.2.1") == RECORD
    assert database.find("2001:db8::7") is None


@pytest.mark.parametrize("content", [b"", b"no such file", address_file(RECORDS)[:-30]])
def test_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(DamagedDataError):
        opened(tmp_path, content)


def test_file_cut_in_its_records_is_refused_when_asked(tmp_path: Path) -> None:
    whole = address_file({"192.0.2.0/24": {"city": {"city": "Reno"}}})
    damaged = whole.replace(b"\xe1\x44city\xe1", b"\xff\x44city\xff")

    with pytest.raises(DamagedDataError):
        opened(tmp_path, damaged).find("192.0.2.1")


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedDataError):
        IpDatabase(tmp_path / "none.mmdb")


def test_damage_of_any_kind_gives_no_other_error(tmp_path: Path) -> None:
    chance = random.Random(1)
    whole = address_file(RECORDS)
    for _ in range(300):
        damaged = bytearray(whole[: chance.choice((len(whole), chance.randrange(len(whole))))])
        for _ in range(min(4, len(damaged))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        (tmp_path / "addresses.mmdb").unlink(missing_ok=True)  # the last one may still be mapped
        with contextlib.suppress(DamagedDataError):
            opened(tmp_path, damaged).find("192.0.2.1")


def test_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "maxminddb", None)

    with pytest.raises(UsageError, match=r"/\[ip-locations\]"):
        opened(tmp_path, address_file(RECORDS))
