"""The kernel finds and judges names as the forms in Python do."""

from __future__ import annotations

from array import array
from collections import Counter
from typing import Any
from unittest.mock import patch

import daachorse
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from geoscout_places.gazetteer import Region, SqliteGazetteer
from geoscout_places.gazetteer.automaton import sight
from geoscout_places.geo.mentions import NameKnowledge, find_mentions, judging, recognise
from geoscout_places.geo.mentions.judging import NameJudge
from geoscout_places.geo.mentions.senses import place_options
from geoscout_places.language import load_language
from geoscout_places.model import Kind
from geoscout_places.toponyms.short_texts import ToponymReader
from tests.unit.native.unaided import unaided_knowledge, without_kernel
from tests.unit.places.gazetteer.tries import laid_out

WORDS = (
    "Paris London Springfield Illinois York New in the der die Köln Lage nach Frankfurt a. M. / "
    "München-Pasing USA US IL, Egyptians Egyptian's Münchens St. mer Egee Washington, D.C. REUTERS "
    "ROME (AP) - Lake River Dr. John Smith Smithfield 東京は日本の 서울에서 Москва "
    "Прага and x' d'Aquila"
).split()
NOUNS = (
    "Lage",
    "Regen",
    "Essen",
    "Kuchen",
    "Ulm",
    "Reading",
    "Nice",
    "Florence",
    "Weimar",
    "Salem",
)
TEXTS = st.lists(st.sampled_from([*WORDS, "\n", "  ", "é"]), max_size=40).map(" ".join)
SHORT = st.text(st.sampled_from("abmrABé東 \U0001f600"), max_size=30)
NAMES = st.sets(
    st.text(st.sampled_from("abmrABé東 "), min_size=2, max_size=6), min_size=1, max_size=40
)


@pytest.fixture(scope="module")
def knowledge(names: Any, gazetteer: SqliteGazetteer) -> NameKnowledge:
    assert names is not None
    return NameKnowledge.load(gazetteer)


@pytest.fixture(scope="module")
def unaided(knowledge: NameKnowledge, gazetteer: SqliteGazetteer) -> NameKnowledge:
    found = unaided_knowledge(gazetteer)
    assert type(found.search) is not type(knowledge.search)
    return found


@limits(deadline=None)
@given(NAMES, st.lists(SHORT, max_size=5))
def test_the_trie_finds_what_the_automaton_finds(
    names: Any, patterns: set[str], texts: list[str]
) -> None:
    trie = names.NameTrie(*laid_out(sorted(patterns)))
    automaton = daachorse.CharwiseDoubleArrayAhoCorasick(
        sorted(patterns), daachorse.MATCH_KIND_LEFTMOST_LONGEST
    )
    for text in (*texts, "".join(patterns), "ab" * 50):
        assert trie.find(text) == automaton.find(text)
    for number, name in enumerate(sorted(patterns)):
        assert trie.number(name) == number
        assert trie.number(f"{name}!") == -1


def test_parts_that_do_not_fit_together_are_refused(names: Any) -> None:
    none, one = np.zeros(0, np.uint16), np.zeros(1, np.uint16)
    with pytest.raises(ValueError, match="a root"):
        names.NameTrie(one, none, np.zeros(0, np.uint32), np.zeros(1, np.uint32))
    with pytest.raises(ValueError, match="fit together"):
        names.NameTrie(one, one, np.zeros(1, np.uint32), np.zeros(1, np.uint32))


@limits(deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=5, max_size=5))
def test_a_damaged_trie_is_not_left(names: Any, first: list[int]) -> None:
    symbols = np.zeros(128, np.uint16)
    symbols[ord("A")], symbols[ord("b")] = 1, 2
    labels = np.array([0, 1, 0x8002, 2], np.uint16)
    trie = names.NameTrie(symbols, labels, np.zeros(4, np.uint32), np.array(first, np.uint32))

    for _, end, _ in trie.find("Abbb bAb" * 3):
        assert end <= 24


@limits(max_examples=60, deadline=None)
@given(TEXTS)
def test_mentions_are_the_same_without_the_kernel(
    knowledge: NameKnowledge, unaided: NameKnowledge, text: str
) -> None:
    found = find_mentions(text, knowledge)
    with without_kernel():
        assert found == find_mentions(text, unaided)


@limits(max_examples=60, deadline=None)
@given(TEXTS, st.sampled_from(["", "en", "de", "pl"]))
def test_spans_are_the_same_without_the_kernel(
    knowledge: NameKnowledge, unaided: NameKnowledge, text: str, language: str
) -> None:
    parts = [recognise.SpokenPart(0, len(text), language)]
    fields = ("start", "end", "name", "before", "after", "line", "case", "flags", "score")
    found = recognise.look(text, knowledge, parts, joined_lines=False)
    with without_kernel():
        other = recognise.look(text, unaided, parts, joined_lines=False)
    assert [[getattr(s, f) for f in fields] for s in found.spans] == [
        [getattr(s, f) for f in fields] for s in other.spans
    ]
    assert found.heads == other.heads
    assert found.lines == other.lines


