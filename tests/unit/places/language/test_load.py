import tomllib
from pathlib import Path

import pytest

from geoscout_places import language
from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.home import name_tables
from geoscout_places.language import (
    languages,
    load_language,
    merge,
    read_language,
    shipped_languages,
)

FOLDER = Path(language.__file__).parent


def write(folder: Path, text: str) -> Path:
    path = folder / "xx.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_file_of_the_folder_is_a_language():
    codes = {path.stem for path in FOLDER.glob("*.toml")}

    assert codes == {shipped.code for shipped in shipped_languages()}
    assert codes <= set(languages())


def test_english_comes_first():
    first, *others = (language.code for language in shipped_languages())

    assert first == "en"
    assert others == sorted(others)


def test_language_is_found_by_its_code():
    german = load_language("de")

    assert (german.code, german.name) == ("de", "German")
    assert "der" in german.query.stop_words


def test_merged_list_has_each_word_once():
    words = merge(lambda language: language.query.stop_words)

    assert len(words) == len(set(words))
    assert {"the", "der", "les", "gli", "os"} <= set(words)


def test_text_is_words_and_array_is_phrases(tmp_path):
    path = write(tmp_path, "name = 'X'\n[query]\nstop_words = 'a b'\nsure_in = ['in the', 'on']\n")

    read = read_language(path)

    assert read.code == "xx"
    assert read.query.stop_words == ("a", "b")
    assert read.query.sure_in == ("in the", "on")


def test_everything_but_the_name_may_be_missing(tmp_path):
    read = read_language(write(tmp_path, "name = 'X'\n"))

    assert read.missing_page == ()
    assert read.streets == {}


@pytest.mark.parametrize(
    "text",
    [
        "name = 'X'\n[query]\nstopwords = 'a'\n",
        "name = 'X'\n[queries]\nstop_words = 'a'\n",
        "name = 'X'\n[query]\nstop_words = 5\n",
        "name = 'X'\n[query]\nsure_in = [5]\n",
        "name = 'X'\nstop_words = 'a'\n",
        "name = X\n",
        "[query]\n",
    ],
)
def test_what_is_not_known_is_refused(tmp_path, text):
    with pytest.raises(DamagedDataError, match=r"language file xx\.toml cannot be read"):
        read_language(write(tmp_path, text))


def test_all_languages_use_the_classes_of_english():
    english = load_language("en")

    for other in shipped_languages():
        assert other.before.keys() <= english.before.keys()
        assert other.after.keys() <= english.after.keys()


def test_key_of_the_gazetteer_sees_the_words_it_is_compiled_with():
    """`name_tables` cuts them out without a parser; it must cut what the parser reads."""
    tables = [tomllib.loads(table.decode()) for table in name_tables()]

    parsed = [tomllib.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml"))]
    assert tables == [content.get("names", {}) for content in parsed]
    assert any("heads" in table for table in tables)
