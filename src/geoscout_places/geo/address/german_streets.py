"""Reading the street line of an address in German: "Am Alten Markt 3a", "Hauptstr. 5-7".

The number comes last, and most street names are one compound word that ends in its type. What
stands in front of the name on the same line (a company, a person) is cut off there.
"""

import re

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.geo.address.base import Street, StreetEvidence
from geoscout_places.geo.address.segments import AddressWord, Segment, segment_words, whole_street
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.language import load_language


class GermanStreetWords(Struct, frozen=True):
    """The words of street lines in German, as `language/de.toml` explains them.

    Endings are tuples for `str.endswith`.
    """

    type_endings: tuple[str, ...]
    certain_endings: tuple[str, ...]
    leading: frozenset[str]
    certain_leading: frozenset[str]
    prepositions: frozenset[str]
    small: frozenset[str]
    numbered: frozenset[str]


_LISTS = dict(load_language("de").streets)
GERMAN = GermanStreetWords(
    _LISTS.pop("type_endings"),
    _LISTS.pop("certain_endings"),
    **{name: frozenset(words) for name, words in _LISTS.items()},
)

_ONE_NUMBER = r"[0-9]{1,4}(?:\s?[a-zA-Z](?![\w.]))?"
_NUMBER = lazy_pattern(
    rf"(?<![\w.,/+-])(?:Nr\.?\s?)?(?P<number>{_ONE_NUMBER}"
    rf"(?:\s?(?:[-–/+&]|und)\s?{_ONE_NUMBER}){{0,3}}"
    rf"(?:\s?[-–/]\s?[a-zA-Z](?!\w))?)"
    r"(?P<unit>(?:\s?[,/]?\s?(?:Top|Tür|Stiege|Stg\.?|Stock|Haus|Hs\.?|Block|Whg\.?|Wohnung"
    r"|Etage|OG|EG|HH|Hof|Gebäude|Geb\.?|Bau|Eingang|App\.?)\s?[\w.-]{0,6}){1,3}"
    r"|\s?[,/]?\s?[0-9]{1,2}\.\s?(?:Stock|Etage|OG|Obergeschoss|Stiege))?\.?$"
)
# A street whose number goes on to a door of any form: "Sophienstr. 2 Rgb.", "Seidlstr. 30VII".
_TYPED = lazy_pattern(
    r"(?:str(?:aße|asse|\.)?|platz|weg|allee|gasse|ring|damm|ufer)\s{0,2}"
    rf"(?P<number>{_ONE_NUMBER}(?:\s?[-–/+]\s?{_ONE_NUMBER}){{0,3}})(?P<unit>(?![\d.,]).{{0,28}})$",
    re.IGNORECASE,
)
_ADJECTIVE = lazy_pattern(
    r"[A-ZÄÖÜ][\w.-]*(?:er|ische|ischer|isches)$"
    r"|(?:Große|Großer|Kleine|Kleiner|Alte|Alter|Neue|Neuer|Obere|Untere|Hintere|Vordere|Lange"
    r"|Hohe|Innere|Äußere|Breite|Schmale|Kurze|Mittlere|Sankt|St\.?|Heilige|Heiliger)$"
)
_ORGANISATION = lazy_pattern(
    r"\b(?:GmbH|AG|KG|OHG|e\.\s?V|eV|mbH|Co|UG|SE|Inc|Ltd|Verlag|Verein|Verband|Stiftung|Redaktion"
    r"|Copyright|Herr|Frau|Dr|Prof)\b"
)
_NUMBER_ALONE = lazy_pattern(r"[0-9]{1,3}\s?[a-z]?(?:\s?[-–/]\s?[0-9]{1,3}\s?[a-z]?)?")
_SQUARE = lazy_pattern(r"[A-U]\s?[1-9]")  # Mannheim has blocks in place of streets: "C 4, 12"
_BOX = lazy_pattern(r"(?:Postfach|Pf\.?|PF|P\.O\.\s?Box|PO\s?Box)(?:[\s:]+[0-9][0-9 ]{0,9})?")
_UNIT = lazy_pattern(
    r"(?:(?:Top|Tür|Stiege|Stg|Haus|Hs|Block|Wohnung|Whg|Gebäude|Geb|Bau|Eingang|App|Zimmer"
    r"|Raum|Halle|Aufgang|Hinterhaus|Hinterhof|Vorderhaus|Hof|Büro)\b\.?\s?[\w./-]{0,6}"
    r"|[0-9]{1,2}\.\s?(?:Stock|Etage|OG|Obergeschoss|Stiege|Hof|Hinterhof)|EG|Erdgeschoss)"
    r"(?:\s(?:links|rechts|mitte))?",
    re.IGNORECASE,
)
_MOST_WORDS = 6
_LONGEST_LINE = 120  # code points of a segment that are looked at: a sentence may be longer
# The trigger of a street with a number and a town behind it. No "Platz": that is a rank as well.
STREET_AND_TOWN = (
    r"(?<=(?:str|tr\.|aße|sse|weg|lee) )[0-9]{1,3}(?: ?[a-z])?(?:[-–/][0-9]{1,3})?"
    r"(?:,\s|\n|\sin\s)(?=[A-ZÄÖÜ])"
)


def read_box(segment: Segment) -> Street | None:
    """The post-office box this segment names."""
    if not _BOX.fullmatch(segment.text):
        return None
    return whole_street(segment, StreetEvidence.BOX)


