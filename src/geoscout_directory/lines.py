"""The lines of a page as a reader of entries sees them: which can be a name, which are labels.

Nothing here knows of addresses. A line is judged by its own words, by whether it is a heading, and
by how often the page has it.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from geoscout_directory.categories import word_list
from geoscout_directory.contacts import find_phones
from geoscout_directory.opening import day_words
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Block, Page, Part

_DECORATION = " \t\u00a0·•*▪■►▶›»«<>|:;,–—-→←↑↓★☆✓✔📍📞☎✉⌂🏠🌐_=~#"
_NUMBERED = re.compile(r"^(?:\d{1,3}[.)]|\(\d{1,4}\)|[a-z]\))\s+")
_COUNT_AT_END = re.compile(r"\s*(?:\(\d+\)|\[\d+\]|\d+ reviews?|★+)\s*$", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:\s+(?:restaurant|hotel))?\s+(?:reviews?|information|ratings?|homepage|website|bewertungen?)$",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^(?:welcome to|willkommen (?:bei|beim|im|in)|bienvenue (?:à|au|chez|sur)|bienvenidos? a)\s+"
    r"(?:the |la |le )?",
    re.IGNORECASE,
)
_URL = re.compile(
    r"(?:https?://|www\.)\S+|\b[\w-]+\.(?:com|de|org|net|at|ch|eu|info)\b/?", re.IGNORECASE
)
_MAIL = re.compile(r"\S+@\S+|\[at\]", re.IGNORECASE)
_TIMES = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)?\s?(?:uhr|am|pm|a\.m|p\.m)\b|\b\d\d?:\d\d\b|[€$£]\s?\d|\d\s?[€]",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b\d{1,2}\.\s?\d{1,2}\.\s?(?:\d{2,4})?|\b\d{1,2}, (?:19|20)\d\d\b|©")
_BREADCRUMB = re.compile(r"(?:[^>›»\n]{1,60}[>›»]){2,}|[>›»]\s?[^>›»]{1,60}$")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_LONGEST_LABEL = 3  # words before a colon
_LONGEST, _MOST_WORDS, _SENTENCE_WORDS = 90, 11, 7
_ADDRESS_WORDS = word_list("address_words")
_LABELS = word_list("label_words") | word_list("field_words") | _ADDRESS_WORDS | day_words()
_ADDRESS_ENDS = tuple(word for word in _ADDRESS_WORDS if len(word) > 5)  # Postadresse, Postadress
_REQUESTS = word_list("request_words")
_ENDS = frozenset(
    "by in at of the for to from and or with on von bei der die das den im am an und mit für zu de"
    " du la".split()
)


class TextLine(Struct, frozen=True, gc=False):
    """A block of the page, and what its words look like."""

    start: int
    end: int
    text: str
    part: Part


class PageLines:
    def __init__(self, page: Page) -> None:
        self.lines = list(_lines_of(page))
        self._starts = [line.start for line in self.lines]
        self.text = page.text

    def at(self, position: int) -> int:
        return max(bisect_right(self._starts, position) - 1, 0)

    @cached_property
    def folded(self) -> str:
        """The whole text, folded, to look for words in it."""
        text = "\n".join(line.text for line in self.lines if len(line.text) < 400)
        return f" {fold.__wrapped__(text)} "  # no cache needs whole texts

    @cached_property
    def crumbs(self) -> frozenset[str]:
        """The parts of breadcrumbs, folded: they name places and categories."""
        lines = (line.text for line in self.lines if _is_breadcrumb(line.text))
        return frozenset(
            fold(part) for line in lines for part in re.split(r"[>›»]", line) if part.strip()
        )


def _lines_of(page: Page) -> Iterator[TextLine]:
    """The lines of a page; a block has several where it has line breaks."""
    whole = page.text
    for block in page.blocks or (Block(0, len(whole), Part.MAIN),):
        at = block.start
        for text in whole[at : block.end].split("\n"):
            yield TextLine(at, at + len(text), text, block.part)
            at += len(text) + 1


def clean_line(text: str) -> str:
    """A line without bullets, numbers in front and counts at its end.

    >>> clean_line("• 3. Corner Inn (12)"), clean_line("Corner Inn Restaurant Review")
    ('Corner Inn', 'Corner Inn')
    """
    text = _GREETING.sub("", _NUMBERED.sub("", text.strip(_DECORATION)))
    text = _COUNT_AT_END.sub("", text).strip(_DECORATION)
    shorter = _TAIL.sub("", text)
    return (shorter if len(shorter) > 2 else text).strip(_DECORATION)


def is_headline(text: str) -> bool:
    """Whether a line says that the page reviews what it names: "Corner Inn Restaurant Review"."""
    return _TAIL.search(text.rstrip(_DECORATION)) is not None


def is_detail(text: str) -> bool:
    """Whether a line is a number, a rating, a telephone, a mail, a URL, times or a remark.

    Such lines stand between a name and its address, and are not names.
    """
    text = text.strip(_DECORATION)
    if len(text) < 2 or not _LETTERS.search(text):
        return True
    if text[0] == "(" and text[-1] == ")":
        return True
    if text.isalpha() or _PLAIN.isdisjoint(text):
        return False
    if _URL.search(text) or _MAIL.search(text) or _TIMES.search(text):
        return True
    return _is_count(text) or _phone_only(text)


_PLAIN = frozenset("0123456789@.[$€£:")  # one of which every detail has
_COUNT = re.compile(r"[\d.,]+\+?\s(\w+)(?:\s(\w+))?")


def _is_count(text: str) -> bool:
    """Whether a line counts something: "267 reviews"; "4 Haareszeiten" is a name."""
    match = _COUNT.fullmatch(text)
    words = [word for word in match.groups() if word] if match else []
    return bool(words) and all(word.islower() or word.lower() in _LABELS for word in words)


def _phone_only(text: str) -> bool:
    digits = sum(map(str.isdigit, text))
    return digits >= 6 and digits > len(re.findall(r"[^\W\d_]", text))


def is_label(text: str) -> bool:
    """Whether a line only says what follows: "Address", "Adresse und Öffnungszeiten"."""
    if len(text) > _LONGEST:
        return False
    words = _LABEL_WORD.findall(text.lower())
    if text.rstrip().endswith(":") and len(words) <= _LONGEST_LABEL:
        return True
    return bool(words) and all(
        word.strip(".-") in _LABELS or word in _LABELS or word.endswith(_ADDRESS_ENDS)
        for word in words
    )


_LABEL_WORD = re.compile(r"[\w§.-]+")
_ADDRESS_LABEL = re.compile(
    rf"(?:\b(?:mail|location|standort|venue|veranstaltungsort|{'|'.join(sorted(_ADDRESS_WORDS))})"
    rf"|anschrift|{'|'.join(sorted(_ADDRESS_ENDS))})\b",
    re.IGNORECASE,
)


def says_address(text: str) -> bool:
    """Whether a line is the label of an address."""
    return is_label(text) and _ADDRESS_LABEL.search(text) is not None


_FIRST_WORDS = 2


def is_request(text: str) -> bool:
    """Whether a line asks the reader to do something: "Find more restaurants in Boston".

    >>> is_request("Find more restaurants in Boston"), is_request("The Corner Inn")
    (True, False)
    """
    words = re.findall(r"\w+", text.lower())
    return len(words) > _FIRST_WORDS and words[0] in _REQUESTS and words[1] in _LABELS


def can_be_name(text: str) -> bool:
    """Whether a cleaned line can be a name by its words alone."""
    words = text.split()
    if not 2 <= len(text) <= _LONGEST or len(words) > _MOST_WORDS or not words:
        return False
    if is_label(text) or is_detail(text) or words[-1].lower() in _ENDS:
        return False
    if _begins_with_picture(text) or text[0] in ".)" or text.endswith(("...", "…")):
        return False
    if (text.endswith(".") and len(words) >= _SENTENCE_WORDS) or _SENTENCES.search(text):
        return False
    if _is_breadcrumb(text) or text.count("(") != text.count(")") or _DATE.search(text):
        return False
    return sum(map(str.isdigit, text)) < _FEWEST_DIGITS or not find_phones(text, "US")


_FEWEST_DIGITS = 7  # of a telephone number
_SENTENCES = re.compile(r"[a-zäöüß]{4}[.!?]\s+[A-ZÄÖÜ]")
_CRUMB_MARKS = frozenset(">›»")
_HOME = re.compile(r"\b(?:home|residence|privat|privatadresse|home address)\b", re.IGNORECASE)


def _begins_with_picture(text: str) -> bool:
    """Whether a picture stands in front, which is the label of some detail."""
    return unicodedata.category(text[0]) == "So"


def _is_breadcrumb(text: str) -> bool:
    return not _CRUMB_MARKS.isdisjoint(text) and _BREADCRUMB.search(text) is not None


def without_label(text: str) -> str:
    """A line without the label in front of it; "" if the label says that it is not a name.

    >>> without_label("Address: Dept. of Physics"), without_label("Office: Upson Hall")
    ('Dept. of Physics', '')
    """
    label, colon, rest = text.partition(":")
    if not colon or len(label) > _LONGEST_LABELS or not is_label(label):
        return text
    return rest.strip() if _ADDRESS_LABEL.search(label) else ""


_LONGEST_LABELS = 30


def says_home(lines: Sequence[str]) -> bool:
    """Whether one of some lines says that an address is where somebody lives: "Home address:"."""
    return any(_HOME.search(line) and is_label(line) for line in lines)
