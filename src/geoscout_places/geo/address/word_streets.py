"""Street lines by the words of a language: "Calle Mayor, 5, 3º B", "Vesterbrogade 4 A, 2. tv.".

In most of Europe a line is a name and then a number. What tells a street is a word in front of the
name ("Via", "ul."), one behind it ("utca", "cesta") or the end of a compound ("-straat", "-katu").
A language lists those in its file, with its doors and boxes; a country takes one language or more.
A name without any such word is still read, as `BARE`: it counts only right next to a town that the
postcode proves.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.geo.address.base import Street, StreetEvidence
from geoscout_places.geo.address.segments import (
    AddressWord,
    Grammar,
    Segment,
    segment_words,
    whole_street,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.language import all_languages, load_language

_ONE_NUMBER = r"[0-9]{1,5}(?:\s?[a-zA-Z](?![\w.'’]))?"
# "12", "12 bis", "641/9", "12A/3", "281-S9", "263-267", "12-III"
_NUMBER = (
    rf"{_ONE_NUMBER}(?:\s?(?:bis|ter|quater|rood|hs)(?!\w))?"
    rf"(?:\s?[-–/+&]\s?(?:{_ONE_NUMBER}|[A-Z][0-9]{{0,2}}|[IVX]{{1,4}}|[a-z])(?![\w])){{0,3}}"
)
_NUMBER_MARK = (
    r"(?:(?:#|n(?:[rº°o]|um|úm|ro)?|д(?:ом)?|буд|č(?:\.\s?p)?|čp|c\.p|br|št|nummer|numero|número|num[eé]ro)"
    r"\.?\s?[º°:]?\s{0,2})?"
)
_WITHOUT_NUMBER = r"s\.?\s?/\s?n\.?|snc|s\.n\.c\.?|s/nº|b\.?\s?b\.?"
NUMBER_ALONE = lazy_pattern(
    rf"{_NUMBER_MARK}(?P<number>{_NUMBER}|{_WITHOUT_NUMBER})\.?", re.IGNORECASE
)
NUMBER_FIRST = lazy_pattern(
    rf"(?:^|(?<=\s)){_NUMBER_MARK}(?P<number>{_NUMBER}),?\s+(?=[^\W\d])", re.IGNORECASE
)
# Numbered things in English, which is met in all countries.
_NUMBERED_IN_ENGLISH = frozenset(
    """phone tel telephone fax mobile cell office room suite floor building page pages chapter
    figure fig table section part volume vol issue no number box code zip version level step unit
    hall address january february march april may june july august september october
    november december monday tuesday wednesday thursday friday saturday sunday copyright since
    until from to in on at by for of and or the about over under form id isbn issn vat""".split()
)


class StreetVocabulary(Struct, frozen=True):
    """The words of one language or several; all patterns ignore case."""

    first: re.Pattern[str]  # in front of the name, where a street begins
    last: frozenset[str]  # words behind the name
    endings: tuple[str, ...]  # of compounds
    number: re.Pattern[str]  # with what stands behind it, at the end of a line
    unit: re.Pattern[str]
    box: re.Pattern[str]
    small: frozenset[str]  # words in lower case inside of a name
    # Only the first word of a name is capitalised ("Dolgi most"), and most streets have no type.
    is_plain: bool


@cache
def vocabulary(codes: Sequence[str]) -> StreetVocabulary:
    """The vocabulary of these languages together."""
    lists = _Lists([load_language(code).streets for code in codes])
    doors = rf"\s?[,/-]?\s?(?:(?:{lists.pattern('units')})(?:\s?[\w.ºª°/-]{{1,6}})?\.?)"
    door = rf"(?:{doors}){{1,3}}|\s?[,/-]?\s?(?:{lists.pattern('unit_forms')})"
    number = rf"{_NUMBER_MARK}(?P<number>{_NUMBER}|{_WITHOUT_NUMBER})"
    box_number = r"(?:[\s:]*[A-Z]?[0-9][0-9 ]{0,9})?(?:\s\w+)?"
    return StreetVocabulary(
        first=_compiled(rf"(?<![^\s(/-])(?:{lists.pattern('street_types')})(?=[\s.]|(?<=[/.]))"),
        last=frozenset(lists.words("last_words")),
        endings=lists.words("endings"),
        number=_compiled(rf"(?<![\w.,/+-]){number}(?P<unit>{door})?\.?$"),
        unit=_compiled(rf"(?:{door})\.?"),
        box=_compiled(rf"(?:{lists.pattern('boxes')}){box_number}"),
        small=frozenset(lists.words("small")),
        is_plain=bool(lists.words("plain_names")),
    )


class _Lists:
    """The lists of several languages, each name once."""

    def __init__(self, languages: Sequence[Mapping[str, tuple[str, ...]]]) -> None:
        self._languages = languages

    def words(self, name: str) -> tuple[str, ...]:
        found = (word for language in self._languages for word in language.get(name, ()))
        return tuple(dict.fromkeys(found))

    def pattern(self, name: str) -> str:
        """One pattern of all in a list, which matches nothing where there is none."""
        return _either(self.words(name))


def _either(patterns: Iterable[str]) -> str:
    return "|".join(patterns) or "(?!)"


def _compiled(pattern: str) -> re.Pattern[str]:
    return lazy_pattern(pattern, re.IGNORECASE)


@cache
def numbered_things() -> frozenset[str]:
    """What has a number and is not a street, in all languages: telephones, pages, months."""
    return _NUMBERED_IN_ENGLISH.union(
        word for language in all_languages() for word in language.streets.get("numbered", ())
    )


_ORDINAL = lazy_pattern(r"[0-9]{1,4}\.?(?:er|º|ª|°|de|ste|e)?")
_STAIRCASE = lazy_pattern(r"(?P<number>[0-9]+) (?P<stairs>[A-Z])")
_FLAT = lazy_pattern(r"[0-9]{1,3} ?[a-z]?")
_LINE_STARTS = ("\n", "", ",", "|", "•", "·", "(")  # before what begins a piece of its own
_MOST_WORDS = 7  # of a street with a street word
_MOST_COMPOUND_WORDS = 4
_MOST_BARE_WORDS = 5
_LONGEST_LINE = 110  # code points of a segment that are looked at


def street_grammar(*codes: str, strangers: int = 2) -> Grammar:
    """How countries write street lines that use these languages, by their codes."""
    words = vocabulary(codes)
    reader = _LineReader(words)
    return Grammar(
        read_street=reader.read_street,
        read_unnumbered=reader.read_unnumbered,
        read_box=reader.read_box,
        read_pair=reader.read_pair,
        is_unit=reader.is_unit,
        most_strangers=strangers,
        bare_strangers=int(words.is_plain),
    )


class _LineReader:
    """Reads street lines with the words of a grammar."""

    def __init__(self, words: StreetVocabulary) -> None:
        self._words = words

    def read_box(self, segment: Segment) -> Street | None:
        """The post-office box this segment names."""
        if not self._words.box.fullmatch(segment.text):
            return None
        return whole_street(segment, StreetEvidence.BOX)

    def is_unit(self, segment: Segment) -> bool:
        """Whether the segment is nothing but a door: "3º B", "2. tv.", "bus 5"."""
        return self._words.unit.fullmatch(segment.text) is not None

    def read_street(self, segment: Segment) -> Street | None:
        """The street that ends this segment, with its number."""
        segment = segment.part(max(0, len(segment.text) - _LONGEST_LINE), len(segment.text))
        match = self._words.number.search(segment.text)
        if match is None:
            return self._number_first(segment)
        if match.start() == 0 or self.is_unit(segment):
            return None
        is_marked = match.start() < match.start("number")
        name, evidence = self._cut(segment.part(0, match.start()), is_marked=is_marked)
        if evidence is StreetEvidence.NONE:
            return None
        number, unit = _number_and_unit(match)
        return Street(
            name.start, segment.start + match.end(), number, name.text, unit, evidence=evidence
        )

    def _number_first(self, segment: Segment) -> Street | None:
        """A street with the number before it, which only a street word makes one."""
        for match in NUMBER_FIRST.finditer(segment.text):
            street = self.read_unnumbered(segment.part(match.end(), len(segment.text)))
            if street and street.start == segment.start + match.end():
                return _numbered(street, match, segment.start + match.start())
        return None

    def read_unnumbered(self, segment: Segment) -> Street | None:
        """A street without a number that fills its segment: "Piazza del Duomo"."""
        name, evidence = self._cut(segment)
        if evidence is not StreetEvidence.TYPED or name.start != segment.start:
            return None
        return Street(
            name.start, segment.end, "", name.text, "", evidence=StreetEvidence.UNNUMBERED
        )

    def read_pair(self, left: Segment, right: Segment) -> Street | None:
        """The street of a name and a number that a comma separates: "Via Roma, 12"."""
        first = NUMBER_ALONE.fullmatch(left.text)
        if first and (street := self.read_unnumbered(right)):
            return _numbered(street, first, left.start)
        number = NUMBER_ALONE.fullmatch(right.text)
        if number is None or (right.text[0] == "#" and NUMBER_FIRST.match(left.text)):
            return self._pair_with_unit(left, right)
        name, evidence = self._cut(left)
        if evidence < StreetEvidence.BARE:
            return None
        written = _single_spaced(number["number"])
        return Street(name.start, right.end, written, name.text, "", evidence=evidence)

    def _pair_with_unit(self, left: Segment, right: Segment) -> Street | None:
        """The same where a door follows: "Avenue Arnaud Fraiteur, 15/23 bte 4"."""
        match = self._words.number.fullmatch(right.text)
        name, evidence = self._cut(left)
        if match is None or evidence < StreetEvidence.LIKELY:
            return None
        number, unit = _number_and_unit(match)
        return Street(name.start, right.end, number, name.text, unit, evidence=evidence)

    def _cut(self, name: Segment, *, is_marked: bool = False) -> tuple[Segment, StreetEvidence]:
        """The street name at the end of what stands before a number, and how sure it is one.

        `is_marked`: the number says that it is one, so the street may be another: "Calle 50 # 46".
        """
        text = name.text.rstrip(" ,-–")
        name = name.part(0, len(text))
        words = segment_words(name.text)
        if not words or len(words) > 30 or words[-1].key == "box":
            return name, StreetEvidence.NONE
        if first := self._words.first.search(name.text):
            rest = segment_words(name.text[first.end() :].strip())
            if 0 < len(rest) <= _MOST_WORDS and (is_marked or not rest[-1].text[0].isdigit()):
                return name.part(first.start(), len(name.text)), StreetEvidence.TYPED
        if self._is_typed_by(words[-1]) and words[-1].key not in numbered_things():
            return name.part(self._compound_start(name, words), len(name.text)), _typed(words)
        bare = self._bare(name, words)
        return (bare, StreetEvidence.BARE) if bare else (name, StreetEvidence.NONE)

    def _is_typed_by(self, word: AddressWord) -> bool:
        if word.key in self._words.last:
            return True
        ending = word.text.lower().rstrip(".,")
        return bool(self._words.endings) and ending.endswith(self._words.endings)

    def _compound_start(self, name: Segment, words: tuple[AddressWord, ...]) -> int:
        """Where the name begins whose last word has the type in it."""
        is_short = len(words) <= _MOST_COMPOUND_WORDS
        if is_short and name.before in _LINE_STARTS and self._is_name(words):
            return 0
        first = len(words) - 1
        least = max(0, len(words) - _MOST_COMPOUND_WORDS)
        while first > least and self._is_name(words[first - 1 : first]):
            first -= 1
        while first < len(words) - 1 and not _is_capital(words[first].text):
            first += 1
        return words[first].start

    def _is_name(self, words: tuple[AddressWord, ...]) -> bool:
        return all(_is_capital(word.text) or word.key in self._words.small for word in words)

    def _bare(self, name: Segment, words: tuple[AddressWord, ...]) -> Segment | None:
        """The name that nothing tells from others: all of it, or its end in a sentence."""
        if name.before == "(" or words[-1].key in numbered_things():
            return None
        if self._is_bare(words):
            return name
        last = self._last_capital(words)
        if last is None or not self._is_bare(words[last:]):
            return None
        return name.part(words[last].start, len(name.text))

    def _last_capital(self, words: tuple[AddressWord, ...]) -> int | None:
        """Where the last words begin that are capitalised: "bor på |Aftonsången"."""
        capitals = [index for index, word in enumerate(words) if _is_capital(word.text)]
        if not capitals:
            return None
        first = capitals[-1]
        while first > 0 and _is_capital(words[first - 1].text) and words[first - 1].text[-1] != ".":
            first -= 1
        is_sentence = first > 0 and not _is_capital(words[first - 1].text)
        return first if is_sentence or first == capitals[-1] else None

    def _is_bare(self, words: tuple[AddressWord, ...]) -> bool:
        if not 1 <= len(words) <= _MOST_BARE_WORDS:
            return False
        rest = words[1:] if _ORDINAL.fullmatch(words[0].text) else words
        return (
            bool(rest)
            and (_is_capital(rest[0].text) or rest is not words)
            and (self._words.is_plain or self._is_name(rest[1:]))
            and not any(word.key in numbered_things() for word in words)
            and not any(character.isdigit() for word in rest for character in word.text)
            and len(rest[-1].key) > 2
        )


def _typed(words: tuple[AddressWord, ...]) -> StreetEvidence:
    """A compound in lower case that stands alone is less sure."""
    is_sure = len(words) > 1 or _is_capital(words[-1].text)
    return StreetEvidence.TYPED if is_sure else StreetEvidence.LIKELY


def _is_capital(word: str) -> bool:
    first = word.lstrip("'’‘(\"")[:1]
    return first.isupper()


def _numbered(street: Street, number: re.Match[str], start: int) -> Street:
    written = _single_spaced(number["number"])
    return replace(street, start=start, number=written, evidence=StreetEvidence.TYPED)


def _number_and_unit(match: re.Match[str]) -> tuple[str, str]:
    """The house number and the door; a letter between two numbers is a staircase: "7 B 22"."""
    number, unit = _single_spaced(match["number"]), (match["unit"] or "").strip(" ,/.-")
    stairs = _STAIRCASE.fullmatch(number)
    if stairs and _FLAT.fullmatch(unit):
        return stairs["number"], f"{stairs['stairs']} {unit}"
    return number, unit


def _single_spaced(number: str) -> str:
    return " ".join(number.split())
