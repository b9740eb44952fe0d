"""Opening hours as OpenStreetMap writes them: "Mo-Fr 09:00-17:00; Sa 10:00-14:00; Su off".

A week is seven days, each with its times, `()` for a day that is said to be closed, or absent when
nothing is said. Markup (`openingHours`, `openingHoursSpecification`) is read first, then lines of
pages in the languages that have words for them, such as "Mo-Fr 9-17 Uhr", "Monday: 9 am to 5:30
pm" and "So geschlossen". A line counts only if all of it is days and times: hours that are read
half are worse than none.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from geoscout_places.geo.structured import first_text, inner_items
from geoscout_places.language import languages, load_language, merge
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


def is_open(hours: str, day: int, minutes: int | None = None) -> bool | None:
    """Whether something is open on a day, 0 for Monday, or at minutes after that midnight.

    None where the hours do not tell. Holidays are as other days.

    >>> is_open("Mo-Fr 09:00-17:00; Sa off", 0, 600), is_open("Mo-Fr 09:00-17:00; Sa off", 5)
    (True, False)
    >>> is_open("Fr 18:00-02:00", 5, 60), is_open("Fr 18:00-02:00", 5), is_open("", 5)
    (True, None, None)
    """
    week = read_week(hours) or {}
    times = week.get(day)
    if minutes is None:
        return None if times is None else bool(times)
    clock = f"{minutes // 60:02}:{minutes % 60:02}"
    before = week.get((day - 1) % len(DAYS), ())
    if any(closes <= opens and clock < closes for opens, closes in before):
        return True  # since yesterday
    if times is None:
        return None
    return any(opens <= clock and (clock < closes or closes <= opens) for opens, closes in times)


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


_CLOCK_TIME = r"\d{1,2}(?:[:.]\d\d|\s?h\s?\d\d(?!\d))?\s?(?:[ap]\.?\s?m\.?)?"
_LETTERS = re.compile(r"[^\W\d_]+")
# Two times with what stands between them, or one that says that it is a time.
_CLOCKS = re.compile(r"\d\s?[:.hHaApPuU]|\d\s?[-–—]\s?\d")
_HALF_DAY = 12
_SHORTEST_DAY = 5  # letters
_NOBODY: AbstractSet[str] = frozenset()
_EARLIEST = 6 * 60  # nobody opens before who does not say so
_LONGEST = 160
_BEGINNING = 60  # letters of a line that has its first day in them, if it has hours


def _words(name: str) -> Sequence[str]:
    """A list of all languages."""
    return merge(lambda language: language.hours.get(name, ()))


def _any(*lists: str) -> str:
    """A pattern of the words of some lists."""
    words = {word for name in lists for word in _words(name)}
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


class _Patterns:
    """What days and times look like, in any language that has words for them."""

    def __init__(self) -> None:
        self.noon, self.midnight = _words("noon"), _words("midnight")
        self.daily, self.closed = _any("every_day"), _any("closed")
        self.to = rf"\s?(?:[-–—‐]|(?<![^\W\d])(?:{_any('to')})\b)\s?"
        self.joined = rf"\s?(?:[,;/&+]|\b(?:{_any('and')})\b)\s?"
        clock = rf"{_CLOCK_TIME}|{_any('noon', 'midnight')}"
        unit = rf"(?:\s?(?:{_any('clock')}))?"
        span = rf"(?:(?:{_any('from')})\s)?(?:{clock}){unit}{self.to}(?:{clock}){unit}"
        self.open, self.spans = _any("open"), rf"{span}(?:(?:{self.joined}|\s){span})*"
        self.days = re.compile(rf"(?:{self.daily})")
        self.between, self.until = re.compile(self.joined), re.compile(self.to)
        self.closed_only, self.spans_only = re.compile(self.closed), re.compile(self.spans)
        self.span = re.compile(rf"({clock}){unit}{self.to}({clock}){unit}", re.IGNORECASE)
        self.before_days = re.compile(rf"^(?:{_any('from')})\s")
        self.going_on = re.compile(rf"^(?:[,;/&+]|(?:{_any('and')})\b)\s?")
        self.title = re.compile(rf"^(?:{_any('titles')})\s?:\s?")
        self.hint = re.compile(
            rf"\d\s?(?:[:.]\d\d|uhr|[ap]\.?m|h(?:\s?\d\d)?\b)|\d\s?[-–]\s?\d|\b(?:{self.closed})\b"
        )
        self._languages: dict[str, set[str]] = {}  # by the words of names of days
        for code in _codes():
            for name in (*_day_numbers(code), *load_language(code).hours.get("every_day", ())):
                for word in _LETTERS.findall(name):
                    self._languages.setdefault(word, set()).add(code)

    def languages_of_days(self, text: str) -> AbstractSet[str]:
        """The languages in which a text may name a day.

        By its words: one pattern of all names is slow.
        """
        words = self._languages.keys() & _LETTERS.findall(text)
        return set().union(*map(self._languages.__getitem__, words)) if words else _NOBODY


@cache
def _patterns() -> _Patterns:
    return _Patterns()


@cache
def _codes() -> tuple[str, ...]:
    """The languages that have names of days.

    "Do" is a day of two languages, and not the same one: the language that reads most lines is that
    of the page, and of several the first.
    """
    return tuple(code for code in languages() if load_language(code).hours.get("days"))


@cache
def _day_numbers(language: str) -> dict[str, int]:
    forms = load_language(language).hours["days"]
    return {name: day for form in forms for day, name in enumerate(form.split())}


@cache
def day_words() -> frozenset[str]:
    """The names of days in lower case, without the short forms, which are words as well."""
    names = (name for code in _codes() for name in _day_numbers(code))
    return frozenset(name for name in names if len(name) >= _SHORTEST_DAY)


@cache
def _line(language: str) -> re.Pattern[str]:
    found = _patterns()
    names = sorted(_day_numbers(language), key=len, reverse=True)
    day = rf"(?:(?:{'|'.join(map(re.escape, names))})\b\.?)"
    days = rf"{day}(?:(?:{found.to}|{found.joined}){day})*|{found.daily}"
    times = rf"(?:{found.closed})|{found.spans}"
    return re.compile(
        rf"(?:(?:{_any('from')})\s)?(?P<days>{days})\s?[:|,]?\s?(?:(?:{found.open})\s?:?\s)?(?P<times>{times})"
        r"\s?(?:uhr|h)?[\s.,;|]*"
    )


def lines_with_times(text: str) -> Iterator[str]:
    """The lines of a text that have times, each with the line before and after it."""
    lines = text.split("\n")
    chosen = -1
    for number, line in enumerate(lines):
        if _CLOCKS.search(line):
            yield from lines[max(number - 1, chosen + 1) : number + 2]
            chosen = max(chosen, number + 1)


def hours_of_lines(lines: Iterable[str]) -> str:
    """The opening hours that lines of a text state, as OpenStreetMap writes them; "" for none.

    >>> hours_of_lines(["Mon-Fri: 9am - 5:30pm", "Sat 10:00 to 14:00", "Sun closed"])
    'Mo-Fr 09:00-17:30; Sa 10:00-14:00; Su off'
    """
    whole = "\n".join(line[:_LONGEST] for line in lines).lower()
    if not _patterns().hint.search(whole) or not _patterns().languages_of_days(whole):
        return ""
    read = [" ".join(line.split()) for line in whole.split("\n")]
    said = [(line, _patterns().languages_of_days(line[:_BEGINNING])) for line in read]
    spoken = set[str]().union(*(languages for _, languages in said))
    weeks = [_week(said, language) for language in _codes() if language in spoken]
    return written_week(max(weeks, key=len, default={}))


def _week(lines: Iterable[tuple[str, AbstractSet[str]]], language: str) -> Week:
    """The week that lines state in a language; each has the languages in which it may name days."""
    week: Week = {}
    pending: list[int] = []  # days that stand in one line, when their times are in the next
    last: list[int] = []  # days whose times ended a line: those of the next may go on
    for line, spoken in lines:
        has_day = language in spoken
        text = _patterns().title.sub("", line) if has_day or pending or last else ""
        times = _times(text) if pending else None
        if times is not None:
            last = _add(week, pending, times)
            pending = []
            continue
        if not has_day:
            more = _times(_patterns().going_on.sub("", text)) if last else None
            last = _add(week, last, more, more=True) if more else []
            pending = []
            continue
        pending, last = _days(text, language), []
        at = 0
        while at < len(text) and (match := _line(language).match(text, at)):
            found = _times(match["times"])
            if found is not None:
                last = _add(week, _days(match["days"], language), found)
            at = match.end()
        last = last if at == len(text) else []
    return week


def _add(week: Week, days: Iterable[int], times: Times, *, more: bool = False) -> list[int]:
    """Add times to days; the days that have got them.

    What was said first of a day counts; `more` adds to it what begins after it has ended.
    """
    new = [day for day in days if more or day not in week]
    for day in new:
        said = week.get(day, ()) if more else ()
        week[day] = (*said, *(span for span in times if not said or span[0] >= said[-1][1]))
    return new


def _days(text: str, language: str) -> list[int]:
    """The days of a text that is nothing but days; none for any other text."""
    text = _patterns().before_days.sub("", text)
    if _patterns().days.fullmatch(text.strip(" :.")):
        return list(range(len(DAYS)))
    numbers, found = _day_numbers(language), list[int]()
    for part in _patterns().between.split(text.strip(" :.")):
        ends = [end.strip(" .:") for end in _patterns().until.split(part.strip())]
        if not all(end in numbers for end in ends) or len(ends) > 2:
            return []
        found += day_range(numbers[ends[0]], numbers[ends[-1]])
    return found


def _times(text: str) -> Times | None:
    """The times of a text that is nothing but times; () for closed, None for any other text."""
    text = text.strip(" .;|-–—")
    if _patterns().closed_only.fullmatch(text):
        return ()
    if not _patterns().spans_only.fullmatch(text):
        return None
    spans = [(_minutes(a), _minutes(b)) for a, b in _patterns().span.findall(text)]
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
    elif not (opens[1] or closes[1] or re.search(r"uhr|\d\s?h|(?<![:.\d])0\d", text)):
        noon = _HALF_DAY * 60
        if first < last <= noon and first < _EARLIEST:
            first, last = first + noon, last + noon  # "1:00-5:00"
        elif last <= first < noon and last < noon:
            last += noon  # "11-9"
    return f"{first // 60:02}:{first % 60:02}", f"{last // 60:02}:{last % 60:02}"


def _minutes(text: str) -> tuple[int, bool] | None:
    """Minutes since midnight, and whether the half of the day was said; None for no time."""
    plain = text.strip().lower()
    if plain in _patterns().noon:
        return 720, True
    if plain in _patterns().midnight:
        return 1440, True
    match = re.fullmatch(r"(\d{1,2})(?:(?:[:.]|\s?h\s?)(\d\d))?\s?(?:([ap])\.?\s?m\.?)?", plain)
    if not match or int(match[1]) > 24 or int(match[2] or 0) > 59:
        return None
    hour = int(match[1])
    if match[3]:
        hour = hour % _HALF_DAY + (_HALF_DAY if match[3] == "p" else 0)
    return hour * 60 + int(match[2] or 0), bool(match[3])