@pytest.mark.parametrize("code", ["", "en", "de"])
def test_names_are_weighed_and_placed_as_in_python(
    knowledge: NameKnowledge, gazetteer: SqliteGazetteer, code: str
) -> None:
    judge = NameJudge(load_language(code) if code else None, knowledge.words, knowledge.counts)
    bearers = gazetteer.written_bearers()
    rows = gazetteer._execute("SELECT DISTINCT name FROM place ORDER BY id LIMIT 120000")
    weighed = 0
    for (name,) in rows[::199]:
        number = knowledge._written(name)
        found = judge.weigh_written(name, number, bearers) if number >= 0 else None
        if found is None:
            continue
        weighed += 1
        candidates = gazetteer.candidates(name)[:20]
        assert found == judge.weigh(name, candidates)
        assert knowledge._maker is not None
        options = place_options(candidates, gazetteer, knowledge.sense)
        assert knowledge._maker.options(number) == options
    assert weighed > 250


@pytest.mark.parametrize(
    "region",
    ["", "Dachau", "Texas", "Berlin; Oldenburg", "Fiji", "48.1,11.5,60", "170,-50,-170,-10"],
)
def test_names_in_short_texts_mean_what_they_do_in_python(
    written: list[str], gazetteer: SqliteGazetteer, region: str
) -> None:
    home = Region.parse(region, gazetteer) if region else None
    reader = ToponymReader(gazetteer, home)
    with patch.object(gazetteer, "written_bearers", lambda: None):
        unaided = ToponymReader(gazetteer, home)

    found = [reader._look_up(name) for name in written]
    assert found == [unaided._look_up(name) for name in written]
    assert sum(toponym is not None for toponym in found) > 100


@pytest.fixture(scope="module")
def written(knowledge: NameKnowledge, gazetteer: SqliteGazetteer) -> list[str]:
    """Names of places of every size, and some that are ordinary words."""
    found = gazetteer._execute("SELECT name FROM place WHERE id % 397 = 0 OR population > 500000")
    number: Any = knowledge.search.number  # type: ignore[attr-defined]
    names = {*(sight(name) for (name,) in found), "Reading", "Georgia", "Best"}
    return [name for name in sorted(names) if number(name) >= 0]


def test_boxes_and_marks_that_do_not_fit_are_refused(
    names: Any, gazetteer: SqliteGazetteer
) -> None:
    bearers = gazetteer.written_bearers()

    with pytest.raises(ValueError, match="four numbers"):
        names.NearBearers(bearers, (), array("d", [1.0]), bytes(len(Kind)))
    with pytest.raises(ValueError, match="each kind"):
        names.NearBearers(bearers, (), array("d"), b"")
    near = names.NearBearers(bearers, [2**60, -(2**60)], array("d"), bytes(len(Kind)))
    assert near.find(2**32 - 1, 0, 0, False) == []


@pytest.mark.parametrize("code", ["", "en", "de", "fr"])
def test_names_are_judged_as_in_python(
    knowledge: NameKnowledge, gazetteer: SqliteGazetteer, code: str
) -> None:
    judge = NameJudge(load_language(code) if code else None, knowledge.words, knowledge.counts)
    compiled = judge.compiled(gazetteer.written_bearers(), knowledge.belief.weights)
    assert compiled is not None
    judged = Counter[str]()
    rows = gazetteer._execute("SELECT DISTINCT name FROM place ORDER BY id LIMIT 120000")
    for name in [*NOUNS, *(sight(name) for (name,) in rows[::97])]:
        number = knowledge._written(name)
        found = compiled.judge(name, number) if number >= 0 else None
        if found is None:
            continue
        bearing = judge.weigh(name, gazetteer.candidates(name)[:20])
        sort, features, noun = judge.judge(name, bearing)
        assert found == (sort, knowledge.belief.names[sort, features], noun)
        judged[sort] += 1
    assert judged.total() > 500
    assert len(judged) > 6


def test_tables_of_weights_that_do_not_fit_are_refused(
    names: Any, knowledge: NameKnowledge, gazetteer: SqliteGazetteer
) -> None:
    judge = NameJudge(None, knowledge.words, knowledge.counts)
    with (
        patch.object(judging, "weight_tables", lambda _: {"bias": [0.0], "sort": [0.0]}),
        pytest.raises(ValueError, match="weights of sort"),
    ):
        judge.compiled(gazetteer.written_bearers(), {})


def test_a_span_outside_its_text_is_refused(names: Any, knowledge: NameKnowledge) -> None:
    tongue = knowledge.tongue("en")
    span = names.Span(0, 9, "Paris", tongue.facts["Paris"])

    with pytest.raises(ValueError, match="outside"):
        names.score_spans("Paris", "Paris", [span], knowledge.belief.contexts, tongue, None)
