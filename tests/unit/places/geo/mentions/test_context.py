"""What stands around a name."""

import pytest

from geoscout_places.gazetteer.automaton import sight
from geoscout_places.geo.mentions.context import NameContext
from geoscout_places.toponyms import WordUse

WORDS = {"michael": WordUse(first=7), "henderson": WordUse(last=6)}


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
def test_class_before(text, expected):
    assert NameContext(WORDS).before(text, sight(text), text.index("X")) == expected


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
def test_class_after(text, expected):
    assert NameContext(WORDS).after(text, sight(text), 1) == expected
