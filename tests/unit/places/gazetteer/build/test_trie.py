"""The trie of all names has each of them, and nothing else."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.places.gazetteer.build.tries import laid_out


def names_in(names: list[str]) -> dict[str, int]:
    """The names of a trie by their numbers, found by going through all of its nodes."""
    symbols, labels, values, first = laid_out(names)
    letters = {int(symbol): chr(code) for code, symbol in enumerate(symbols)}
    assert len(first) == len(labels) + 1
    found: dict[str, int] = {}
    waiting = [(0, "")]
    while waiting:
        node, before = waiting.pop()
        name = before + letters[labels[node] & 0x7FFF] if node else ""
        if labels[node] & 0x8000:
            found[name] = int(values[node])
        waiting += [(child, name) for child in range(first[node], first[node + 1])]
    return found


@settings(deadline=None)
@given(st.sets(st.text(st.sampled_from("abBéΩ "), min_size=1, max_size=6), min_size=1))
def test_a_trie_has_every_name_with_its_number(names: set[str]) -> None:
    assert names_in(sorted(names)) == {name: n for n, name in enumerate(sorted(names))}


def test_children_lie_in_the_order_of_their_letters() -> None:
    _, labels, _, first = laid_out(["Aa", "Ab", "B", "Ca"])

    for node in range(len(labels)):
        children = [labels[child] & 0x7FFF for child in range(first[node], first[node + 1])]
        assert children == sorted(children)
    assert max(first) == len(labels)
