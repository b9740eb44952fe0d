"""The scan has to take time in proportion to the text, whatever the text."""

from __future__ import annotations

import time

import pytest

from geoscout_places.geo.address import extract_addresses, known_formats
from geoscout_places.geo.address.base import AddressFormat, Sighting, Trigger
from tests.unit.places.geo.address.worlds import small_world

WORLD = small_world()
SIZE = 1_000_000
HOSTILE = [
    "1", ",", "1,", "1, ", "12345 ", "12345,", "12345-", "2019 A", "80331 München ", ", CA",
    "CA 90210, ", "12 Main St, ", "1 Aa Aa Aa ", "A1 1AA ", "M4W 3L4 ", "(12345 ", "str. 5, B",
    "1 rue a ", "1-1/1 ",
]  # fmt: skip


def _hostile_text(size: int) -> str:
    share = size // len(HOSTILE)
    return "\n".join(piece * (share // len(piece)) for piece in HOSTILE)


def _seconds(text: str, country: str) -> float:
    start = time.process_time()
    extract_addresses(text, WORLD, countries=[country])
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("country", [format.country for format in known_formats()])
def test_megabyte_of_digits_and_commas_takes_linear_time(country: str) -> None:
    quarter = _seconds(_hostile_text(SIZE // 4), country)
    whole = _seconds(_hostile_text(SIZE), country)

    assert whole < 8 * quarter + 0.2  # 4 if linear, 16 if quadratic


def test_long_line_without_a_break_takes_no_longer_than_lines() -> None:
    line, lines = "Aa 12 Bb, " * 30_000, "Aa 12 Bb,\n" * 30_000

    assert _seconds(line, "US") < 10 * _seconds(lines, "US") + 0.2


def _format(country: str, pattern: str, seen: list[tuple[str, str]]) -> AddressFormat:
    def read(sighting: Sighting) -> None:
        seen.append((country, sighting.trigger))

    return AddressFormat(country, (Trigger(pattern, read),))


def test_every_trigger_that_begins_at_a_number_is_read_with_its_own_end() -> None:
    seen: list[tuple[str, str]] = []
    formats = [
        _format("AA", "([0-9])([0-9]{2}) (?P<letter>[A-Z])", seen),  # with groups of its own
        _format("BB", "[0-9]{5}", seen),
        _format("CC", "[0-9]{3} B", seen),
        _format("DD", ",\\sX", seen),
    ]

    extract_addresses("at 123 Bern, X\n98765\n", WORLD, formats=formats)

    assert seen == [("AA", "123 B"), ("CC", "123 B"), ("DD", ", X"), ("BB", "98765")]
