"""What is read is told without loading what reads it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from geoscout_places.gazetteer import Region
from geoscout_places.geo.address import known_formats
from geoscout_places.geo.address.coverage import countries_read, note_on_addresses
from geoscout_places.model import Kind, Place, Point
from tests.fakes import FakeGazetteer

KENYA = Place(1, "Kenya", Kind.COUNTRY, Point(0.0, 38.0), "KE")
FRANCE = Place(2, "France", Kind.COUNTRY, Point(46.0, 2.0), "FR")


def test_the_table_has_the_countries_of_all_formats() -> None:
    assert countries_read() == {format.country for format in known_formats()}


@pytest.mark.parametrize(
    ("place", "rule", "told"),
    [
        (KENYA, "about", "pages are judged by the places they name"),
        (KENYA, "address", "try the rule scope"),
        (KENYA, "scope", ""),
        (FRANCE, "about", ""),
    ],
)
def test_a_country_without_a_format_is_told(place: Place, rule: str, told: str) -> None:
    note = note_on_addresses(Region.parse((place.name,), FakeGazetteer([place])), rule)

    assert told in note
    assert bool(note) == bool(told)


def test_a_crawl_starts_without_parser_and_geoparser() -> None:
    script = (
        "import sys, geoscout.cli.commands.crawl\n"
        "from geoscout_places.geo.address.coverage import countries_read\n"
        "countries_read()\n"
        "late = ('geoparser', 'mentions', 'address.countries.', 'parse.html')\n"
        "print([name for name in sys.modules if any(part in name for part in late)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )

    assert done.stdout.strip() == "[]"
