"""The classes of what stands before and after a name: a title, a direction, an organisation.

Closed lists of ordinary words in the files of the languages give the class of a word. A word in no
list gets a class by its shape and by what the table of words knows of it.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from geoscout_places.caches import BoundedCache
from geoscout_places.language import Language, all_languages, load_language
from geoscout_places.toponyms import UNKNOWN, WordUse, sight

_REACH = 24  # characters looked at on either side; no known word is longer
_PERSON_NAME = 3  # digit of the words table from which a name of people is usual
_COMMON = 5
_WORD = re.compile(r"[^\W_]+")
_CAPITALISED = re.compile(r" ([A-Z][a-z]+)")
_RUN = 3  # further words of a capitalised name that are looked at
_STOPS = {"!": "stop", "?": "stop", ",": "comma", ":": "colon", ";": "colon", ")": "colon"}
_CAPITALS = frozenset(("surname", "capital"))
# Where every noun has a capital, it says nothing about a name, and an article tells a noun.
_AMONG_NOUNS = {"word": "noun", "capital": "noun", "the": "article"}
_APOSTROPHES = frozenset("'’‘ʼ´`")
_MOST_WORDS = 50_000  # whose classes are kept
_NEEDS_CAPITAL = ("org", "team")


class NameContext:
    """Tells the classes of what stands next to names; the class of a word is found once."""

    def __init__(self, words: Mapping[str, WordUse], language: str = "") -> None:
        """`language` is the code of the language whose words come first, "" for none."""
        self._words = words
        self._language = language
        self._has_nouns = bool(language) and load_language(language).capital_nouns
        # By a word and the mark behind it, and by a mark and the word behind it.
        self.words_before = BoundedCache(self._class_before, _MOST_WORDS)
        self.words_after = BoundedCache(self._class_after, _MOST_WORDS)

    def before(self, text: str, view: str, start: int) -> str:
        """The class of what stands before a name."""
        mark = text[start - 1] if start else "\n"
        if mark != " " and mark != "-" and mark not in _APOSTROPHES:
            return "start" if mark == "\n" else mark if mark in "#@/(" else "mark"
        segment = view[max(0, start - _REACH) : start - 1]
        word = segment[segment.rfind(" ") + 1 :] + mark
        return self.words_before[word]

    def after(self, text: str, view: str, end: int) -> str:
        """The class of what stands after a name."""
        mark = text[end] if end < len(text) else "\n"
        if mark != " " and mark != "-":
            return "end" if mark == "\n" else self.after_mark(text, view, end)
        stop = view.find(" ", end + 1, end + _REACH)
        word = mark + view[end + 1 : stop if stop > 0 else end + _REACH]
        found = self.words_after[word]
        if found in _CAPITALS and self.names_organisation(view, end + len(word)):
            return "org far"
        return found

    @staticmethod
    def after_mark(text: str, view: str, end: int) -> str:
        """The class of a mark that stands right behind a name."""
        if view.startswith(("'s", "'S"), end):
            return "possessive"
        mark = text[end]
        if mark in ".@_" and end + 1 < len(text) and text[end + 1].isalnum():
            return "glued"
        return mark if mark in ",/():" else "mark"

    @staticmethod
    def names_organisation(view: str, position: int) -> bool:
        """Whether the run of capitals that goes on here has an organisation's word in it."""
        for _ in range(_RUN):
            match = _CAPITALISED.match(view, position)
            if match is None:
                return False
            if classes_after().get(match[1].lower()) == "org":
                return True
            position = match.end()
        return False

    def _class_before(self, marked: str) -> str:
        word, mark = marked[:-1], marked[-1]
        classes = classes_before(self._language)
        if mark in _APOSTROPHES:  # an article or preposition that lost its vowel: "dell'Aquila"
            return classes.get(f"{word.lower()}'", "mark")
        found = classes.get(word.lower()) or _class_of_word(word, mark, self._words)
        return _AMONG_NOUNS.get(found, found) if self._has_nouns else found

    def _class_after(self, marked: str) -> str:
        found = _class_of_next(marked, self._words, classes_after(self._language))
        return _AMONG_NOUNS.get(found, found) if self._has_nouns else found


def _class_of_word(word: str, mark: str, words: Mapping[str, WordUse]) -> str:
    if not word:
        return "start"
    if not word[-1].isalnum():
        return _class_of_stop(word)
    if word[0].isupper():
        return _class_of_capital(word, mark, words)
    return "number" if word[0].isdigit() else "lower"


def _class_of_capital(word: str, mark: str, words: Mapping[str, WordUse]) -> str:
    known = words.get(word.lower(), UNKNOWN)
    if known.first >= _PERSON_NAME:
        return "first"
    return "hyphen" if mark == "-" else "word" if known.uses > _COMMON else "capital"


def _class_of_stop(word: str) -> str:
    if word[-1] == ".":
        if classes_before().get(word[:-1].lower()) == "title":
            return "title"
        is_initial = len(word) == len("J.") and word[0].isupper()
        return "initial" if is_initial else "stop"
    return _STOPS.get(word[-1], "lower")


def _class_of_next(marked: str, words: Mapping[str, WordUse], classes: Mapping[str, str]) -> str:
    """The class of the next word, which has the mark before it as its first character."""
    match = _WORD.match(marked, 1)
    if match is None:
        return "bracket" if marked[1:2] == "(" else "mark"
    word, is_hyphen = match[0], marked[0] == "-"
    found = classes.get(word.lower())
    if found and (found not in _NEEDS_CAPITAL or word[0].isupper()):
        return "hyphen" if is_hyphen and found != "based" else found
    if is_hyphen:
        return "hyphen"
    if word[0].isupper():
        is_surname = words.get(word.lower(), UNKNOWN).last >= _PERSON_NAME
        return "surname" if is_surname else "capital"
    return "number" if word[0].isdigit() else "lower"


@cache
def classes_before(language: str = "") -> Mapping[str, str]:
    """The class of a word before a name, by the word as `sight` shows it."""
    return _classes([one.before for one in _in_order(language)])


@cache
def classes_after(language: str = "") -> Mapping[str, str]:
    """The class of a word after a name, by the word as `sight` shows it."""
    return _classes([one.after for one in _in_order(language)])


def _in_order(language: str) -> Sequence[Language]:
    """All languages, the given one first: pages have words of others too."""
    return sorted(all_languages(), key=lambda one: one.code != language)


_seen = cache(sight)  # the words are the same for each language, in another order


def _classes(tables: Sequence[Mapping[str, Sequence[str]]]) -> Mapping[str, str]:
    """Where languages differ about a word, the first one counts."""
    found: dict[str, str] = {}
    for table in tables:
        for name, words in table.items():
            for word in words:
                found.setdefault(_seen(word), name)
    return found
