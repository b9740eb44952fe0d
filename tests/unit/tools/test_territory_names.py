"""Names of countries that are made from CLDR."""

from tools.derive.territory_names import name_rows

from geoscout_places.gazetteer.tables import AreaRow

UNITED_STATES = AreaRow(
    "6252001", "US", "United States", "country", "40", "-98", "US", "327000000", "", "", ""
)


def names(*found: tuple[str, str, str, str]) -> list[tuple[str, str]]:
    return [(row.language, row.name) for row in name_rows(found, {"US": UNITED_STATES})]


def test_abbreviations_are_written_in_every_way():
    assert names(("es", "US", "alt", "EE. UU.")) == [("", "EE. UU."), ("", "EE.UU."), ("", "EEUU")]


def test_german_names_have_their_cases():
    assert names(("de", "US", "", "Vereinigte Staaten")) == [
        ("", "Vereinigten Staaten"),
        ("", "Vereinigter Staaten"),
    ]


def test_what_follows_of_may_be_missing():
    assert ("", "Statele Unite") in names(("ro", "US", "", "Statele Unite ale Americii"))


def test_a_language_with_cases_declines_names_of_several_words_itself():
    assert names(("cs", "US", "", "Spojené státy")) == [("cs", "Spojené státy")]


def test_territories_without_a_place_are_left_out():
    assert names(("cs", "XX", "", "Nějaké ostrovy")) == []
