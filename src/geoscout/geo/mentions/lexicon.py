"""Words that tell what stands next to them: a place, a person, an organisation.

Closed lists of ordinary words in the files of the languages, each read as the class of the word
before or after a name. A word in no list gets a class by its shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from geoscout.language import all_languages
from geoscout.toponyms import sight


@cache
def classes_before() -> Mapping[str, str]:
    """The class of a word before a name, by the word as `sight` shows it."""
    return _classes([language.before for language in all_languages()])


@cache
def classes_after() -> Mapping[str, str]:
    """The class of a word after a name, by the word as `sight` shows it."""
    return _classes([language.after for language in all_languages()])


def _classes(tables: Sequence[Mapping[str, Sequence[str]]]) -> Mapping[str, str]:
    """Where languages differ about a word, the first one counts."""
    found: dict[str, str] = {}
    for table in tables:
        for name, words in table.items():
            for word in words:
                found.setdefault(sight(word), name)
    return found
