from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout.geocode import (
    UNKNOWN_SECONDS,
    AskingLimits,
    Geocoder,
    Service,
    open_geocoder,
    text_of,
)
from geoscout.settings import Settings
from geoscout_places.errors import UsageError
from geoscout_places.model import Address, Point, Precision
from tests.geocoders import LoopbackGeocoder, run_geocoder

ADDRESS = Address(
    start=0, end=10, text="", house_number="12", street="Lange Straße", unit="", city="Oldenburg",
    region="", postcode="26122", country="DE", point=Point(53.1, 8.2), place=None, source="text",
)  # fmt: skip
TEXT = "Lange Straße 12, 26122 Oldenburg, DE"
PATIENT = AskingLimits(seconds=10.0)


@pytest.fixture
def service():
    with run_geocoder({TEXT: (53.14, 8.21, 30)}) as running:
        yield running


class Clock:
    """Time that passes by sleeping only."""

    def __init__(self) -> None:
        self.now = 1e9
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def make_geocoder(folder: Path, service: LoopbackGeocoder, clock: Clock) -> Geocoder:
    client = Service("nominatim", service.url, "geoscout/test")
    return Geocoder(client, folder / "c.sqlite", sleep=clock.sleep, clock=clock)


def test_each_address_is_asked_for_once_in_all_runs(tmp_path, service):
    for _ in range(2):
        geocoder = make_geocoder(tmp_path, service, Clock())
        spots = [geocoder.locate(ADDRESS, PATIENT) for _ in range(2)]
        geocoder.close()
        assert {spot and spot.precision for spot in spots} == {Precision.HOUSE}

    assert service.asked == [TEXT]
    assert service.agents == ["geoscout/test"]


def test_an_unknown_address_stays_as_it_is_and_is_asked_for_again_after_a_month(tmp_path, service):
    clock = Clock()
    geocoder = make_geocoder(tmp_path, service, clock)
    unknown = replace(ADDRESS, street="Nirgendweg")

    assert geocoder.refine(unknown, PATIENT) == unknown
    assert geocoder.refine(unknown, PATIENT) == unknown
    assert len(service.asked) == 1
    clock.now += UNKNOWN_SECONDS + 1
    geocoder.refine(unknown, PATIENT)
    assert len(service.asked) == 2


def test_two_processes_share_one_pace(tmp_path, service):
    clock = Clock()
    one, other = (make_geocoder(tmp_path, service, clock) for _ in range(2))

    one.refine(ADDRESS, PATIENT)
    other.refine(replace(ADDRESS, house_number="13"), PATIENT)
    one.refine(replace(ADDRESS, house_number="14"), PATIENT)

    assert clock.slept == [0.0, 1.0, 1.0]


def test_who_cannot_wait_goes_without(tmp_path, service):
    geocoder = make_geocoder(tmp_path, service, Clock())
    geocoder.refine(ADDRESS, PATIENT)
    next_one = replace(ADDRESS, house_number="13")

    assert geocoder.refine(next_one, AskingLimits(seconds=0.5)) == next_one
    assert service.asked == [TEXT]


def test_a_budget_ends(tmp_path, service):
    clock = Clock()
    asking = make_geocoder(tmp_path, service, clock).spend(AskingLimits(seconds=2.0, in_all=1.5))

    for number in range(20, 30):
        asking.refine(replace(ADDRESS, house_number=str(number)))

    assert len(service.asked) == 3  # at once, after one second, after two
    assert sum(clock.slept) == 2.0


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b"[]"),
        (429, b"[]"),
        (200, b"<html>"),
        (200, b'{"a": 1}'),
        (200, b'[{"lat": 1%s, "lon": 1}]' % (400 * b"0")),
    ],
)
def test_a_failing_service_is_left_alone_ever_longer(tmp_path, service, status, body):
    service.status, service.body = status, body
    clock = Clock()
    geocoder = make_geocoder(tmp_path, service, clock)

    assert geocoder.refine(ADDRESS, PATIENT) == ADDRESS
    assert geocoder.refine(ADDRESS, PATIENT) == ADDRESS
    assert len(service.asked) == 1
    clock.now += 61
    geocoder.refine(ADDRESS, PATIENT)
    clock.now += 61
    geocoder.refine(ADDRESS, PATIENT)
    assert len(service.asked) == 2
    service.status, service.body = 200, None
    clock.now += 60
    assert geocoder.refine(ADDRESS, PATIENT).point == Point(53.14, 8.21)


def test_a_service_that_is_not_there_changes_nothing(tmp_path):
    geocoder = Geocoder(Service("nominatim", "http://127.0.0.1:9", "x"), tmp_path / "c.sqlite")

    assert geocoder.refine(ADDRESS, PATIENT) == ADDRESS


def test_a_reply_in_another_town_is_not_believed(tmp_path, service):
    service.known = {TEXT: (48.1, 11.5, 30)}

    assert make_geocoder(tmp_path, service, Clock()).refine(ADDRESS, PATIENT) == ADDRESS


@pytest.mark.parametrize(
    ("rank", "precision"), [(30, Precision.HOUSE), (26, Precision.STREET), (16, None)]
)
def test_what_is_no_more_than_a_town_is_not_taken_for_a_house(tmp_path, service, rank, precision):
    service.known = {TEXT: (53.14, 8.21, rank)}

    spot = make_geocoder(tmp_path, service, Clock()).locate(ADDRESS, PATIENT)

    assert (spot.precision if spot else None) == precision


@pytest.mark.parametrize(
    ("kind", "precision"),
    [("house", Precision.HOUSE), ("street", Precision.STREET), ("city", None)],
)
def test_features_of_photon_are_read(service, kind, precision):
    point = {"type": "Point", "coordinates": [8.21, 53.14]}
    feature = {"properties": {"type": kind}, "geometry": point}
    service.body = repr({"features": [feature]}).replace("'", '"').encode()

    spot = Service("photon", service.url, "x").ask(TEXT)

    assert spot == (None if precision is None else (Point(53.14, 8.21), precision))


def test_the_setting_is_off_by_default(tmp_path):
    assert open_geocoder(Settings(), tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_the_setting_names_service_address_and_pace(tmp_path, service):
    """The point of the service replaces that of the postal code, where there is a street."""
    geocoder = open_geocoder(Settings(geocoder=service.setting), tmp_path)
    assert geocoder is not None
    assert geocoder.refine(ADDRESS, PATIENT).point == Point(53.14, 8.21)
    geocoder.refine(replace(ADDRESS, street=""), PATIENT)
    geocoder.close()

    assert service.asked == [TEXT]


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("atlas:http://localhost", "no geocoder is called 'atlas'"),
        ("nominatim", "should be a kind of service and its address"),
        ("nominatim:localhost:8080", "is not an address"),
        ("nominatim:http://localhost,fast", "not a number of requests"),
        ("nominatim:https://nominatim.example", "needs a way to reach you"),
    ],
)
def test_a_setting_that_cannot_be_read_is_refused(tmp_path, setting, complaint):
    with pytest.raises(UsageError, match=complaint):
        open_geocoder(Settings(geocoder=setting), tmp_path)


def test_house_numbers_stand_where_the_country_writes_them():
    assert text_of(ADDRESS) == TEXT
    american = replace(ADDRESS, country="US", street="Main St", postcode="", region="TX")
    assert text_of(american) == "12 Main St, Oldenburg, TX, US"
