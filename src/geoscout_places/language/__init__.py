"""What geoscout knows of a language: one TOML file each.

A language is a file in this folder, `de.toml` and so on, and nothing else: stop words, the words
before and after place names, labels of fields, street words, phrases of missing pages, inflection.
Who needs a list asks for that of one language (`load_language`) or of all (`merge`). A package of
its own brings a language by an entry point; docs/extend/language.md shows both ways.
"""

from geoscout_places.language.files import (
    FieldWords,
    Inflection,
    Language,
    NameWords,
    QueryWords,
    all_languages,
    languages,
    load_language,
    merge,
    read_language,
    shipped_languages,
)
from geoscout_places.language.guess import guess_block, guess_language

__all__ = [
    "FieldWords",
    "Inflection",
    "Language",
    "NameWords",
    "QueryWords",
    "all_languages",
    "guess_block",
    "guess_language",
    "languages",
    "load_language",
    "merge",
    "read_language",
    "shipped_languages",
]
