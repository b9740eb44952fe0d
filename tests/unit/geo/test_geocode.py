from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from geoscout.errors import UsageError
from geoscout.geo.geocode import Geocoder, open_service
from geoscout.model import Address, Point

ADDRESS = Address(
    start=0, end=10, text="", house_number="12", street="Lange Straße", unit="", city="Oldenburg",
    region="", postcode="26122", country="DE", point=Point(53.1, 8.2), place=None, source="text",
)  # fmt: skip


class CountingService:
    """Knows one address, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def geocode(self, query: str) -> object | None:
        self.asked.append(query)
        known = "Lange Straße 12, 26122 Oldenburg, DE"
        return SimpleNamespace(latitude=53.14, longitude=8.21) if query == known else None


def make_geocoder(folder: Path, service: CountingService, slept: list[float]) -> Geocoder:
    return Geocoder(service, folder / "c.sqlite", sleep=slept.append, clock=lambda: 100.0)


def test_point_of_the_service_replaces_that_of_the_postal_code(tmp_path: Path) -> None:
    geocoder = make_geocoder(tmp_path, CountingService(), [])

    assert geocoder.refine(ADDRESS).point == Point(53.14, 8.21)
    geocoder.close()


def test_answer_is_asked_for_once_and_kept(tmp_path: Path) -> None:
    service = CountingService()
    first = make_geocoder(tmp_path, service, [])
    first.refine(ADDRESS)
    first.close()

    again = make_geocoder(tmp_path, service, [])

    assert again.refine(ADDRESS).point == Point(53.14, 8.21)
    assert len(service.asked) == 1
    again.close()


def test_unknown_address_stays_as_it_is_and_is_not_asked_again(tmp_path: Path) -> None:
    service = CountingService()
    geocoder = make_geocoder(tmp_path, service, [])
    unknown = replace(ADDRESS, house_number="99")

    assert geocoder.refine(unknown) == unknown
    assert geocoder.refine(unknown) == unknown
    assert len(service.asked) == 1
    geocoder.close()


def test_service_is_asked_no_more_than_once_a_second(tmp_path: Path) -> None:
    slept: list[float] = []
    geocoder = make_geocoder(tmp_path, CountingService(), slept)
    geocoder.refine(ADDRESS)

    geocoder.refine(replace(ADDRESS, street="Neue Straße"))

    assert slept == [0.0, 1.0]
    geocoder.close()


def test_unknown_service_is_refused() -> None:
    with pytest.raises(UsageError, match="no geocoder is called 'atlas'"):
        open_service("atlas", "localhost", "test")
