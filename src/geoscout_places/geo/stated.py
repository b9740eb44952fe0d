"""Places a page states outright: a labelled field, or the dateline of a news item.

"Location: Herndon VA" or "LISBON, March 5 -" says where a page belongs more surely than any
mention in its running text, and in forms that running text does not have (US-NY-New York).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.language import merge
from geoscout_places.model import Kind, Place
from geoscout_places.toponyms import lower_case, qualified_bearers

_AGENCIES = ("AP", "AFP", "CNN", "dpa", "Reuters", "REUTERS", "UPI", "IANS", "Xinhua")
_AGENCY = rf"\((?:{'|'.join(_AGENCIES)})[^)\n]{{0,20}}\)"
_CODED = re.compile(r"^([A-Z]{2})[-–/ ]{1,3}([A-Z]{2,3})[-–/ ]{1,3}(\w.*)$")
_NUMBERS = re.compile(r"\b[A-Z]{0,2}-?\d{4,6}(?:-\d{4})?\b|\(.*?\)")
_HEAD = 1_000  # characters in which a dateline stands
_MOST_FIELDS = 5


@cache
def _field() -> re.Pattern[str]:
    """A labelled field in a text in lower case, with a line break before it.

    It is in use for every line: a search for a line break is as fast as memory, and of words in one
    case only those are compared that begin with the right letter.
    """
    labels = "|".join(re.escape(x.lower()) for x in merge(lambda language: language.fields.labels))
    starts = "|".join(x.lower() for x in merge(lambda language: language.fields.label_starts))
    return re.compile(
        rf"\n[ \t]*(?:(?:{starts}) )?(?:{labels})[ \t]*"
        r"(?:[:|]|\n)[ \t]*\n?[ \t]*([^\n:]{2,70})$",
        re.MULTILINE,
    )


@cache
def _dateline() -> re.Pattern[str]:
    months = "|".join(merge(lambda language: language.fields.months))
    day = rf"(?:{months})[a-z]*\.?[ \t]+\d{{1,2}}(?:,? \d{{4}})?"
    return re.compile(
        r"\n[ \t]*([A-Z][A-Za-z.' \-]{2,30}?(?:, ?[A-Z][A-Za-z. ]{1,20}?)?)"
        rf"[ ,]{{0,2}}(?:{day}[ ,]{{0,2}}(?:{_AGENCY})?|{_AGENCY})[ \t]*(?:-{{1,2}}|–|—|(?=\n))"
    )


@cache
def _dateline_words() -> tuple[str, ...]:
    """A dateline has one of these: looking for them takes a tenth of the time of the expression."""
    months = merge(lambda language: language.fields.months)
    return (*dict.fromkeys(months), *(f"({agency}" for agency in _AGENCIES))


def stated_fields(text: str, gazetteer: Gazetteer) -> list[Place]:
    """The places in labelled fields, in the order of the text."""
    found = islice(_field().finditer("\n" + lower_case(text)), _MOST_FIELDS)
    fields = (text[match.start(1) - 1 : match.end(1) - 1] for match in found)
    return [place for value in fields if (place := _place_of(value, gazetteer))]


def dateline(text: str, gazetteer: Gazetteer) -> Place | None:
    """The place a news item was sent from."""
    head = f"\n{text[:_HEAD]}"
    if not any(map(head.__contains__, _dateline_words())):
        return None
    for match in _dateline().finditer(head):
        if place := _place_of(match[1], gazetteer):
            return place
    return None


def _place_of(value: str, gazetteer: Gazetteer) -> Place | None:
    """The place a field's value means, in any of the orders people write it."""
    for spelling in _spellings(value):
        for candidate in qualified_bearers(spelling, gazetteer, with_codes=True):
            if candidate.place.kind is not Kind.LANDMARK:
                return candidate.place
    return None


def _spellings(value: str) -> Iterator[str]:
    coded = _CODED.match(value.strip())
    if coded:
        yield f"{coded[3]}, {coded[2]}, {coded[1]}"
        yield f"{coded[2]}, {coded[1]}"
    plain = _NUMBERS.sub(" ", value).strip(" ,.|-–")
    if not plain:
        return
    yield plain
    parts = [part.strip() for part in re.split(r"[,/|>]| - | – ", plain) if part.strip()]
    if len(parts) > 1:
        yield ", ".join(parts)
        yield ", ".join(reversed(parts))
        yield ", ".join(parts[:2])
