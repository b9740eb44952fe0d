"""Any words are a query: what must hold for the reader on input that nobody thought of."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from geoscout.search.base import Question
from geoscout.search.engine import SearchEngine
from geoscout_places.errors import UsageError

WORDS = st.sampled_from(
    'pizza |in |near |Lisbon|Austin, TX|Texas |10115 |Main St 5|"|(|)|-|+|:|*|~|^|AND |OR |NOT |'
    "38.71,-9.14|within 5 km of |5km|°|N|hotels|Lisbn|ß|İ|中|\u0301|\x00| |,|;|/|\\".split("|")
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(WORDS | st.text(max_size=4), max_size=30).map("".join))
def test_any_words_are_a_query(engine: SearchEngine, text: str) -> None:
    with suppress(UsageError):  # nothing to search for
        assert len(engine.answer(Question(text=text.strip(), limit=3)).hits) <= 3
