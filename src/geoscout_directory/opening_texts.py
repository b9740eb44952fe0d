"""Opening hours in the words of a page.

Lines such as "Mo-Fr 9-17 Uhr", "Monday: 9 am to 5:30 pm" and "So geschlossen" are read. A line
counts only if all of it is days and times: hours that are read half are worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from geoscout_directory.opening import DAYS, Times, Week, day_range, written_week

# Names of the days by language, Monday first. "Do" is a day of two languages, and not the same one:
# the language that reads most lines is that of the page.
_NAMES = {
    "en": (
        "monday tuesday wednesday thursday friday saturday sunday",
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
        "mo tu we th fr sa su", "mon tue wed thu fri sat sun", "mon tues weds thur fri sat sun",
        "mon tues wed thurs fri sat sun",
    ),
    "de": (
        "montag dienstag mittwoch donnerstag freitag samstag sonntag",
        "montags dienstags mittwochs donnerstags freitags samstags sonntags",
        "mo di mi do fr sa so", "mon die mit don fre sonnabend son",
    ),
    "fr": (
        "lundi mardi mercredi jeudi vendredi samedi dimanche", "lun mar mer jeu ven sam dim",
        "lu ma me je ve sa di",
    ),
    "it": (
        "lunedì martedì mercoledì giovedì venerdì sabato domenica", "lun mar mer gio ven sab dom",
        "lu ma me gi ve sa do",
    ),
    "es": (
        "lunes martes miércoles jueves viernes sábado domingo", "lun mar mié jue vie sáb dom",
        "lu ma mi ju vi sá do",
    ),
}  # fmt: skip
_DAILY = (
    "daily|täglich|every day|7 days a week|open daily|tous les jours|tutti i giorni|todos los días"
)
_CLOSED = "closed|geschlossen|ruhetag|fermé|chiuso|cerrado|off|zu"
_TO = r"\s?(?:[-–—‐]|(?<![^\W\d])(?:bis|to|until|till|through|thru|à|alle|a)\b)\s?"
_AND = r"\s?(?:[,;/&+]|\b(?:und|and|et|e|y)\b)\s?"
_CLOCK = r"\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?\s?m\.?)?|noon|midnight|mittag|mitternacht"
_UHR = r"(?:\s?(?:uhr|h|hrs|ore|heures))?"
_SPAN = rf"(?:von\s|from\s)?(?:{_CLOCK}){_UHR}{_TO}(?:{_CLOCK}){_UHR}"
_SPANS = re.compile(rf"({_CLOCK}){_UHR}{_TO}({_CLOCK}){_UHR}", re.IGNORECASE)
_OPEN = "open|geöffnet|hours|aperto|ouvert|abierto"
_INTRODUCTION = re.compile(r"^(?:öffnungszeiten|opening hours|hours|open|geöffnet)\s?:\s?")
_HINT = re.compile(rf"\d\s?(?:[:.h]\d\d|uhr|[ap]\.?m)|\d\s?[-–]\s?\d|\b(?:{_CLOSED})\b")
_EVERY_NAME = sorted({name for lines in _NAMES.values() for name in " ".join(lines).split()})
_HAS_DAY = re.compile(rf"\b(?:{'|'.join(_EVERY_NAME)})\b|{_DAILY}")
_HALF_DAY = 12
_LONGEST = 160


@cache
def _day_numbers(language: str) -> dict[str, int]:
    return {name: day for line in _NAMES[language] for day, name in enumerate(line.split())}


@cache
def _line(language: str) -> re.Pattern[str]:
    names = sorted(_day_numbers(language), key=len, reverse=True)
    day = rf"(?:(?:{'|'.join(map(re.escape, names))})\b\.?)"
    days = rf"{day}(?:(?:{_TO}|{_AND}){day})*|{_DAILY}"
    times = rf"(?:{_CLOSED})|{_SPAN}(?:{_AND}{_SPAN})*"
    return re.compile(
        rf"(?P<days>{days})\s?[:|,]?\s?(?:(?:{_OPEN})\s?:?\s)?(?P<times>{times})"
        r"\s?(?:uhr|h)?[\s.,;|]*"
    )


def hours_of_lines(lines: Iterable[str]) -> str:
    """The opening hours that lines of a text state, as OpenStreetMap writes them; "" for none.

    >>> hours_of_lines(["Mon-Fri: 9am - 5:30pm", "Sat 10:00 to 14:00", "Sun closed"])
    'Mo-Fr 09:00-17:30; Sa 10:00-14:00; Su off'
    """
    whole = "\n".join(line[:_LONGEST] for line in lines).lower()
    if not _HINT.search(whole) or not _HAS_DAY.search(whole):
        return ""
    read = [" ".join(line.split()) for line in whole.split("\n")]
    weeks = [_week(read, language) for language in _NAMES]
    return written_week(max(weeks, key=len))


def _week(lines: Iterable[str], language: str) -> Week:
    week: Week = {}
    pending: list[int] = []  # days that stand in one line, when their times are in the next
    for line in lines:
        text = _INTRODUCTION.sub("", line)
        times = _times(text) if pending else None
        if times is not None:
            _add(week, pending, times)
            pending = []
            continue
        pending = _days(text, language)
        at = 0
        while at < len(text) and (match := _line(language).match(text, at)):
            found = _times(match["times"])
            if found is not None:
                _add(week, _days(match["days"], language), found)
            at = match.end()
    return week


def _add(week: Week, days: Iterable[int], times: Times) -> None:
    """Add times to days; what was said first of a day counts, but a day may have several spans."""
    for day in days:
        if day not in week:
            week[day] = times


def _days(text: str, language: str) -> list[int]:
    """The days of a text that is nothing but days; none for any other text."""
    if re.fullmatch(_DAILY, text.strip(" :.")):
        return list(range(len(DAYS)))
    numbers, found = _day_numbers(language), list[int]()
    for part in re.split(_AND, text.strip(" :.")):
        ends = [end.strip(" .:") for end in re.split(_TO, part.strip())]
        if not all(end in numbers for end in ends) or len(ends) > 2:
            return []
        found += day_range(numbers[ends[0]], numbers[ends[-1]])
    return found


def _times(text: str) -> Times | None:
    """The times of a text that is nothing but times; () for closed, None for any other text."""
    text = text.strip(" .;|")
    if re.fullmatch(_CLOSED, text):
        return ()
    if not re.fullmatch(rf"{_SPAN}(?:{_AND}{_SPAN})*", text):
        return None
    spans = [(_minutes(a), _minutes(b)) for a, b in _SPANS.findall(text)]
    if not spans or any(a is None or b is None for a, b in spans):
        return None
    return tuple(_span(a, b, text) for a, b in spans if a is not None and b is not None)


def _span(opens: tuple[int, bool], closes: tuple[int, bool], text: str) -> tuple[str, str]:
    """A span as clock times; "9-5 pm" begins in the morning, "1-5 pm" in the afternoon."""
    first, last = opens[0], closes[0]
    if not opens[1] and closes[1] and first + _HALF_DAY * 60 < last:
        first += _HALF_DAY * 60
    if not last:
        last = 2 * _HALF_DAY * 60
    elif last <= first < _HALF_DAY * 60 and not closes[1] and not re.search("[:.]|uhr", text):
        last += _HALF_DAY * 60  # "11-9"
    return f"{first // 60:02}:{first % 60:02}", f"{last // 60:02}:{last % 60:02}"


def _minutes(text: str) -> tuple[int, bool] | None:
    """Minutes since midnight, and whether the half of the day was said; None for no time."""
    plain = text.strip().lower()
    if plain in ("noon", "mittag"):
        return 720, True
    if plain in ("midnight", "mitternacht"):
        return 1440, True
    match = re.fullmatch(r"(\d{1,2})(?:[:.h](\d\d))?\s?(?:([ap])\.?\s?m\.?)?", plain)
    if not match or int(match[1]) > 24 or int(match[2] or 0) > 59:
        return None
    hour = int(match[1])
    if match[3]:
        hour = hour % _HALF_DAY + (_HALF_DAY if match[3] == "p" else 0)
    return hour * 60 + int(match[2] or 0), bool(match[3])
