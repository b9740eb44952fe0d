"""Which countries are read, told without loading what reads them; the documented example works."""

import re
from importlib import import_module
from types import ModuleType

import pytest

from geoscout_places.gazetteer import Region
from geoscout_places.geo.address import AddressFormat, extract_addresses, known_formats
from geoscout_places.geo.address.base import Sighting
from geoscout_places.geo.address.extract import read_examples
from geoscout_places.geo.address.formats import EXAMPLES, countries_read, note_on_addresses
from geoscout_places.model import Kind, Place, Point
from tests.conftest import PROJECT
from tests.fakes import FakeGazetteer
from tests.unit.places.geo.address.worlds import small_world

PAGE = PROJECT / "docs" / "extend" / "address-format.md"


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def _example() -> AddressFormat:
    module = ModuleType("netherlands")
    exec(compile(_blocks("python")[0], "netherlands.py", "exec"), module.__dict__)
    format = module.__dict__["create"]()
    assert isinstance(format, AddressFormat)
    return format


def test_the_shipped_countries_are_known():
    countries = {format.country for format in known_formats()}

    assert countries >= {"AT", "CA", "CH", "DE", "FR", "GB", "US"}
    assert countries >= {"BE", "CZ", "DK", "ES", "FI", "HR", "HU", "IT", "LI", "LU", "NL", "NO"}
    assert countries >= {"PL", "PT", "SE", "SI", "SK"}
    assert countries >= {"AU", "BR", "IE", "IN", "JP", "MX", "NZ", "ZA"}


def test_documented_example_reads_the_documented_address():
    text = re.search(r'^text = "(.*)"$', _blocks("python")[1], re.MULTILINE)
    assert text is not None

    found = extract_addresses(
        text[1].replace("\\n", "\n"), small_world(), formats=[*known_formats(), _example()]
    )

    printed = [f"{a.street} {a.house_number} {a.postcode} {a.city}" for a in found]
    assert "\n".join(printed) == _blocks("text")[0].strip()


def test_every_part_the_page_names_exists():
    names = re.findall(r"^\| `(\w+)\.(\w+)`", PAGE.read_text(), re.MULTILINE)

    assert names
    for module, name in names:
        assert hasattr(import_module(f"geoscout_places.geo.address.{module}"), name)


KENYA = Place(1, "Kenya", Kind.COUNTRY, Point(0.0, 38.0), "KE")
FRANCE = Place(2, "France", Kind.COUNTRY, Point(46.0, 2.0), "FR")


def test_the_table_has_the_countries_of_all_formats():
    assert countries_read() == {format.country for format in known_formats()} - {"ZZ"}


@pytest.mark.parametrize(
    ("place", "rule", "told"),
    [
        (KENYA, "about", "pages are judged by the places they name"),
        (KENYA, "address", "try the rule scope"),
        (KENYA, "scope", ""),
        (FRANCE, "about", ""),
    ],
)
def test_a_country_without_a_format_is_told(place, rule, told):
    note = note_on_addresses(Region.parse((place.name,), FakeGazetteer([place])), rule)

    assert told in note
    assert bool(note) == bool(told)


@pytest.mark.parametrize("country", sorted(EXAMPLES))
def test_an_example_is_one_address_of_its_country(country, gazetteer):
    found = read_examples(gazetteer, [country])

    assert [address.country for address in found] == [country]
    assert found[0].street
    assert found[0].place is not None


def test_every_country_with_a_format_has_an_example():
    assert {format.country for format in known_formats()} - {"ZZ"} == set(EXAMPLES)


def test_nothing_is_read_for_countries_without_one(gazetteer):
    assert read_examples(gazetteer, ["XX"]) == []


def test_what_many_formats_ask_is_found_once_for_a_sighting():
    asked: list[str] = []

    def trigger(sighting: Sighting) -> str:
        asked.append(sighting.trigger)
        return sighting.trigger

    sighting = Sighting("1040 Wien", 0, 4, 0, FakeGazetteer([]), is_alone=False)
    assert [sighting.once(trigger), sighting.once(trigger)] == ["1040", "1040"]
    assert asked == ["1040"]
    assert sighting.moved(0, 2).once(trigger) == "10"
