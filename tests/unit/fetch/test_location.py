"""The three ways address databases name places."""

import contextlib
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from geoscout.fetch.location import IpDatabase, ServerLocations, open_locations, read_server_places
from geoscout_places.errors import DamagedDataError, UnknownPlaceError, UsageError
from geoscout_places.model import Kind, Place, Point
from tests.fakes import FakeGazetteer
from tests.unit.fetch.address_files import address_file

USA = Place(1, "United States", Kind.COUNTRY, Point(39, -98), "US")
RENO = Place(2, "Reno", Kind.CITY, Point(39.53, -119.8), "US", population=264_000, parent=1)
RENO_OHIO = Place(3, "Reno", Kind.CITY, Point(39.37, -81.4), "US", population=1_300, parent=1)
GAZETTEER = FakeGazetteer([USA, RENO, RENO_OHIO], aliases={1: ["US"]})


def located(folder: Path, record: dict[str, Any]) -> Place | None:
    file = folder / "addresses.mmdb"
    file.write_bytes(address_file({"192.0.2.0/24": record}))
    return ServerLocations(GAZETTEER, IpDatabase(file)).locate("192.0.2.1")


def test_nested_record_with_an_id(tmp_path):
    assert located(tmp_path, {"city": {"geoname_id": 3}, "country": {"geoname_id": 1}}) == RENO_OHIO


def test_nested_record_without_an_id_is_found_by_name_and_coordinates(tmp_path):
    record = {
        "city": {"names": {"en": "Reno (Downtown)"}},
        "country": {"iso_code": "US", "geoname_id": 1},
        "location": {"latitude": 39.4, "longitude": -81.4},
    }

    assert located(tmp_path, record) == RENO_OHIO


def test_flat_record(tmp_path):
    record = {"city": "Reno", "country_code": "US", "latitude": 39.5, "longitude": -119.8}

    assert located(tmp_path, record) == RENO


def test_unknown_city_is_the_nearest_known(tmp_path):
    record = {"city": "Sparks", "country_code": "US", "latitude": 39.5, "longitude": -119.7}

    assert located(tmp_path, record) == RENO


@pytest.mark.parametrize(
    "record",
    [{"country": {"iso_code": "US"}}, {"country_code": "US"}, {"country": {"geoname_id": 1}}],
)
def test_record_of_a_country_is_the_country(tmp_path, record):
    assert located(tmp_path, record) == USA


def test_empty_record_is_nowhere(tmp_path):
    assert located(tmp_path, {}) is None


def test_table_names_hosts_and_addresses():
    table = read_server_places("# servers\nWWW.Shop.example\tReno\n192.0.2.7\tReno\n\n", GAZETTEER)

    locations = ServerLocations(GAZETTEER, table=table)

    assert locations.locate("www.shop.example") == locations.locate("192.0.2.7") == RENO
    assert locations.locate("other.example") is None


@pytest.mark.parametrize("line", ["host Reno", "\tReno", "host\t"])
def test_line_of_another_form_is_refused(line):
    with pytest.raises(UsageError, match="line 1"):
        read_server_places(line, GAZETTEER)


def test_table_with_an_unknown_place_is_refused():
    with pytest.raises(UnknownPlaceError):
        read_server_places("host\tNowhere", GAZETTEER)


def test_files_are_told_apart_by_their_names(tmp_path):
    table, database = tmp_path / "hosts.tsv", tmp_path / "addresses.mmdb"
    table.write_text("host\tReno\n")
    database.write_bytes(address_file({"192.0.2.0/24": {"city": {"geoname_id": 2}}}))

    assert open_locations(str(table), GAZETTEER).locate("host") == RENO
    assert open_locations(str(database), GAZETTEER).locate("192.0.2.9") == RENO
    with pytest.raises(UsageError, match="no file"):
        open_locations(str(tmp_path / "none"), GAZETTEER)


RECORD = {"city": "Reno", "lat": 39.5, "id": 70_000, "long": "x" * 200, "yes": True, "all": ["a"]}
RECORDS = {"192.0.2.0/24": RECORD, "2001:db8::/32": {"city": "Kyoto"}}


def opened(folder: Path, content: bytes) -> IpDatabase:
    file = folder / "addresses.mmdb"
    file.write_bytes(content)
    return IpDatabase(file)


@pytest.mark.parametrize("record_bits", [24, 28, 32])
def test_record_of_an_address_is_found(tmp_path, record_bits):
    database = opened(tmp_path, address_file(RECORDS, record_bits))

    assert database.find("192.0.2.200") == RECORD
    assert database.find("2001:db8::7") == {"city": "Kyoto"}


@pytest.mark.parametrize("address", ["192.0.3.1", "2001:db9::1", "no address", ""])
def test_other_address_has_no_record(tmp_path, address):
    assert opened(tmp_path, address_file(RECORDS)).find(address) is None


def test_file_of_ipv4_addresses_has_no_others(tmp_path):
    database = opened(tmp_path, address_file({"192.0.2.0/24": RECORD}, version=4))

    assert database.find("192.0.2.1") == RECORD
    assert database.find("2001:db8::7") is None


@pytest.mark.parametrize("content", [b"", b"no such file", address_file(RECORDS)[:-30]])
def test_damaged_file_is_refused(tmp_path, content):
    with pytest.raises(DamagedDataError):
        opened(tmp_path, content)


def test_file_cut_in_its_records_is_refused_when_asked(tmp_path):
    whole = address_file({"192.0.2.0/24": {"city": {"city": "Reno"}}})
    damaged = whole.replace(b"\xe1\x44city\xe1", b"\xff\x44city\xff")

    with pytest.raises(DamagedDataError):
        opened(tmp_path, damaged).find("192.0.2.1")


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(DamagedDataError):
        IpDatabase(tmp_path / "none.mmdb")


def test_damage_of_any_kind_gives_no_other_error(tmp_path):
    chance = random.Random(1)
    whole = address_file(RECORDS)
    for _ in range(300):
        damaged = bytearray(whole[: chance.choice((len(whole), chance.randrange(len(whole))))])
        for _ in range(min(4, len(damaged))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        (tmp_path / "addresses.mmdb").unlink(missing_ok=True)  # the last one may still be mapped
        with contextlib.suppress(DamagedDataError):
            opened(tmp_path, damaged).find("192.0.2.1")


def test_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "maxminddb", None)

    with pytest.raises(UsageError, match=r"/\[ip-locations\]"):
        opened(tmp_path, address_file(RECORDS))
