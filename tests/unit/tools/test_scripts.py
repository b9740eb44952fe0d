from tools.derive.scripts import in_home_script, is_latin, scripts_of


def test_marks_that_all_scripts_share_do_not_count() -> None:
    assert scripts_of("Ga-no-noʻ") == {"LATIN"}
    assert is_latin("Frankfurt/Main")


def test_names_in_the_script_of_the_country_are_kept() -> None:
    names = ["Athína", "Αθήνα", "Афины", "アテネ"]

    assert list(in_home_script(names, "GR")) == ["Athína", "Αθήνα"]


def test_japanese_is_written_in_three_scripts() -> None:
    names = ["つくば市", "ツクバ", "筑波", "쓰쿠바"]

    assert list(in_home_script(names, "JP")) == ["つくば市", "ツクバ", "筑波"]
