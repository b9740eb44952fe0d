"""A country is one file, and what the documentation shows of that works."""

from __future__ import annotations

import re
from importlib import import_module
from types import ModuleType

from geoscout_places.geo.address import AddressFormat, extract_addresses, known_formats
from tests.conftest import PROJECT
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


def test_the_shipped_countries_are_known() -> None:
    countries = {format.country for format in known_formats()}

    assert countries >= {"AT", "CA", "CH", "DE", "FR", "GB", "US"}
    assert countries >= {"BE", "CZ", "DK", "ES", "FI", "HR", "HU", "IT", "LI", "LU", "NL", "NO"}
    assert countries >= {"PL", "PT", "SE", "SI", "SK"}
    assert countries >= {"AU", "BR", "IE", "IN", "JP", "MX", "NZ", "ZA"}


def test_documented_example_reads_the_documented_address() -> None:
    text = re.search(r'^text = "(.*)"$', _blocks("python")[1], re.MULTILINE)
    assert text is not None

    found = extract_addresses(
        text[1].replace("\\n", "\n"), small_world(), formats=[*known_formats(), _example()]
    )

    printed = [f"{a.street} {a.house_number} {a.postcode} {a.city}" for a in found]
    assert "\n".join(printed) == _blocks("text")[0].strip()


def test_every_part_the_page_names_exists() -> None:
    names = re.findall(r"^\| `(\w+)\.(\w+)`", PAGE.read_text(), re.MULTILINE)

    assert names
    for module, name in names:
        assert hasattr(import_module(f"geoscout_places.geo.address.{module}"), name)