def is_unit(segment: Segment) -> bool:
    """Whether the segment is nothing but a door: "Stiege 2", "3. Stock"."""
    return _UNIT.fullmatch(segment.text) is not None


def read_street(segment: Segment) -> Street | None:
    """The street that ends this segment with its number."""
    if len(segment.text) > _LONGEST_LINE:
        segment = segment.part(len(segment.text) - _LONGEST_LINE, len(segment.text))
    whole = _NUMBER.search(segment.text)
    match = whole or _TYPED.search(segment.text)
    if match is None or match.start() == 0 or is_unit(segment):
        return None
    name = segment.part(0, whole.start() if whole else match.start("number"))
    cut, evidence = _cut(name)
    if evidence is StreetEvidence.NONE:
        return None
    unit = (match["unit"] or "").strip(" ,/")
    end = segment.start + match.end()
    return Street(cut.start, end, match["number"], cut.text.rstrip(","), unit, evidence=evidence)


def read_unnumbered(segment: Segment) -> Street | None:
    """A street without a number that fills its segment, as in small Swiss places."""
    words = segment_words(segment.text)
    if not 1 <= len(words) <= 3 or not segment.text[0].isupper():
        return None
    if not _ends_in(words[-1].text, GERMAN.certain_endings) or words[-1].key in GERMAN.numbered:
        return None
    if len(words) == 1 and words[0].key in GERMAN.certain_leading:
        return None
    return whole_street(segment, StreetEvidence.UNNUMBERED)


def read_pair(left: Segment, right: Segment) -> Street | None:
    """The street of a name and a number that a comma separates, as in the blocks of Mannheim."""
    if not _NUMBER_ALONE.fullmatch(right.text):
        return None
    if _SQUARE.fullmatch(left.text):
        return Street(
            left.start, right.end, right.text, left.text, "", evidence=StreetEvidence.TYPED
        )
    street = read_street(replace(left, text=f"{left.text} {right.text}"))
    is_certain = street is not None and street.evidence is StreetEvidence.TYPED
    return replace(street, end=right.end) if street and is_certain else None


def _ends_in(word: str, endings: tuple[str, ...]) -> bool:
    return word.lower().endswith(endings)


def _cut(name: Segment) -> tuple[Segment, StreetEvidence]:
    """The street name at the end of what stands before the number, and how sure it is one."""
    words = segment_words(name.text)
    if not words or len(words) > 30:
        return name, StreetEvidence.NONE
    last = words[-1]
    lower = last.text.lower()
    if lower.endswith(GERMAN.type_endings) and last.key not in GERMAN.numbered:
        first = _compound_start(name, words)
        is_certain = lower.endswith(GERMAN.certain_endings)
        evidence = StreetEvidence.TYPED if is_certain else StreetEvidence.LIKELY
        return name.part(words[first].start, len(name.text)), evidence
    for index, word in enumerate(words):
        if word.text[0].isupper() and word.key in GERMAN.leading and _is_name(words[index + 1 :]):
            evidence = (
                StreetEvidence.TYPED
                if word.key in GERMAN.certain_leading
                else StreetEvidence.LIKELY
            )
            return name.part(word.start, len(name.text)), evidence
    return name, StreetEvidence.BARE if _is_bare_name(name, words) else StreetEvidence.NONE


def _is_bare_name(name: Segment, words: tuple[AddressWord, ...]) -> bool:
    return (
        len(words) <= 3
        and _is_name(words)
        and not any(word.key in GERMAN.numbered or word.text[0].isdigit() for word in words)
        and len(words[-1].text) > 2
        and not _ORGANISATION.search(name.text)
    )


def _is_name(words: tuple[AddressWord, ...]) -> bool:
    return 0 < len(words) <= _MOST_WORDS and all(
        word.text[0].isupper() or word.text[0].isdigit() or word.key in GERMAN.small
        for word in words
    )


def _compound_start(name: Segment, words: tuple[AddressWord, ...]) -> int:
    """The first word of the street name whose last word has the type in it."""
    last = len(words) - 1
    for index in range(max(0, last - 5), last):
        is_leading = words[index].text[0].isupper() and words[index].key in GERMAN.prepositions
        if is_leading and _is_name(words[index + 1 :]):
            return index
    if last <= 3 and _is_name(words) and not _ORGANISATION.search(name.text):
        is_whole = name.before in ("\n", "", ",", "|", "•", "·") or last <= 1
        if is_whole:
            return _after_preposition(words)
    first = last
    while first > 0 and _ADJECTIVE.fullmatch(words[first - 1].text):
        first -= 1
    is_type_alone = words[last].key in ("straße", "strasse", "str", "platz", "weg", "allee", "ring")
    if is_type_alone and first == last and last > 0 and words[last - 1].text[0].isupper():
        first -= 1
    return first


def _after_preposition(words: tuple[AddressWord, ...]) -> int:
    """Where a street begins that a text says something is at: "Das Museum am |Schloßplatz".

    A street may have a preposition in its own name: "Weg am Sportplatz".
    """
    if _ends_in(words[0].text, GERMAN.type_endings):
        return 0
    first = 0
    for index, word in enumerate(words[:-1]):
        if word.text[0].islower() and word.key in GERMAN.prepositions:
            first = index + 1
    while first < len(words) - 1 and words[first].text[0].islower():
        first += 1
    return first
