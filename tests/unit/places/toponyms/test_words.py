"""How often names are used as words."""

import lzma
from pathlib import Path

import pytest

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.tables import DATA_FOLDER
from geoscout_places.geo.mentions import NameKnowledge
from geoscout_places.toponyms import (
    ORDINARY,
    WordUse,
    read_word_frequencies,
    read_words,
)


def write(folder: Path, *rows: str) -> Path:
    text = "\n".join(("word\tuses\tfirst\tlast", *rows)) + "\n"
    (folder / "words.tsv.xz").write_bytes(lzma.compress(text.encode()))
    return folder


def test_word_has_its_digits(tmp_path):
    words = read_words(write(tmp_path, "reading\t5\t\t2"))

    assert words == {"reading": WordUse(5, 0, 2)}


def test_words_that_look_alike_have_the_highest_digits(tmp_path):
    words = read_words(write(tmp_path, "sara\t\t5\t", "sará\t9\t\t"))

    assert words == {"sara": WordUse(9, 5, 0)}


def test_damaged_table_is_told(tmp_path):
    (tmp_path / "words.tsv.xz").write_bytes(b"no table")

    with pytest.raises(DamagedDataError, match=r"words\.tsv\.xz"):
        read_words(tmp_path)


def test_shipped_table_knows_names_that_are_words():
    assert read_words()["reading"].uses >= ORDINARY
    assert read_words()["florence"].first >= 4


def test_table_is_read_once_for_all(gazetteer):
    assert NameKnowledge.load(gazetteer).words is read_words()
    assert read_words() is read_words(DATA_FOLDER)


TOWN, CITY = 5.2, 7.0  # importance of a town of 30,000 and a city of two million


@pytest.fixture
def counts():
    return read_word_frequencies()


@pytest.mark.parametrize("word", ["lage", "wetter", "regen", "kuchen", "singen"])
def test_words_of_every_day_are_used_more_than_a_town_explains(counts, word):
    assert counts.excess(word, "de", TOWN, is_home=True) >= 1.4
    assert counts.excess(word, "en", TOWN, is_home=False) < 1.4


@pytest.mark.parametrize(
    ("pronoun", "language"), [("anda", "ms"), ("saya", "ms"), ("minden", "hu"), ("bir", "tr")]
)
def test_small_words_are_known_in_languages_of_short_lists(counts, pronoun, language):
    assert counts.excess(pronoun, language, TOWN, is_home=False) >= 1.5


@pytest.mark.parametrize(("word", "language"), [("berlin", "de"), ("madrid", "es"), ("roma", "it")])
def test_a_city_explains_how_often_it_is_named(counts, word, language):
    assert counts.excess(word, language, CITY, is_home=True) < 1.5


def test_a_language_without_counts_has_nothing_in_excess(counts):
    assert counts.excess("lage", "et", TOWN, is_home=True) < 0
    assert counts.excess("xyzzy", "de", TOWN, is_home=True) < 0


def test_a_damaged_table_is_told(tmp_path):
    (tmp_path / "word_frequencies.txt.xz").write_bytes(lzma.compress(b"de=+0.2\nlage ulm\n50\n00"))

    with pytest.raises(DamagedDataError, match="word_frequencies"):
        read_word_frequencies(tmp_path)
