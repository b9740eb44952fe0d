"""The trie finds what the automaton does, and never leaves its file."""

import daachorse
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from tests.unit.places.gazetteer.tries import laid_out

SHORT = st.text(st.sampled_from("abmrABé東 \U0001f600"), max_size=30)
NAMES = st.sets(
    st.text(st.sampled_from("abmrABé東 "), min_size=2, max_size=6), min_size=1, max_size=40
)


@limits(deadline=None)
@given(NAMES, st.lists(SHORT, max_size=5))
def test_the_trie_finds_what_the_automaton_finds(trie, patterns, texts):
    compiled = trie.NameTrie(*laid_out(sorted(patterns)))
    automaton = daachorse.CharwiseDoubleArrayAhoCorasick(
        sorted(patterns), daachorse.MATCH_KIND_LEFTMOST_LONGEST
    )
    for text in (*texts, "".join(patterns), "ab" * 50):
        assert compiled.find(text) == automaton.find(text)


def test_parts_that_do_not_fit_together_are_refused(trie):
    none, one = np.zeros(0, np.uint16), np.zeros(1, np.uint16)
    with pytest.raises(ValueError, match="a root"):
        trie.NameTrie(one, none, np.zeros(0, np.uint32), np.zeros(1, np.uint32))
    with pytest.raises(ValueError, match="fit together"):
        trie.NameTrie(one, one, np.zeros(1, np.uint32), np.zeros(1, np.uint32))


@limits(deadline=None)
@given(st.lists(st.integers(0, 2**32 - 1), min_size=5, max_size=5))
def test_a_damaged_trie_is_not_left(trie, first):
    symbols = np.zeros(128, np.uint16)
    symbols[ord("A")], symbols[ord("b")] = 1, 2
    labels = np.array([0, 1, 0x8002, 2], np.uint16)
    compiled = trie.NameTrie(symbols, labels, np.zeros(4, np.uint32), np.array(first, np.uint32))

    for _, end, _ in compiled.find("Abbb bAb" * 3):
        assert end <= 24
