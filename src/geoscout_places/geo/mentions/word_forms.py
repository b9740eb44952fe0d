"""Names that are not written as the gazetteer has them: in another case, or with a short addition.

"v Praze", "Helsingissä", "w Nowym Jorku": the capitalised words of a text are turned back into what
they may be by themselves, by the rules in the file of its language, and the gazetteer is asked for
that. (Where names have no more than an "s" in the genitive, it is found with the name itself; see
`recognise`.) Short rules turn many a surname into a village somewhere, so a small place counts only
at home, and only behind a preposition or with an ending that says where something is.

"Limburg a. d. Lahn", "Frankfurt a.M.": the gazetteer has the long names of these towns; the files
of the languages say what the short words stand for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from geoscout_places.caches import BoundedCache
from geoscout_places.language import Language, NameWords
from geoscout_places.model import Candidate, NameRole
from geoscout_places.toponyms import sight

if TYPE_CHECKING:
    from geoscout_places.geo.mentions.senses import NameFacts, Senses

_MOST_FORMS = 50_000  # words and pairs whose names are kept
_MOST_TRIED = 60  # names that a pair of words is tried for
_SHORTEST, _SHORTEST_STEM = 4, 3  # letters of a name, and of what stands before an ending
_LONGEST_ENDING = 12
_LONGEST_OF_PHRASE = 7  # letters of an ending in a name of several words
_LEAST_AT_HOME, _LEAST_ABROAD = 3.5, 5.6  # importance
_WELL_KNOWN, _WELL_KNOWN_AT_HOME = 5.6, 5.0  # importance that needs no preposition
_FAMOUS = 6.5  # importance of a very short name, or at the beginning of a sentence
_STARTS = frozenset(("start", "stop"))
PLACE_BEFORE = frozenset(("in", "at", "to", "kind"))
_COMPARED = 3  # places of a name that may be at home
_AT_HOME = 1.5  # importance that a place at home has in addition, in doubt
_FAR_AHEAD = 0.7  # importance of a declined name beyond that of what it looks like
_PROPER = (NameRole.NAME, NameRole.ALIAS)
_CAPITALS = "A-ZÞĐÐΆ-ΏΑ-ΫЀ-ЯҐ"
_WORD = rf"[{_CAPITALS}][^\W\d_]{{2,40}}(?![^\W_])"  # longer words take long
_NAME = re.compile(rf"(?<![^\W_]){_WORD}")
_NEXT = re.compile(rf" (?:[^\W\d_]{{1,3}} )?{_WORD}")

Rules = Mapping[str, Sequence[str]]


class Undeclined(NamedTuple):
    """A name that some words are a form of."""

    name: str  # as `sight` shows it
    facts: NameFacts
    importance: float
    home: float  # what it has in addition where a place of the language has the name
    says_where: bool  # whether the ending does what a preposition does in other languages

    def is_likely(self, before: str) -> bool:
        """Whether it can be told from a surname by what is before it, a class of words."""
        if before in PLACE_BEFORE:
            return True
        if before in _STARTS:  # any word has a capital there
            return self.importance + self.home >= _FAMOUS
        return self.importance >= (_WELL_KNOWN_AT_HOME if self.home else _WELL_KNOWN)


class NameForms:
    """Turns the forms of names in one language back into the names."""

    def __init__(
        self,
        language: Language,
        facts: Mapping[str, NameFacts | None],
        candidates: Callable[[str], Sequence[Candidate]],
        phrases: Sequence[str] = (),
    ) -> None:
        """`facts` and `candidates` tell what is known of a name, and which places have it.

        `phrases` are names of countries of several words, of which each may be declined.
        """
        names = language.names
        self._phrases = _phrases(phrases)
        self._facts, self._candidates = facts, candidates
        self._homes = frozenset(language.countries)
        self._endings = frozenset(map(sight, names.case_endings))
        self._place_endings = frozenset(map(sight, names.place_endings))
        self._swaps = _rules(names.case_swaps)
        self._stem_swaps = _rules(names.stem_swaps)
        self._found = BoundedCache(self._find, _MOST_FORMS)

    def find(self, view: str) -> Iterator[tuple[int, int, Undeclined]]:
        """The forms in what `sight` shows of a text: where each stands, and its name."""
        done = 0
        for match in _NAME.finditer(view):
            start, end = match.span()
            if start < done:
                continue
            found = None
            for name in self._phrases.get(match[0][:_SHORTEST_STEM], ()):
                if whole := _phrase_pattern(name).match(view, start):
                    found, end = self._ask(name, says_where=False), whole.end()
                    break
            if found is None and (following := _NEXT.match(view, end)):
                found = self._found[view[start : following.end()]]
                end = following.end() if found else end
            if found := found or self._found[match[0]]:
                done = end
                yield start, end, found

    def outdoes(self, found: Undeclined, senses: Senses) -> bool:
        """Whether a form of a name is likelier than the places whose name is written like it."""
        is_home = not self._homes.isdisjoint(senses.countries[:_COMPARED])
        home = _AT_HOME if is_home else 0.0
        return found.importance + found.home > senses.candidates[0].score + home + _FAR_AHEAD

    def _find(self, form: str) -> Undeclined | None:
        """The most important name that a word, or two words, may be a form of."""
        names = self._names_of_pair(form) if " " in form else self._names_of(form)
        found = [
            one for name, says_where in names if (one := self._ask(name, says_where=says_where))
        ]
        return max(found, key=lambda one: one.importance + one.home, default=None)

    def _ask(self, name: str, *, says_where: bool) -> Undeclined | None:
        """What is known of a name, if it is important enough for a guess."""
        candidates = self._candidates(name)
        if not candidates or candidates[0].role not in _PROPER:
            return None
        importance = candidates[0].score
        is_home = any(c.place.country in self._homes for c in candidates[:_COMPARED])
        least = _FAMOUS if len(name) < _SHORTEST else _LEAST_AT_HOME if is_home else _LEAST_ABROAD
        if importance < least:
            return None
        facts = self._facts[name]
        if facts is None or facts.is_code or facts.is_demonym:
            return None
        return Undeclined(name, facts, importance, home=_AT_HOME * is_home, says_where=says_where)

    def _names_of_pair(self, form: str) -> Iterator[tuple[str, bool]]:
        """Both words may have changed: "Nowym Jorku"."""
        words = form.split(" ")
        middle = " ".join(["", *words[1:-1], ""])
        firsts = [words[0], *(name for name, _ in self._names_of(words[0]))]
        lasts = [words[-1], *(name for name, _ in self._names_of(words[-1]))]
        # The first rules are the likeliest ones; the pair without any is the form itself.
        pairs = sorted(product(range(len(firsts)), range(len(lasts))), key=sum)[1:]
        for one, other in pairs[:_MOST_TRIED]:
            yield f"{firsts[one]}{middle}{lasts[other]}", False

    def _names_of(self, form: str) -> Iterator[tuple[str, bool]]:
        """The names a word may be a form of, and whether its ending says where something is."""
        for size in range(1, min(len(form), _LONGEST_ENDING) + 1):
            stem, ending = form[:-size], form[-size:]
            for last in self._swaps.get(ending, ()):
                yield stem + last, False
            if ending in self._endings and len(stem) >= _SHORTEST_STEM:
                says_where = ending in self._place_endings
                yield stem, says_where
                for cut in range(2, len(stem)):
                    for last in self._stem_swaps.get(stem[-cut:], ()):
                        yield stem[:-cut] + last, says_where


def _phrases(names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Names of several words, as `sight` shows them, by what the first word begins with."""
    found: dict[str, list[str]] = {}
    for name in map(sight, names):
        found.setdefault(name[:_SHORTEST_STEM], []).append(name)
    return found


