"""The text of an address's parts: what forms and templates left in it, and street lines split."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_MARKUP = re.compile(r"<[^<>]{0,200}>")
_LINE_BREAK = re.compile(r"<br\s*/?>|\r\n?", re.IGNORECASE)
_LONGEST = 200
# Forms that nobody filled in, templates that nobody ran.
_EMPTY = re.compile(
    r"null|none|n/?a|undefined|nan|[-–.,\s]+|\{\{.*|%.*%|\[.*\]|\$\{.*", re.IGNORECASE
)

_NUMBER = r"\d+(?:\s?[a-zA-Z]\b)?(?:\s?[-–/]\s?\d+\s?[a-zA-Z]?\b)?"
_NUMBER_FIRST = re.compile(rf"({_NUMBER}(?:\s?(?:bis|ter)\b)?),?\s+(\D.*)")
_NUMBER_LAST = re.compile(rf"(\D.*?),?\s+({_NUMBER})")
# Roads that have a number for a name.
_NUMBERED_ROAD = re.compile(
    r"\b(?:highway|hwy|route|rte?|road|rd|box|mile|km|interstate|us|fm|postfach|case postale|bp)\b",
    re.IGNORECASE,
)
_NUMBER_STANDS_FIRST = frozenset(("US", "CA", "GB", "UK", "IE", "AU", "NZ", "FR"))
_UNIT = re.compile(
    r"(?:suite|ste|unit|apt|apartment|room|rm|floor|fl|bldg|building)\b\.?\s*#?\s*[\w-]+|#\s*[\w-]+",
    re.IGNORECASE,
)
_UNIT_AT_END = re.compile(rf"(.*\w)[\s,]+({_UNIT.pattern})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StreetLine:
    """A street line in its parts; what it does not have is ""."""

    house_number: str
    street: str
    unit: str


def clean(text: str) -> str:
    """The text without markup, references and what stands for nothing; lines stay apart."""
    if "&" in text:
        text = html.unescape(text[: 10 * _LONGEST])
    text = _MARKUP.sub(" ", _LINE_BREAK.sub("\n", text[: 10 * _LONGEST]))
    lines = (" ".join(line.split()).strip(" ,") for line in text.split("\n"))
    joined = "\n".join(line for line in lines if line)[:_LONGEST]
    return "" if _EMPTY.fullmatch(joined) else joined


def split_street(text: str, country: str = "") -> StreetLine:
    """The parts of a cleaned street line.

    >>> split_street("Hauptstr. 5a", "DE")
    StreetLine(house_number='5a', street='Hauptstr.', unit='')
    """
    first, *others = text.split("\n")
    units = [line for line in others if _UNIT.match(line)]
    line = ", ".join([first, *(other for other in others if other not in units)])
    found = _UNIT_AT_END.fullmatch(line)
    if found:
        line, unit = found[1], found[2]
    else:
        unit = units[0] if units else ""
    leading = _NUMBER_FIRST.fullmatch(line)
    if leading:
        return StreetLine(leading[1], leading[2], unit)
    trailing = _NUMBER_LAST.fullmatch(line)
    if trailing and country not in _NUMBER_STANDS_FIRST and not _NUMBERED_ROAD.search(trailing[1]):
        return StreetLine(trailing[2], trailing[1], unit)
    return StreetLine("", line, unit)
