"""Finds and reads the files of the languages.

A list is written as a text of words, or as an array where an entry has several words. Texts read
better, and `tomllib` reads them much faster: all files take 2 ms.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from geoscout_places.errors import DamagedDataError
from geoscout_places.language.records import (
    FieldWords,
    Inflection,
    Language,
    NameWords,
    QueryWords,
    Words,
)
from geoscout_places.plugins import load_plugins

GROUP = "geoscout.languages"  # of entry points to modules whose `create` gives a `Language`
_FOLDER = Path(__file__).parent
_FIRST = "en"  # most pages are in English: where two languages differ, its list comes first
_PLAIN = ("name", "capital_nouns")  # the values that are not lists
_RECORDS: Mapping[str, Callable[..., object]] = {
    "query": QueryWords,
    "names": NameWords,
    "fields": FieldWords,
    "inflection": Inflection,
    "before": dict,
    "after": dict,
    "streets": dict,
}


def read_language(path: Path) -> Language:
    """The language in a file, whose name is its code.

    Raises:
        DamagedDataError: the file is not TOML or has a table, list or value that is not known.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        return Language(path.stem, **{key: _value(key, content[key]) for key in content})
    except (OSError, ValueError, TypeError) as error:
        raise DamagedDataError(f"language file {path.name} cannot be read: {error}") from error


def _value(key: str, value: Any) -> Any:
    """A list of the file as words, a table as its record."""
    if isinstance(value, dict):
        if key not in _RECORDS:
            raise TypeError(f"there is no table {key!r}")
        return _RECORDS[key](**{name: _words(listed) for name, listed in value.items()})
    return value if key in _PLAIN else _words(value)


def _words(value: Any) -> Words:
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return tuple(value)
    raise TypeError(f"{value!r} should be a text or an array of texts")


@cache
def shipped_languages() -> tuple[Language, ...]:
    """Those that have a file in this folder, English first, then by code."""
    paths = sorted(_FOLDER.glob("*.toml"), key=lambda path: (path.stem != _FIRST, path.stem))
    return tuple(read_language(path) for path in paths)


@cache
def all_languages() -> tuple[Language, ...]:
    """Those that are shipped, then those of other packages by name."""
    modules = load_plugins(GROUP).values()
    return (*shipped_languages(), *(module.create() for module in modules))


def languages() -> tuple[str, ...]:
    """The codes of all languages."""
    return tuple(language.code for language in all_languages())


def load_language(code: str) -> Language:
    """One language by its code.

    Raises:
        KeyError: there is no such language.
    """
    return _by_code()[code]


@cache
def _by_code() -> Mapping[str, Language]:
    return {language.code: language for language in all_languages()}


def merge(choose: Callable[[Language], Iterable[str]]) -> Words:
    """One list over all languages, each entry once, in the order of the languages."""
    found = (word for language in all_languages() for word in choose(language))
    return tuple(dict.fromkeys(found))
