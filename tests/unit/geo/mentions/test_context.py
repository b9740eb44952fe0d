"""What stands around a name."""

from __future__ import annotations

import pytest

from geoscout.gazetteer.automaton import sight
from geoscout.geo.mentions.context import Neighbours
from geoscout.toponyms.words import Word

WORDS = {"michael": Word(first=7), "henderson": Word(last=6)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X", "start"),
        ("line\nX", "start"),
        ("in X", "in"),
        ("Gov. X", "title"),
        ("J. X", "initial"),
        ("Michael X", "first"),
        ("northern X", "direction"),
        ("Acme X", "capital"),
        ("one, X", "comma"),
        ("end. X", "stop"),
        ("#X", "#"),
        ("12 X", "number"),
    ],
)
def test_class_before(text: str, expected: str) -> None:
    assert Neighbours(WORDS).before(text, sight(text), text.index("X")) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X", "end"),
        ("X's", "possessive"),
        ("X’s", "possessive"),
        ("X said", "said"),
        ("X-based firm", "based"),
        ("X County", "geo"),
        ("X University", "org"),
        ("X Public Library", "org far"),
        ("X Henderson", "surname"),
        ("X Acme", "capital"),
        ("X.com", "glued"),
        ("X, Y", ","),
        ("X (Y)", "bracket"),
    ],
)
def test_class_after(text: str, expected: str) -> None:
    assert Neighbours(WORDS).after(text, sight(text), 1) == expected
