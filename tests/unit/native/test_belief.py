"""The kernel believes and resolves names as the forms in Python do, to the last bit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.geo.mentions import NameKnowledge, PageHints, find_mentions
from geoscout_places.geo.mentions.evidence import PageEvidence
from geoscout_places.geo.mentions.kinds_beside import KindsBeside
from geoscout_places.geo.mentions.knowledge import NameFacts
from geoscout_places.geo.mentions.resolve import Chooser
from geoscout_places.geo.mentions.senses import Senses
from geoscout_places.model import Kind, SiteKnowledge
from tests.unit.native.unaided import unaided_knowledge, without_kernel

POOL = (
    "Springfield", "Illinois", "Texas", "Paris", "London", "Ontario", "York", "Salem", "Oregon",
    "Portland", "Alps", "Europe", "Perth", "Scotland", "Jefferson", "Washington", "Lewis County",
    "Monaco", "New York", "Georgia", "Munich", "Bavaria", "Toledo", "Los Angeles", "San Jose",
)  # fmt: skip
LINES = (
    "Perth, Scotland", "Springfield, Illinois and Salem, Oregon", "Toledo is a city in Ohio",
    "WASHINGTON (AP) - The president", "Texas: Dallas", "Dr. Salem said", "the state of Georgia",
    "Paris", "London", "Munich", "in Perth", "New York / Ontario", "Toledo", "Georgia Tech",
)  # fmt: skip
NAMES = st.lists(st.sampled_from(POOL), max_size=12, unique=True)
SITES = st.builds(
    SiteKnowledge,
    pages=st.just(3),
    countries=st.sampled_from([(), (("US", 0.7), ("GB", 0.3)), (("DE", 1.0),)]),
    regions=st.sampled_from([(), ((4736286, 0.6),)]),
    squares=st.sampled_from([(), ((93083, 0.5), (93084, 0.25))]),
)


@pytest.fixture(scope="module")
def knowledge(belief: Any, gazetteer: SqliteGazetteer) -> NameKnowledge:
    assert belief is not None
    return NameKnowledge.load(gazetteer)


@pytest.fixture(scope="module")
def unaided(gazetteer: SqliteGazetteer) -> NameKnowledge:
    return unaided_knowledge(gazetteer)


def _facts(name: str, knowledge: NameKnowledge) -> NameFacts:
    found = knowledge.tongue("").facts[name]
    assert found is not None
    return found


@limits(deadline=None)
@given(NAMES, st.sampled_from(["", "US"]), st.none() | SITES, st.booleans())
def test_choices_are_the_same(
    belief: Any,
    knowledge: NameKnowledge,
    names: list[str],
    country: str,
    site: SiteKnowledge | None,
    has_kinds: bool,
) -> None:
    sure = [(name, _facts(name, knowledge)) for name in names]
    kinds = KindsBeside(frozenset((Kind.REGION,)), frozenset((Kind.CITY,))) if has_kinds else None
    compiled = belief.Chooser(belief.Evidence(sure, country, site), knowledge.sense.page)
    chooser = Chooser(PageEvidence(sure, country, site), knowledge)
    for name in POOL:  # each leaves the weights as the next one finds them
        facts = _facts(name, knowledge)
        said = (kinds,) if kinds else ()
        areas = frozenset(facts.options[-1].where.above[:1])
        ids = frozenset((facts.options[-1].place.id, facts.options[0].place.id))
        for where in (frozenset[int](), areas):
            found = compiled.choose(name, facts, where, *said)
            option, sureness = chooser.choose(name, facts, where, *said)
            assert found == (option.place, sureness)
        if areas:
            found = compiled.choose_inside(name, facts, areas)
            assert found == chooser.choose_inside(name, facts, areas).place
        assert compiled.choose_of(name, facts, ids) == chooser.choose_of(name, facts, ids).place


@limits(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(LINES), max_size=25).map("\n".join),
    st.sampled_from(["", "US", "GB"]),
    st.none() | SITES,
    st.integers(0, 4),
)
def test_mentions_are_the_same_with_all_that_is_known_of_a_page(
    knowledge: NameKnowledge,
    unaided: NameKnowledge,
    text: str,
    country: str,
    site: SiteKnowledge | None,
    every: int,
) -> None:
    perth = text.find("in Perth") + 3
    towns = {perth: _facts("Perth", knowledge).options[1].place.id}
    is_repeated = (lambda position: position % every == 0) if every else None
    hints = PageHints(country, site=site, is_repeated=is_repeated, towns=towns)

    found = find_mentions(text, knowledge, hints)

    with without_kernel():
        assert found == find_mentions(text, unaided, hints)


def test_many_names_have_room(belief: Any, knowledge: NameKnowledge) -> None:
    rows = knowledge.gazetteer._execute(  # type: ignore[attr-defined]
        "SELECT DISTINCT name FROM place ORDER BY id LIMIT 3000"
    )
    known = ((name, knowledge.tongue("").facts[name]) for (name,) in rows)
    sure = [(name, facts) for name, facts in known if facts is not None]
    assert len(sure) > 1000
    compiled = belief.Chooser(belief.Evidence(sure, "", None), knowledge.sense.page)
    chooser = Chooser(PageEvidence(sure), knowledge)

    for name, facts in sure[::50]:
        option, sureness = chooser.choose(name, facts, frozenset())
        assert compiled.choose(name, facts, frozenset()) == (option.place, sureness)


def test_what_is_said_of_no_option_is_refused(belief: Any, knowledge: NameKnowledge) -> None:
    chooser = belief.Chooser(belief.Evidence([], "", None), knowledge.sense.page)

    with pytest.raises(ValueError, match="no option"):
        chooser.choose_of("Paris", _facts("Paris", knowledge), frozenset((-5,)))


def test_names_have_the_fields_of_the_form_in_python(names: Any) -> None:
    assert issubclass(Senses, names.Facts)
    fields = ("features", "is_code", "is_demonym", "noun", "score", "sort")
    assert all(hasattr(names.Facts(), field) for field in fields)