@cache  # few of these are ever asked for, and patterns take long to compile
def _phrase_pattern(name: str) -> re.Pattern[str]:
    """All cases of a name of several words: "Spojené státy" is "Spoj… stá…"."""
    words = [re.escape(word[: max(_SHORTEST_STEM, len(word) - 3)]) for word in name.split(" ")]
    endings = rf"[^\W\d_]{{0,{_LONGEST_OF_PHRASE}}}(?![^\W_])"
    return re.compile(" ".join(word + endings for word in words))


def _rules(swaps: Sequence[str]) -> Rules:
    """Rules such as "ze>ha" by their first half, as `sight` shows both."""
    found: dict[str, list[str]] = {}
    for swap in swaps:
        old, _, new = swap.partition(">")
        found.setdefault(sight(old), []).append(sight(new))
    return found


_TOWN = r"(?<![^\W_])(?P<town>[A-Z][^\W\d_]+)"
_PART = r"(?P<part>[A-Z][^\W\d_]*\.?)"


class ShortNames:
    """Finds towns with a short addition in texts of one language."""

    def __init__(self, names: NameWords, facts: Mapping[str, NameFacts | None]) -> None:
        """`facts` tells what is known of a name as `sight` shows it."""
        self._facts = facts
        self._links = _meanings(names.short_links)
        self._parts = _meanings(names.short_parts)
        # What a joint of town and addition begins with, as far as it is rare.
        self._joints = ("/", *{f" {link.split(' ')[0]}" for link in self._links})
        links = "|".join(re.escape(link).replace(r"\ ", " ?") for link in self._longest_first())
        self._pattern = re.compile(rf"{_TOWN}(?: ?/ ?| (?P<link>{links}) ?){_PART}")

    def _longest_first(self) -> list[str]:
        return sorted(self._links, key=len, reverse=True)

    def find(self, view: str) -> Iterator[tuple[int, int, str, NameFacts]]:
        """Where such towns stand in what `sight` shows of a text, their full names and facts."""
        for match in self._matches(view):
            for name in self._full_names(match):
                if facts := self._facts[name]:
                    is_short = match["part"] in self._parts
                    end = match.end() - (match["part"][-1] == "." and not is_short)
                    yield match.start(), end, name, facts
                    break

    def _matches(self, view: str) -> Iterator[re.Match[str]]:
        """What the pattern finds: it is tried at the words before a joint, which are few."""
        done = 0
        for joint in sorted(p for mark in self._joints for p in _positions(view, mark)):
            start = joint - (view[joint] == "/" and view[joint - 1 : joint] == " ")
            while start and view[start - 1].isalnum():
                start -= 1
            if start >= done and (match := self._pattern.match(view, start)):
                done = match.end()
                yield match

    def _full_names(self, match: re.Match[str]) -> Iterator[str]:
        town, part = match["town"], match["part"]
        link = (match["link"] or "").replace(" ", "")
        meant = [m for short, m in self._links.items() if link in ("", short.replace(" ", ""))]
        for words, long in product(meant, self._parts.get(part) or [part.rstrip(".")]):
            for word in words:
                yield f"{town} {word} {long}"


def _positions(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _meanings(entries: Sequence[str]) -> dict[str, list[str]]:
    """What short words stand for: "a. d.>an der"; one may stand for several."""
    found: dict[str, list[str]] = {}
    for entry in entries:
        short, _, long = entry.partition(">")
        found.setdefault(sight(short), []).append(sight(long))
    return found
