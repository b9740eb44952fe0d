"""What a query asks of a thing: hours, a telephone number, a price, or what no page answers.

Such words are not in the way when the place is looked for, and pages need not have them. They come
from the tables `[asks]` of the languages. Some mean it only where they stand: *open mic* is no
question for hours, *train museum* none for a route, and *Wetter* is a town, too. Routes and weather
are told by the whole query, so that `QueryReader` asks here twice.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from geoscout.search.query_words import TOKEN, articles, find_here, single_prepositions, stop_words
from geoscout_places.gazetteer.names import fold
from geoscout_places.language import all_languages, load_language, merge

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
NOT_IN_PAGES = {
    "weather": "geoscout answers from pages; for the weather ask a weather service",
    "route": "geoscout answers from pages; for routes and timetables ask a route planner",
}
_THINGS = ("hours", "phone", "mail", "address", "contact", "website", "price", "weather", "route")
_CUT = (*_THINGS, "nearest", "rank", "question")
_EDGE = ("now", "today", "when", "day")  # count at an edge, or next to what is asked
_LONGEST = 6  # words of a phrase
_YEAR = re.compile(r"20\d\d")
_LEAST_DAY = 5  # letters; shorter names of days are words as well


class AskedFacts(Struct, frozen=True):
    """What a query asks of a thing, and the rest of it."""

    text: str  # what is left
    kinds: tuple[str, ...] = ()
    preferred: str = ""  # words that were taken out, and pages may well have
    open_at: str = ""  # now, today or a day ("Su"): only what is open then is wanted
    countries: frozenset[str] = frozenset()  # where the language of what is asked is spoken


class _Phrase(Struct, frozen=True):
    start: int
    end: int
    kind: str
    day: int = -1
    languages: frozenset[str] = frozenset()


def read_asked(
    text: str, is_place: Callable[[str], bool], *, without: Sequence[str] = ()
) -> AskedFacts:
    """What a text asks; kinds in `without` are taken for words.

    >>> asked = read_asked("what time does the library open on sunday", lambda name: False)
    >>> asked.text, asked.kinds, asked.preferred, asked.open_at
    ('the library', ('hours',), 'open sunday', 'Su')
    """
    found = list(TOKEN.finditer(text))
    folded = [fold(token[0]) for token in found]
    here = range(*(find_here(folded) or (0, 0)))  # "near my location" asks for no address
    phrases = [p for p in _phrases(folded) if p.kind not in without and p.start not in here]
    cut = [p for p in _cut(folded, phrases) if not _is_in_name(p, folded, is_place)]
    is_route = "route" not in without and _is_route(folded, cut, is_place)
    asks = [phrase.kind for phrase in cut if phrase.kind in (*_THINGS, "nearest")]
    opened = [phrase for phrase in cut if phrase.kind == "open"]
    kinds = dict.fromkeys([*asks, *["hours"] * bool(opened), *["route"] * is_route])
    if "route" not in asks and ("price" in kinds or "hours" in kinds):  # of a ferry
        kinds.pop("route", None)
    gone = {at for phrase in cut for at in range(phrase.start, phrase.end)}
    rest = [n for n in range(len(found)) if n not in gone]
    while rest and len(found) - 1 > rest[-1] not in here and _is_small(folded[rest[-1]]):
        rest.pop()
    if not any(folded[n].strip(",;?!.") and not _is_small(folded[n]) for n in rest):
        return AskedFacts(text, tuple(kinds))  # nothing else is asked for
    preferred = [
        found[at][0]
        for phrase in cut
        if phrase.kind not in ("question", "nearest") and not _is_small(folded[phrase.start])
        for at in range(phrase.start, phrase.end)
        if not _is_small(folded[at])
    ]
    return AskedFacts(
        " ".join(found[n][0] for n in rest),
        tuple(kinds),
        " ".join(preferred),
        _open_at(cut) if opened else "",
        _countries(cut),
    )


def _countries(cut: Sequence[_Phrase]) -> frozenset[str]:
    """The countries of the one language that has all phrases; none where several have them."""
    known = [phrase.languages for phrase in cut if phrase.languages]
    common = frozenset.intersection(*known) if known else frozenset[str]()
    return frozenset(load_language(*common).countries) if len(common) == 1 else frozenset()


def _cut(folded: Sequence[str], phrases: Sequence[_Phrase]) -> list[_Phrase]:
    """The phrases that mean what they say where they stand."""
    sure = [p for p in phrases if p.kind in _CUT and _stands(p, folded)]
    if any(p.kind == "rank" and p.end < len(folded) for p in sure):
        sure += [
            _Phrase(p.end, p.end + 1, "question")
            for p in sure
            if p.kind == "rank" and p.end < len(folded) and folded[p.end].isdigit()
        ]
    edges = [p for p in phrases if p.kind in _EDGE]
    opens = [p for p in phrases if p.kind == "open"]
    while True:
        taken = {at for p in sure for at in range(p.start, p.end)}
        more = [p for p in edges if p not in sure and _is_at_edge(p, folded, taken)]
        more += [p for p in opens if p not in sure and _opens(p, folded, sure, edges)]
        if not more:
            return sorted(sure, key=lambda p: p.start)
        sure += more
        if any(p.kind == "open" for p in more):
            near = (p for p in edges if p not in sure)
            sure += [p for p in near if any(_are_next(p, o, folded) for o in opens)]


def _stands(phrase: _Phrase, folded: Sequence[str]) -> bool:
    """Whether a phrase may be cut: not the name of a place ("in Price"), not "western best"."""
    is_single = phrase.end - phrase.start == 1
    before = folded[phrase.start - 1] if phrase.start else ""
    if phrase.kind == "rank" and is_single:
        lead = folded[: phrase.start]
        return all(_is_small(word) for word in lead) and phrase.end < len(folded)
    return not (is_single and before in single_prepositions())


def _is_in_name(phrase: _Phrase, folded: Sequence[str], is_place: Callable[[str], bool]) -> bool:
    """Whether it is a part of the name of a place: "Rio de Janeiro", "San Marcos Open"."""
    if phrase.end - phrase.start > 1:
        return False
    first = max(0, phrase.start - 3)
    names = [folded[n : phrase.end] for n in range(first, phrase.start)]
    names += [folded[phrase.start : n] for n in range(phrase.end + 1, len(folded) + 1)]
    return any(is_place(" ".join(name)) for name in names if not {",", ";"} & set(name))


def _is_at_edge(phrase: _Phrase, folded: Sequence[str], taken: set[int]) -> bool:
    before = [n for n in range(phrase.start) if n not in taken and not _is_small(folded[n])]
    after = [n for n in range(phrase.end, len(folded)) if n not in taken and folded[n] not in "?!."]
    return not after or (not before and phrase.kind != "day")


def _opens(
    phrase: _Phrase, folded: Sequence[str], sure: Sequence[_Phrase], edges: Sequence[_Phrase]
) -> bool:
    """Whether a word such as "open" asks for hours: at the end, or by a day or a question."""
    is_asked = any(p.kind == "hours" for p in sure)
    is_last = phrase.end == len(folded) or folded[phrase.end] in "?!."
    behind = "" if is_last else folded[phrase.end]
    follows = behind in single_prepositions() or behind[:1].isdigit()
    by_time = any(_are_next(phrase, edge, folded) for edge in edges)
    return by_time or (phrase.start > 0 and (is_last or follows or is_asked))


def _are_next(one: _Phrase, other: _Phrase, folded: Sequence[str]) -> bool:
    first, last = sorted((one, other), key=lambda p: p.start)
    return all(_is_small(folded[n]) for n in range(first.end, last.start))


def _open_at(cut: Sequence[_Phrase]) -> str:
    kinds = {phrase.kind for phrase in cut}
    days = [phrase.day for phrase in cut if phrase.kind == "day"]
    if days:
        return DAYS[days[0]]
    return "now" if "now" in kinds else "today" if "today" in kinds else ""


def _is_route(
    folded: Sequence[str], cut: Sequence[_Phrase], is_place: Callable[[str], bool]
) -> bool:
    """Whether a query names a way: "train Leeds to York", "von Wien nach Graz", "vol Paris Lyon".

    By "from" and "to" with a means of travel or two places, or by a means that comes first.
    """
    taken = {at for p in cut for at in range(p.start, p.end)}
    plain = [n for n, word in enumerate(folded) if n not in taken and word not in articles()]
    words = [folded[n] for n in sorted({*plain, *_at(folded, "to")})]
    travels, starts = _at(words, "travel"), _at(words, "from")
    is_travel = travels[:1] == [0]
    for end in _at(words, "to"):
        begin = max((n for n in starts if n + 1 < end), default=-1)
        way = max((n for n in travels if n < end), default=-1)
        first = " ".join(words[max(begin, way) + 1 : end])
        to_place = _starts_with_place(words[end + 1 :], is_place)
        if begin >= 0 and end + 1 < len(words) and travels:
            return True
        if to_place and (is_place(first) or (is_travel and not first)):
            return True
    rest = words[1:] if is_travel else []
    return any(
        is_place(" ".join(rest[:n])) and is_place(" ".join(rest[n:])) for n in range(1, len(rest))
    )


def _at(words: Sequence[str], kind: str) -> list[int]:
    return [at for at, word in enumerate(words) if word in _table(kind)]


def _starts_with_place(words: Sequence[str], is_place: Callable[[str], bool]) -> bool:
    return any(is_place(" ".join(words[:n])) for n in range(min(4, len(words)), 0, -1))


def _is_small(word: str) -> bool:
    small = word in stop_words() or word in articles() or word in single_prepositions()
    return small or not word.strip(",;?!.")


def _phrases(folded: Sequence[str]) -> Iterator[_Phrase]:
    """The phrases of a query, the longest at each word; none inside another."""
    at = 0
    while at < len(folded):
        end = at + 1
        for end in range(min(len(folded), at + _LONGEST), at, -1):
            words = " ".join(folded[at:end]).strip("?!.")
            if known := _kinds().get(words):
                kind, day, languages = known
                yield _Phrase(at, end, kind, day, languages)
                break
            if end == at + 1 and at and end == len(folded) and _YEAR.fullmatch(words):
                yield _Phrase(at, end, "when")
        at = end


@cache
def _kinds() -> dict[str, tuple[str, int, frozenset[str]]]:
    """The kind of each phrase, with the number of a day, and the languages that have it."""
    found: dict[str, tuple[str, int, frozenset[str]]] = {}
    for language in all_languages():
        rows = [row.split() for row in language.hours.get("days", ())]
        days = [(name, day) for row in rows for day, name in enumerate(row)]
        phrases = [(name, "day", day) for name, day in days if len(name) >= _LEAST_DAY]
        for kind in ("open", *_CUT, *_EDGE):
            phrases += [(phrase, kind, -1) for phrase in language.asks.get(kind, ())]
        for phrase, kind, day in phrases:
            key = " ".join(map(fold, TOKEN.findall(phrase)))
            known = found.get(key, (kind, day, frozenset[str]()))
            found[key] = (*known[:2], known[2] | {language.code})
    return found


@cache
def _table(kind: str) -> frozenset[str]:
    return frozenset(map(fold, merge(lambda language: language.asks.get(kind, ()))))
