import pytest
from tools.derive.countries import CountryWords, Use

WORDS = CountryWords(
    uses={
        "ende": Use(5.7, "de"), "chili": Use(4.0, "fr"), "japonii": Use(4.7, "pl"),
        "argentino": Use(4.8, "es"), "hendeyya": Use(1.2, "tr"), "suis": Use(6.1, "fr"),
        "suisse": Use(5.1, "fr"),
    },
    names={
        ("fr", "CL"): frozenset({"chili"}),
        ("pl", "JP"): frozenset({"japonia"}),
        ("es", "AR"): frozenset({"argentina"}),
        ("rm", "CH"): frozenset({"svizra"}),
        ("frp", "CH"): frozenset({"suisse"}),
    },
    cased=frozenset({"pl"}),
    languages=frozenset({"de", "fr", "pl", "es"}),
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "country"),
    [("Ende", "IN"), ("Suis", "CH"), ("Argentino", "AR")],
)
def test_a_frequent_word_is_no_name_of_a_country(name, country):
    assert WORDS.is_word(name, country, ())


@pytest.mark.parametrize(
    ("name", "country", "why"),
    [
        ("Chili", "CL", "the name in a large language"),
        ("Japonii", "JP", "a case of the name in the language that uses it"),
        ("Hendeyya", "IN", "a rare word"),
        ("Индия", "IN", "another script"),
        ("Hindistan", "IN", "no word at all"),
    ],
)
def test_names_in_use_are_kept(name, country, why):
    assert not WORDS.is_word(name, country, ()), why


def test_the_languages_of_a_country_count():
    assert WORDS.is_word("Suisse", "CH", ())
    assert not WORDS.is_word("Suisse", "CH", ("frp",))
