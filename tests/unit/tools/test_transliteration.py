from tools.derive.transliteration import drop_transliterations, readings


def test_a_reading_of_a_cyrillic_name_is_dropped_in_the_west() -> None:
    names = ["Khajlend", "Хайленд", "Highlands"]

    assert drop_transliterations(names, "US") == ["Хайленд", "Highlands"]


def test_a_native_name_that_reads_like_the_cyrillic_one_is_kept() -> None:
    assert "Torino" in drop_transliterations(["Torino", "Торино"], "IT")


def test_a_reading_is_kept_where_cyrillic_is_at_home() -> None:
    assert "Kharkov" in drop_transliterations(["Kharkov", "Харков"], "UA")


def test_spelled_out_umlauts_are_dropped_where_nobody_spells_them_out() -> None:
    assert drop_transliterations(["Koeln", "Köln"], "TR") == ["Köln"]
    assert drop_transliterations(["Koeln", "Köln"], "DE") == ["Koeln", "Köln"]


def test_other_names_have_no_readings() -> None:
    assert list(readings("Highland")) == []


def test_long_names_have_a_bounded_number_of_readings() -> None:
    assert len(list(readings("и" * 40))) < 100
