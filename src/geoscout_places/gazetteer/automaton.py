"""The compiled automaton that finds every name of the gazetteer in a text.

It is built once with the gazetteer and loaded from its file (0.1 s), which is why it is daachorse
and not another Aho-Corasick; see docs/why/automaton.md. Names and text are brought into one form by
`sight`, which keeps the case of names: over lower-cased text a gazetteer of this size finds a place
in every third word ("said", "one", "part"), and throwing these away costs more than finding the
names does.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

import daachorse

if TYPE_CHECKING:
    from geoscout_places.language import Language

Automaton = daachorse.CharwiseDoubleArrayAhoCorasick


class NameSearch(Protocol):
    """Finds all names in one pass over a text: this automaton, or the trie of the kernel."""

    def find(self, text: str) -> list[tuple[int, int, int]]:
        """Start, end and number of each name, from left to right, the longest first."""
        ...


# The lines of German railways and roads, which the geoparser looks for in the same pass.
LINES = (("S", 99), ("RE", 99), ("RB", 99), ("A", 999), ("B", 599))

_SAINT = re.compile(r"\b(Saint|Fort|Mount)\b(?= )")
_SHORT = {"Saint": "St", "Fort": "Ft", "Mount": "Mt"}
_LONGEST, _MOST_SPACES = 32, 4  # longer ones are titles ("Hansestadt …") nobody writes
_LONGEST_BEFORE = 8
_IS_CAPITAL = bytes(65 if 65 <= code <= 90 else 32 for code in range(256))
_ASCII = bytes(range(128))
_MARKED = {
    "a": "áàâäãåāăąǎạảấầậắặ", "A": "ÁÀÂÄÃÅĀĂĄ", "c": "çćčĉċ", "C": "ÇĆČ", "d": "ďđḍḑ", "D": "ĎĐḌ",
    "e": "éèêëēĕėęěẹẽếềểệ", "E": "ÉÈÊËĒĘĚ", "g": "ğĝġģǧ", "G": "ĞĜĢ", "h": "ħĥḩḥ", "H": "ĦĤḨḤ",
    "i": "íìîïīĭįıǐịĩ", "I": "ÍÌÎÏĪİ", "k": "ķ", "K": "Ķ", "l": "łĺļľ", "L": "ŁĻĽ", "n": "ñńņňṇ",
    "N": "ÑŃŅŇ", "o": "óòôöõøōŏőǒọồốộơờ", "O": "ÓÒÔÖÕØŌŐ", "r": "ŕŗř", "R": "ŘŔ", "s": "śşšșŝṣ",
    "S": "ŚŞŠȘṢ", "t": "ţťțṭ", "T": "ŢŤȚṬ", "u": "úùûüūŭůűųǔụũưừứ", "U": "ÚÙÛÜŪŮŰ", "w": "ŵ",
    "W": "Ŵ", "y": "ýÿŷỳ", "Y": "Ý", "z": "źżžẓ", "Z": "ŹŻŽẒ",
    "и": "й", "И": "Й", "і": "ї", "І": "Ї", "е": "ё", "Е": "Ё", "α": "ά", "Α": "Ά", "ε": "έ",
    "Ε": "Έ", "η": "ή", "Η": "Ή", "ι": "ίϊΐ", "Ι": "ΊΪ", "ο": "ό", "Ο": "Ό", "υ": "ύϋΰ", "Υ": "ΎΫ",
    "ω": "ώ", "Ω": "Ώ", "'": "’‘ʼ´ʻ", " ": "‐‑–—\u00a0\u202f\u2009",
}  # fmt: skip
_PLAIN = {letter: plain for plain, letters in _MARKED.items() for letter in letters}


class _Case(NamedTuple):
    """How the case of words is changed: small words keep theirs inside names."""

    lower_start: re.Pattern[str]
    shouted: re.Pattern[str]
    shouted_before: re.Pattern[str]
    shouted_word: re.Pattern[str]
    small: frozenset[str]  # in capitals


# The languages are read on first use: looking up a place needs none of them.


@cache
def _case_in_texts() -> _Case:
    """With the small words of all languages."""
    from geoscout_places.language import all_languages  # noqa: PLC0415

    return _case_of(all_languages())


@cache
def _case_in_names() -> _Case:
    """With those of the shipped languages.

    What is compiled must not change with the plug-ins that are installed: the key of the
    compiled file covers the shipped languages only.
    """
    from geoscout_places.language import shipped_languages  # noqa: PLC0415

    return _case_of(shipped_languages())


def _case_of(languages: Sequence[Language]) -> _Case:
    """The words stand in the patterns as texts have them by then: without marks."""
    small = _without_marks("|".join(w for one in languages for w in one.names.small_words))
    first = _without_marks("|".join(w for one in languages for w in one.names.first_words)).upper()
    return _Case(
        re.compile(rf"(?<![^\W_])(?!(?:{small})\b)[a-z]"),
        re.compile(rf"[A-Z]+(?:['. ]{{1,2}}(?:(?:{first}|{small.upper()})\b|[A-Z]{{3,}}))*"),
        re.compile(rf"(?:\b(?:{first})\.? )+\Z"),
        re.compile(rf"(?<= )(?:{small.upper()})\b|(?<![A-Z])[A-Z]+"),
        frozenset(small.upper().split("|")),
    )


@cache
def heads() -> frozenset[str]:
    """Words that are not places but make one with their neighbours: "Palace".

    The geoparser looks for them in the same pass.
    """
    from geoscout_places.language import shipped_languages  # noqa: PLC0415

    return frozenset(word for language in shipped_languages() for word in language.names.heads)


@cache
def _lower_heads() -> frozenset[str]:
    """Common nouns that a name begins with in lower case, as `sight` shows them: "mer"."""
    from geoscout_places.language import shipped_languages  # noqa: PLC0415

    words = (word for language in shipped_languages() for word in language.names.lower_heads)
    return frozenset(map(_without_marks, words))


def sight(text: str) -> str:
    """The text as the automaton sees it: no marks on letters, no hyphens, no shouting.

    Every character keeps its place, so that offsets are true for the text itself.

    >>> sight("ATLANTA Aix-en-Provence, UK"), sight("MÜNCHEN"), len(sight("İZMİR"))
    ('Atlanta Aix en Provence, UK', 'Munchen', 5)
    >>> sight("EL PASO and RIO DE JANEIRO"), sight("US and USA")
    ('El Paso and Rio de Janeiro', 'US and Usa')
    """
    return _quieten(_without_marks(text), _case_in_texts())


def _without_marks(text: str) -> str:
    text = text.replace("-", " ")
    if not text.isascii():
        # What is left when ASCII is taken away tells which letters there are to replace.
        rest = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
        letters = set(rest.decode("utf-8", "surrogatepass"))
        for letter in letters & _PLAIN.keys():
            text = text.replace(letter, _PLAIN[letter])
        for letter in filter(_is_surrogate, letters):
            text = text.replace(letter, "?")  # the automaton takes none
    return text


def _is_surrogate(letter: str) -> bool:
    return "\ud800" <= letter <= "\udfff"


def _quieten(text: str, case: _Case) -> str:
    """Words of three and more capitals, and small words among them, with one capital each."""
    capitals = text.encode("ascii", "replace").translate(_IS_CAPITAL)
    found = capitals.find(b"AAA")
    if found < 0:
        return text
    pieces: list[str] = []
    done = 0
    while found >= 0:
        start, quiet = _quieten_at(case, text, done, found)
        pieces += (text[done:start], quiet)
        done = start + len(quiet)
        found = capitals.find(b"AAA", done)
    return "".join((*pieces, text[done:]))


def _quieten_at(case: _Case, text: str, done: int, found: int) -> tuple[int, str]:
    """The words that are shouted at a position: where they begin, and how they are seen.

    `done` is where the last such words have ended.
    """
    before = case.shouted_before.search(text[max(done, found - _LONGEST_BEFORE) : found])
    start = found - len(before[0]) if before else found
    shouted = case.shouted.match(text, found)
    end = shouted.end() if shouted else found + 3
    return start, case.shouted_word.sub(partial(_lower_rest, case.small), text[start:end])


def _lower_rest(small: frozenset[str], match: re.Match[str]) -> str:
    word = match[0]
    if match.start() and word in small:
        return word.lower()
    return word[0] + word[1:].lower()


def capitalised(sighted: str) -> str:
    """What `sight` gave with a capital at every word, for text whose writer used none.

    >>> capitalised("rain in new york, rio de janeiro and #nigeria")
    'Rain in New York, Rio de Janeiro and #Nigeria'
    """
    return _case_in_texts().lower_start.sub(_raise_case, sighted)


def _raise_case(match: re.Match[str]) -> str:
    return match[0].upper()


def written_forms(name: str) -> Iterator[str]:
    """The ways a name may stand in what `sight` gives.

    >>> sorted(written_forms("Saint-Étienne"))
    ['Saint Etienne', 'St Etienne', 'St. Etienne']
    """
    plain = _without_marks(unicodedata.normalize("NFC", name))
    base = _quieten(plain, _case_in_names())
    # Of spellings that differ in marks only one is kept, and that may be a rare one: "Irakʻ".
    forms = {base, _without_rare_marks(base)}
    if _SAINT.search(base):
        for ending in ("", "."):
            forms.add(_SAINT.sub(lambda m, e=ending: _SHORT[m[1]] + e, base))  # type: ignore[misc]
    yield from forms


def _without_rare_marks(form: str) -> str:
    """A form without marks that few texts have, and apostrophes at its ends."""
    if not form.isascii():
        letters = unicodedata.normalize("NFD", form)
        form = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return form.strip("'ʻʼʿʾ")


def _is_worth_finding(form: str) -> bool:
    """Whether the form can be told from the words around it by its case or script."""
    if ", " in form or len(form) > _LONGEST or form.count(" ") > _MOST_SPACES:
        return False  # "Paris, France" is two names, and found as such
    if form.isascii():
        first, _, rest = form.partition(" ")
        if first in _lower_heads() and not rest.islower():
            return True  # "mer Egee"
        return form[:1].isupper() and len(form) > 1 and (len(form) > 2 or form.isupper())
    return len(form) > 1


def line_names() -> Iterator[str]:
    """The names of railway lines and roads, as `sight` shows them."""
    for letters, most in LINES:
        for number in range(1, most + 1):
            yield f"{letters}{number}"
            yield f"{letters} {number}"


def written_names(spellings: Iterable[str]) -> list[str]:
    """All that is looked for in texts, in order: names as `sight` shows them, and other words."""
    forms = {form for name in spellings for form in written_forms(name)}
    patterns = {form for form in forms if _is_worth_finding(form)}
    # "The Netherlands" is found as "Netherlands", without the article; "The Hague" as it is.
    patterns -= {form for form in patterns if form.startswith("The ") and form[4:] in patterns}
    patterns.update(heads(), line_names())
    return sorted(patterns)


def compile_automaton(names: list[str]) -> bytes:
    """The automaton over all names, ready to be stored."""
    return Automaton(names, daachorse.MATCH_KIND_LEFTMOST_LONGEST).serialize()


def load_automaton(content: bytes) -> Automaton:
    """The automaton from its stored form."""
    return Automaton.deserialize(content)
