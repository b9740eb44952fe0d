from __future__ import annotations

from geoscout_places.gazetteer.imports.areas import AreaCodes, shipped_areas


def test_a_country_is_found_by_code_name_and_abbreviation(areas: AreaCodes) -> None:
    found = [areas.country(text) for text in ("de", "Germany", "DEUTSCHLAND", "DEU", "USA")]

    assert found == ["DE", "DE", "DE", "DE", "US"]


def test_a_region_is_found_by_code_name_and_abbreviation(areas: AreaCodes) -> None:
    found = [areas.region("US", text) for text in ("CA", "ca", "California", "Calif.")]

    assert found == ["CA"] * 4


def test_a_code_of_the_post_becomes_the_code_of_the_gazetteer(areas: AreaCodes) -> None:
    assert areas.region("DE", "NI") == "06"
    assert areas.region("CA", "ON") == "08"


def test_a_word_for_the_division_does_not_matter(areas: AreaCodes) -> None:
    assert areas.region("PE", "Cajamarca") == "06"
    assert areas.region("PE", "Departamento de Cajamarca") == "06"


def test_a_region_is_looked_for_in_its_country_only(areas: AreaCodes) -> None:
    assert areas.region("DE", "California") == ""


def test_what_is_unknown_or_empty_has_no_code(areas: AreaCodes) -> None:
    assert areas.country("") == ""
    assert areas.country("Atlantis") == ""
    assert areas.region("US", "Province of") == ""


def test_the_shipped_table_knows_states_provinces_and_laender() -> None:
    shipped = shipped_areas()

    assert shipped.region("US", "New York") == "NY"
    assert shipped.region("CA", "Québec") == "10"
    assert shipped.region("DE", "Bayern") == shipped.region("DE", "Bavaria") == "02"
    assert shipped.country("Österreich") == "AT"
