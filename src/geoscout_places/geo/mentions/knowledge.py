"""What the geoparser knows, loaded once: the automaton, the words, and the facts of each name.

A crawl meets the same few thousand names again and again, so what a name may mean and how far to
trust it are worked out the first time and kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from string import ascii_letters, digits

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.tables import DATA_FOLDER, DemonymRow, NameRow, read_table
from geoscout_places.geo.mentions.context import NameContext
from geoscout_places.geo.mentions.judging import NameJudge, bearing_of, name_shape
from geoscout_places.geo.mentions.linear_models import BeliefModel, SenseModel, read_weights
from geoscout_places.geo.mentions.senses import (
    NameFacts,
    Senses,
    Whereabouts,
    find_senses,
    whereabouts,
)
from geoscout_places.geo.mentions.word_forms import NameForms, ShortNames
from geoscout_places.language import all_languages, load_language, merge
from geoscout_places.model import Candidate, Kind, NameRole, Place
from geoscout_places.toponyms import (
    NOT_NOUN,
    UNKNOWN,
    WordFrequencies,
    WordUse,
    line_names,
    read_word_frequencies,
    read_words,
    sight,
)
from geoscout_places.toponyms import (
    heads as all_heads,
)

_MOST_OPTIONS = 20  # of one name; the rest are hamlets that no text can mean unqualified
_MOST_FACTS = 200_000
_METONYM_POPULATION = 20_000
_HOPELESS = -3.25  # no surroundings make up for this
_TWO_LETTERS, _KNOWN_PAIRS = 2, frozenset(("US", "Us", "UK", "Uk", "GB", "Gb"))
_CODE_LETTERS = 3
_TELLING = 5.0  # importance of a town that tells the language of a text by its case
_SHORT_ALIAS = 5  # letters of a country's name in some language that may be a word in another
_WIDE = (Kind.CONTINENT, Kind.COUNTRY, Kind.AREA, Kind.REGION)


class NamePattern(Struct, frozen=True, gc=False):
    """What the automaton found: a name of places, or another word that is looked for."""

    name: str  # as `sight` shows it
    facts: NameFacts | None  # None when it can mean no place
    is_other: bool  # a word such as "River", or a railway line


class Tongue:
    """What is known of names in texts of one language."""

    def __init__(
        self,
        facts: BoundedCache[str, NameFacts | None],
        neighbours: NameContext,
        heads: frozenset[str],
        forms: NameForms | None,
        may_be_small: BoundedCache[str, bool],
    ) -> None:
        self.facts = facts  # by name as `sight` shows it; None when it can mean no place
        self.neighbours = neighbours
        # Endings that are added to names in other cases, and articles that nouns have and towns
        # never, as `sight` shows them.
        self.endings = self.articles = frozenset[str]()
        # Letters and digits that go on with a word, since no ending begins with them.
        self.going_on = _letters_but("s")
        # Whether somebody who writes names small may mean a place by one; by name.
        self.may_be_small = may_be_small
        self.country_names = frozenset[str]()  # that are words for people in lower case
        self.short_names: ShortNames | None = None  # "Frankfurt a. M."
        # "Clay and Love counties": the word, and what each of the names has instead.
        self.shared_heads: Sequence[tuple[str, str]] = ()
        self.forms = forms  # of names in languages where more than an ending changes
        self.heads = heads  # words that make a place of the name before them
        # By the automaton's number of a name, which comes with each hit and is quicker to look up
        # than the name; None where a hit means nothing.
        self.patterns: dict[int, NamePattern | None] = {}

    def learn_pattern(self, number: int, name: str) -> NamePattern | None:
        """Keep what a pattern of the automaton stands for."""
        facts, is_other = self.facts[name], name in other_patterns()
        found = NamePattern(name, facts, is_other) if facts or is_other else None
        if len(self.patterns) >= _MOST_FACTS:
            self.patterns.clear()
        self.patterns[number] = found
        return found


class NameKnowledge:
    """The knowledge `find_mentions` needs."""

    def __init__(
        self,
        gazetteer: Gazetteer,
        words: Mapping[str, WordUse],
        counts: WordFrequencies,
        demonyms: Collection[str],
    ) -> None:
        self.gazetteer = gazetteer
        self.words = words
        self.counts = counts
        self.demonyms = demonyms  # as `sight` shows them
        self.belief = BeliefModel(read_weights("belief.tsv"))
        self.sense = SenseModel(read_weights("sense.tsv"))
        self.search = gazetteer.automaton()
        # What a name may mean is the same in every language.
        self._candidates = BoundedCache(self._find_candidates, _MOST_FACTS)
        self._senses = BoundedCache(self._find_senses, _MOST_FACTS)
        self._senses_elsewhere = BoundedCache(self._find_senses_elsewhere, _MOST_FACTS)
        self._tongues: dict[str, Tongue] = {}
        self.prunes = True  # whether names that nothing can save are left out; not while learning

    @classmethod
    def load(cls, gazetteer: Gazetteer, folder: Path = DATA_FOLDER) -> NameKnowledge:
        """The knowledge of a gazetteer and of the tables in a folder."""
        rows = read_table(folder / "demonyms.tsv", DemonymRow)
        demonyms = {sight(row.demonym) for row in rows}
        return cls(gazetteer, read_words(folder), read_word_frequencies(folder), demonyms)

    def tongue(self, language: str) -> Tongue:
        """What is known of names in texts of a language; "" is any."""
        if language not in self._tongues:
            self._tongues[language] = self._make_tongue(language)
        return self._tongues[language]

    def language_of_forms(self, view: str) -> str:
        """The language whose cases most names of a short text have, "" where none has any.

        Only towns of the language itself tell, and endings that say where something is:
        "Helsingissä" is Finnish, and so is "Yhdysvalloissa".
        """
        points = {
            language.code: sum(
                found.importance >= _TELLING and (found.home > 0 or found.says_where)
                for _, _, found in forms.find(view)
            )
            for language in all_languages()
            if (forms := self.tongue(language.code).forms) is not None
        }
        best = max(points, key=points.__getitem__, default="")
        return (
            best if best and points[best] and list(points.values()).count(points[best]) == 1 else ""
        )

    def _make_tongue(self, language: str) -> Tongue:
        known = load_language(language) if language else None
        judge = NameJudge(known, self.words, self.counts)
        facts = BoundedCache(partial(self._find_facts, judge), _MOST_FACTS)
        neighbours = NameContext(self.words, language)
        may_be_small = BoundedCache(partial(self._is_used, language or "en"), _MOST_FACTS)
        if known is None:
            return Tongue(facts, neighbours, all_heads(), None, may_be_small)
        names = known.names
        # Where nouns have capitals, "Günstiges Design Hotel" looks like a name.
        heads = frozenset(names.heads) if known.capital_nouns else all_heads()
        changes = names.case_swaps or names.stem_swaps or names.place_endings
        candidates = partial(self._declined_candidates, language)
        phrases = _country_phrases().get(language, ())
        forms = NameForms(known, facts, candidates, phrases) if changes else None
        found = Tongue(facts, neighbours, heads, forms, may_be_small)
        if forms is None:
            found.endings = frozenset(map(sight, names.case_endings))
            found.going_on = _letters_but("s", *found.endings)
        found.country_names = frozenset(map(sight, names.country_names))
        if names.short_links:
            found.short_names = ShortNames(names, facts)
        found.articles = frozenset(map(sight, names.articles))
        pairs = (entry.partition(">") for entry in names.shared_heads)
        found.shared_heads = [
            (f" {shown}", f" {head}") for word, _, head in pairs for shown in (word, word.title())
        ]
        return found

    def _is_used(self, language: str, name: str) -> bool:
        """Whether a name is no alias, or one that is used in the language or where the place is."""
        best = self._candidates[name][1][0]
        if best.role is not NameRole.ALIAS:
            return True
        there = (o.code for o in all_languages() if best.place.country in o.countries)
        return any(self.counts.has(name.lower(), code) for code in (language, *there))

    def _declined_candidates(self, language: str, name: str) -> Sequence[Candidate]:
        """The places of a name that may be declined: no country that only others call so."""
        if not any(end - start == len(name) for start, end, _ in self.search.find(name)):
            return ()  # most guesses are no names, which is quicker to find out here
        found = self.gazetteer.candidates(name)
        if found and _is_wide_alias(found[0]) and " " not in name:
            is_known = len(name) > _SHORT_ALIAS or self.counts.has(name.lower(), language)
            return found if is_known or (is_known is None and len(name) > _CODE_LETTERS + 1) else ()
        return found

    def forget(self) -> None:
        """Forget the facts of all names, after a model was exchanged."""
        self._tongues.clear()
        self._senses.clear()
        self._senses_elsewhere.clear()

    def _find_facts(self, judge: NameJudge, name: str) -> NameFacts | None:
        is_demonym, candidates = self._candidates[name]
        senses = self._senses
        if name in _own_names() and not judge.knows(name):
            senses = self._senses_elsewhere
            candidates = [c for c in candidates if c.place.name not in _own_names()[name]]
        if not candidates:
            return None
        if is_demonym and name in judge.country_names:
            is_demonym = False
            candidates = [replace(one, role=NameRole.ALIAS) for one in candidates]
        best = candidates[0]
        if self._is_never_meant(judge, name, best, is_demonym=is_demonym):
            return None
        is_short = len(name.replace(".", "")) <= _CODE_LETTERS
        is_code = best.role == NameRole.CODE and is_short
        noun = NOT_NOUN
        if is_demonym or is_code:
            word = UNKNOWN if is_demonym else self.words.get(name.lower(), UNKNOWN)
            shape = name_shape(name, word, bearing_of(candidates))
            sort, features = "demonym" if is_demonym else "code", shape
            features += () if is_demonym or judge.has_codes else ("code abroad",)
        else:
            sort, features, noun = judge.judge(name, judge.weigh(name, candidates))
        score = self.belief.names[sort, features]
        if score < _HOPELESS and self.prunes:
            return None
        facts = NameFacts(name, sort, score, senses, features=features)
        # A country's alias of three letters is an abbreviation in some language.
        facts.is_code = is_code or (is_short and best.place.kind is Kind.COUNTRY)
        facts.needs_neighbour = is_code and judge.is_code_abroad(best.place)
        facts.is_demonym, facts.noun = is_demonym, noun
        return facts

    def _is_never_meant(
        self, judge: NameJudge, name: str, best: Candidate, *, is_demonym: bool
    ) -> bool:
        """Whether a name is a word, or too short, for its likeliest place."""
        if is_demonym and judge.is_word_here(name):
            return True  # "Dane" are people in English, and data in Polish
        if name[-1] == "." and not judge.has_codes and best.place.kind is not Kind.COUNTRY:
            return True  # "Mo." is Missouri in English, and a weekday elsewhere
        if not _is_wide_alias(best):
            return False
        if self.counts.is_german_word(name.lower()):
            return True  # "Ende" is India in some language, and a noun on every German page
        # "As" is the United States in some language, and TV is somewhere too.
        return len(name) <= _TWO_LETTERS and name not in _KNOWN_PAIRS

    def facts_of_given(self, name: str) -> NameFacts | None:
        """The facts of a name that is known to be one; None when no place has it."""
        is_demonym, candidates = self._candidates[name]
        if not candidates:
            return None
        facts = NameFacts(name, "demonym" if is_demonym else "plain-middle", 0.0, self._senses)
        facts.is_demonym = is_demonym
        return facts

    def _find_candidates(self, name: str) -> tuple[bool, Sequence[Candidate]]:
        """Whether the name is a word for people, and the places it may mean."""
        is_demonym, singular = self._as_demonym(name)
        found = _without_metonyms(self.gazetteer.candidates(singular))[:_MOST_OPTIONS]
        if is_demonym:
            # A country may list the adjective among its names.
            found = [c for c in found if _is_of_people(c)] or found[:1]
        return is_demonym, found

    def _as_demonym(self, name: str) -> tuple[bool, str]:
        """Whether the name is a word for people, and its singular."""
        if name in self.demonyms:
            return True, name
        is_plural = name[-1:] == "s" and name[:-1] in self.demonyms and not self._is_proper(name)
        return is_plural, name[:-1] if is_plural else name

    def _is_proper(self, name: str) -> bool:
        """Whether a place has the name itself: Laos, where Lao is a word for people too."""
        return any(c.role == NameRole.NAME for c in self.gazetteer.candidates(name)[:1])

    def bearer_inside(self, name: str, areas: frozenset[int]) -> Place | None:
        """The likeliest place of a name, among all that have it, that lies in one of the areas."""
        for candidate in self.gazetteer.candidates(name):
            place = candidate.place
            if place.id not in areas and any(
                above.id in areas for above in self.gazetteer.ancestors(place)
            ):
                return place
        return None

    def place_of(self, facts: NameFacts, ids: frozenset[int]) -> Place | None:
        """The likeliest of some places that a name may mean."""
        places = (candidate.place for candidate in facts.senses().candidates)
        return next((place for place in places if place.id in ids), None)

    def whereabouts(self, place: Place) -> Whereabouts:
        """Where a place lies, as far as other places can speak for it."""
        return whereabouts(place, self.gazetteer)

    def _find_senses(self, name: str) -> Senses:
        return find_senses(self._candidates[name][1], self.gazetteer, self.sense)

    def _find_senses_elsewhere(self, name: str) -> Senses:
        """What a name may mean in languages that do not give it to a certain place."""
        kept = [c for c in self._candidates[name][1] if c.place.name not in _own_names()[name]]
        return find_senses(kept, self.gazetteer, self.sense)


def _letters_but(*words: str) -> frozenset[str]:
    """The letters and digits of ASCII that none of the words begins with."""
    return frozenset(ascii_letters + digits) - {word[:1] for word in words}


@cache
def _own_names() -> Mapping[str, frozenset[str]]:
    """Names that mean a place in one language only, with the names of these places."""
    found: dict[str, frozenset[str]] = {}
    for entry in merge(lambda language: language.names.own_names):
        name, _, place = entry.partition(">")
        found[name] = found.get(name, frozenset()) | {place}
    return found


@cache
def _country_phrases(folder: Path = DATA_FOLDER) -> Mapping[str, Sequence[str]]:
    """Names of countries of several words, by the language that declines them."""
    found: dict[str, list[str]] = {}
    for row in read_table(folder / "names.countries.tsv.xz", NameRow):
        if row.language:
            found.setdefault(row.language, []).append(row.name)
    return found


@cache
def other_patterns() -> frozenset[str]:
    """What the automaton finds besides names of places."""
    return all_heads() | frozenset(line_names())


def _without_metonyms(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """Candidates without countries that are only an alias of one of their own cities."""
    if Kind.COUNTRY not in [c.place.kind for c in candidates]:
        return candidates  # nearly always
    cities = {
        c.place.country
        for c in candidates
        if c.place.kind is Kind.CITY and c.place.population > _METONYM_POPULATION
    }
    return [
        c
        for c in candidates
        if not (
            c.place.kind is Kind.COUNTRY and c.role == NameRole.ALIAS and c.place.country in cities
        )
    ]


def _is_wide_alias(candidate: Candidate) -> bool:
    return candidate.place.kind is Kind.COUNTRY and candidate.role == NameRole.ALIAS


def _is_of_people(candidate: Candidate) -> bool:
    is_wide_alias = candidate.place.kind in _WIDE and candidate.role == NameRole.ALIAS
    return candidate.role == NameRole.DEMONYM or is_wide_alias
