import pytest
from tools.derive.names import (
    distinct_names,
    drop_transliterations,
    fold,
    in_home_script,
    is_latin,
    is_name,
    readings,
    scripts_of,
    stable_id,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sao Paulo", "SÃO-PAULO"),
        ("Saint-Denis", "saint denis"),
        ("L’Aquila", "LAquila"),
        ("København", "Kobenhavn"),
    ],
)
def test_diacritics_hyphens_and_apostrophes_do_not_tell_names_apart(one, other):
    assert fold(one) == fold(other)


def test_syllables_codes_addresses_numbers_and_odd_scripts_are_no_names():
    junk = ["lai sai si ka er", "LYS", "DEBER", "http://lyon.fr", "Sector 12", "", "x"]
    assert [name for name in [*junk, "yyngltەra", "𐍃𐌾𐌹𐌺𐌰𐌲𐍉"] if is_name(name)] == []
    assert is_name("Чикаго")


@pytest.mark.parametrize(
    ("main", "given", "kept"),
    [
        ("Munich", "Munchen|München|MÜNCHEN|Monaco di Baviera", "Monaco di Baviera|München"),
        ("St. Louis", "Saint-Louis|Saint Louis", "Saint Louis"),
        ("Lyon", "|LYON|Lyon, France|Lyón|Lyons", "Lyons"),
    ],
    ids=["diacritics are kept", "spaces before hyphens", "neither the main name nor none"],
)
def test_names_that_fold_alike_are_one(main, given, kept):
    assert distinct_names(main, given.split("|")) == tuple(kept.split("|"))


def test_stable_ids_are_negative_and_depend_on_kind_and_key():
    assert stable_id("admin", "US.CA.037") == stable_id("admin", "US.CA.037")
    assert stable_id("admin", "US.CA.037") < -1_000_000
    assert stable_id("admin", "JFK") != stable_id("airport", "JFK")


def test_marks_that_all_scripts_share_do_not_count():
    assert scripts_of("Ga-no-noʻ") == {"LATIN"}
    assert is_latin("Frankfurt/Main")


@pytest.mark.parametrize(
    ("names", "country", "count"),
    [("Athína Αθήνα Афины アテネ", "GR", 2), ("つくば市 ツクバ 筑波 쓰쿠바", "JP", 3)],
)
def test_names_in_the_scripts_of_the_country_are_kept(names, country, count):
    assert list(in_home_script(names.split(), country)) == names.split()[:count]


@pytest.mark.parametrize(
    ("names", "country", "kept"),
    [
        ("Khajlend Хайленд Highlands", "US", "Хайленд Highlands"),
        ("Torino Торино", "IT", "Torino Торино"),  # it only reads like the Cyrillic one
        ("Kharkov Харков", "UA", "Kharkov Харков"),  # Cyrillic is at home there
        ("Koeln Köln", "TR", "Köln"),
        ("Koeln Köln", "DE", "Koeln Köln"),
    ],
)
def test_readings_of_foreign_letters_are_dropped(names, country, kept):
    assert drop_transliterations(names.split(), country) == kept.split()


def test_names_have_a_bounded_number_of_readings():
    assert list(readings("Highland")) == []
    assert len(list(readings("и" * 40))) < 100
