"""Opening hours as OpenStreetMap writes them: "Mo-Fr 09:00-17:00; Sa 10:00-14:00; Su off".

A week is seven days, each with its times, `()` for a day that is said to be closed, or absent when
nothing is said. Markup (`openingHours`, `openingHoursSpecification`) is read here; the words of
German, English, French, Italian and Spanish pages are read by `opening_texts.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from geoscout_places.geo.structured.items import first_text, inner_items
from geoscout_places.model import Item

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
Times = tuple[tuple[str, str], ...]  # such as (("09:00", "17:00"),)
Week = dict[int, Times]

_ENGLISH = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SPECIFICATION = ("openingHoursSpecification",)
_RULE = re.compile(
    r"\s*((?:Mo|Tu|We|Th|Fr|Sa|Su)(?:\s?[-,]\s?(?:Mo|Tu|We|Th|Fr|Sa|Su))*)\s+"
    r"((?:\d{1,2}:\d\d\s?-\s?\d{1,2}:\d\d)(?:\s?,\s?\d{1,2}:\d\d\s?-\s?\d{1,2}:\d\d)*|off|closed)\s*;?"
)
_TIME = re.compile(r"(?:.*T)?(\d{1,2}):(\d\d)(?::\d\d)?(?:[Zz]|[+-]\d\d:?\d\d)?")
_MIDNIGHT = ("00:00", "24:00")


def hours_of_item(item: Item) -> str:
    """The opening hours that an item states, in either way of schema.org; "" where it has none."""
    week: Week = {}
    for specification in inner_items(item, *_SPECIFICATION):
        _add_specification(week, specification)
    if not week:
        texts = [v for name, v in item.properties if name == "openingHours" and isinstance(v, str)]
        for text in texts:
            if not _add_rules(week, text):
                return ""  # half of the hours would be wrong
    return written_week(week)


def _add_specification(week: Week, item: Item) -> None:
    if first_text(item, "validFrom", "validThrough"):
        return  # of a holiday or a season
    opens, closes = clock(first_text(item, "opens")), clock(first_text(item, "closes"))
    days = [
        day
        for name, value in item.properties
        if name == "dayOfWeek"
        for day in days_named(value if isinstance(value, str) else first_text(value, "name"))
    ]
    for day in days:
        if opens and closes and opens != closes:
            week[day] = tuple(sorted({*week.get(day, ()), (opens, closes)}))
        elif opens == closes == _MIDNIGHT[0]:
            week.setdefault(day, ())  # how schema.org says that it is closed


def days_named(text: str) -> list[int]:
    """The days of a text such as "https://schema.org/Monday" or "Mo,Tu"; none for anything else."""
    names = re.split(r"[\s,]+", text.strip())
    found = []
    for name in names:
        plain = name.rpartition("/")[2].lower()
        if plain in _ENGLISH:
            found.append(_ENGLISH.index(plain))
        elif plain[:2].capitalize() in DAYS and len(plain) <= 3:
            found.append(DAYS.index(plain[:2].capitalize()))
    return found


def clock(text: str) -> str:
    """The time of day of a text as 09:30; "" where there is none.

    >>> clock("9:30"), clock("2020-01-01T17:00:00+01:00"), clock("noon")
    ('09:30', '17:00', '')
    """
    match = _TIME.fullmatch(text.strip())
    if not match or int(match[1]) > 24 or int(match[2]) > 59:
        return ""
    return f"{int(match[1]):02}:{match[2]}"


def _add_rules(week: Week, text: str) -> bool:
    """Add rules such as "Mo-Fr 09:00-17:00"; False when they cannot be read."""
    at = 0
    while at < len(text.rstrip("; ")):
        rule = _RULE.match(text, at)
        if rule is None:
            return False
        spans = re.findall(r"(\d{1,2}:\d\d)\s?-\s?(\d{1,2}:\d\d)", rule[2])
        times = tuple((clock(opens), clock(closes)) for opens, closes in spans)
        for day in _expand(rule[1]):
            week[day] = tuple(sorted({*week.get(day, ()), *times}))
        at = rule.end()
    return True


def read_week(hours: str) -> Week | None:
    """The week of opening hours as the map has them; None if they say more than a week can.

    Holidays are left out. As in the map, a later rule for a day takes the place of an earlier one.

    >>> read_week("Mo-We 9:00-17:00; Tu off; PH off")
    {0: (('09:00', '17:00'),), 1: (), 2: (('09:00', '17:00'),)}
    >>> read_week("sunrise-sunset")
    """
    if hours.strip() == "24/7":
        return dict.fromkeys(range(len(DAYS)), (_MIDNIGHT,))
    week: Week = {}
    for rule in hours.split(";"):
        one: Week = {}
        if rule.strip().startswith(("PH", "SH")) or not rule.strip():
            continue
        if not _add_rules(one, rule):
            return None
        week |= one
    return week


def _expand(text: str) -> Iterable[int]:
    for part in re.split(r"\s?,\s?", text):
        first, _, last = (day.strip() for day in part.partition("-"))
        yield from day_range(DAYS.index(first), DAYS.index(last or first))


def day_range(first: int, last: int) -> list[int]:
    """The days from one to another, over the end of the week where need be.

    >>> day_range(0, 2), day_range(5, 0)
    ([0, 1, 2], [5, 6, 0])
    """
    return [(first + step) % 7 for step in range((last - first) % 7 + 1)]


def written_week(week: Mapping[int, Times]) -> str:
    """A week as OpenStreetMap writes it, days of the same times together; "" for none at all.

    >>> nine = (("09:00", "17:00"),)
    >>> written_week({0: nine, 1: nine, 2: nine, 5: (), 6: ()})
    'Mo-We 09:00-17:00; Sa,Su off'
    """
    if not any(week.values()):
        return ""
    if len(week) == len(DAYS) and all(times == (_MIDNIGHT,) for times in week.values()):
        return "24/7"
    rules = []
    for times in dict.fromkeys(week[day] for day in sorted(week)):
        days = [day for day in sorted(week) if week[day] == times]
        spans = ",".join(f"{opens}-{closes}" for opens, closes in times)
        rules.append(f"{_days_text(days)} {spans or 'off'}")
    return "; ".join(rules)


def _days_text(days: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for day in days:
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return ",".join(
        f"{DAYS[run[0]]}-{DAYS[run[-1]]}" if len(run) > 2 else ",".join(DAYS[d] for d in run)
        for run in runs
    )


def days_of(hours: str) -> int:
    """How many days hours tell of, as far as whole ranges of days do.

    >>> days_of("Mo-Fr 09:00-17:00; Sa off"), days_of("")
    (6, 0)
    """
    if hours == "24/7":
        return len(DAYS)
    return sum(len(list(_expand(rule.partition(" ")[0]))) for rule in hours.split("; ") if rule)
