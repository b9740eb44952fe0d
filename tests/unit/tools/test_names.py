from tools.derive.names import distinct_names, fold, is_name, stable_id


def test_diacritics_hyphens_and_apostrophes_do_not_tell_names_apart() -> None:
    assert fold("Sao Paulo") == fold("SÃO-PAULO")
    assert fold("Saint-Denis") == fold("saint denis")
    assert fold("L’Aquila") == fold("LAquila")


def test_letters_without_decomposition_are_folded_too() -> None:
    assert fold("København") == fold("Kobenhavn")


def test_syllables_codes_addresses_and_numbers_are_no_names() -> None:
    junk = ["lai sai si ka er", "LYS", "DEBER", "http://lyon.fr", "Sector 12", "", "x"]

    assert [name for name in junk if is_name(name)] == []


def test_a_name_in_two_scripts_or_a_rare_one_is_no_name() -> None:
    assert not is_name("yyngltەra")
    assert not is_name("𐍃𐌾𐌹𐌺𐌰𐌲𐍉")
    assert is_name("Чикаго")


def test_the_spelling_with_diacritics_is_kept_of_those_that_fold_alike() -> None:
    names = distinct_names("Munich", ["Munchen", "München", "MÜNCHEN", "Monaco di Baviera"])

    assert names == ("Monaco di Baviera", "München")


def test_spaces_are_preferred_to_hyphens() -> None:
    assert distinct_names("St. Louis", ["Saint-Louis", "Saint Louis"]) == ("Saint Louis",)


def test_the_main_name_and_the_empty_one_are_left_out() -> None:
    assert distinct_names("Lyon", ["", "LYON", "Lyon, France", "Lyón", "Lyons"]) == ("Lyons",)


def test_stable_ids_are_negative_and_depend_on_kind_and_key() -> None:
    assert stable_id("admin", "US.CA.037") == stable_id("admin", "US.CA.037")
    assert stable_id("admin", "US.CA.037") < -1_000_000
    assert stable_id("admin", "JFK") != stable_id("airport", "JFK")
