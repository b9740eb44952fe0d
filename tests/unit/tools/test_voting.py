"""Which codes an outline gets from the cities inside."""

from __future__ import annotations

import pytest
from tools.derive.voting import Codes, Known, Tally, assign, is_convincing

KNOWN = Known(
    frozenset({"FR.11", "FR.84", "DE.06", "DE.03", "GF.00", "CH.BS"}),
    frozenset({"FR.11.75", "DE.06.03403"}),
)
PARIS = Codes("FR", "FR.11", "FR.11.75")
LYON = Codes("FR", "FR.84", "FR.84.69")
OLDENBURG = Codes("DE", "DE.06", "DE.06.03403")
CAYENNE = Codes("GF", "GF.00", "")


@pytest.mark.parametrize(
    ("own", "inside", "expected"),
    [
        # France's units are départements, their codes not those of regions.
        (Codes("FR", "FR.75", ""), [PARIS] * 5, Codes("FR", "FR.11", "FR.11.75")),
        # A unit without cities keeps its code if the gazetteer has it.
        (Codes("DE", "DE.03", ""), [], Codes("DE", "DE.03", "")),
        (Codes("DE", "DE.99", ""), [], Codes("DE", "", "")),
        # Few strays do not outvote a code that the gazetteer has, many do.
        (Codes("DE", "DE.03", ""), [OLDENBURG] * 2, Codes("DE", "DE.03", "")),
        (Codes("DE", "DE.03", ""), [OLDENBURG] * 9, Codes("DE", "DE.06", "DE.06.03403")),
        # What the map gives to France is a country of its own in the gazetteer.
        (Codes("FR", "FR.973", ""), [CAYENNE], Codes("GF", "GF.00", "")),
        # A foreign village on this side of the border changes nothing.
        (Codes("DE", "DE.06", ""), [LYON, OLDENBURG], Codes("DE", "DE.06", "DE.06.03403")),
        # A district the gazetteer does not have is none.
        (Codes("FR", "", ""), [LYON] * 3, Codes("FR", "FR.84", "")),
    ],
)
def test_cities_vote_on_the_codes(own: Codes, inside: list[Codes], expected: Codes) -> None:
    assert assign(own, inside, KNOWN) == expected


@pytest.mark.parametrize(
    ("tally", "convincing"),
    [
        (Tally(right=0, inside=0, expected=0), True),
        (Tally(right=90, inside=100, expected=100), True),
        (Tally(right=10, inside=50, expected=10), False),  # five new counties in an old province
        (Tally(right=10, inside=10, expected=50), False),
        (Tally(right=1, inside=2, expected=1), True),
        (Tally(right=0, inside=1, expected=1), False),
    ],
)
def test_outline_must_hold_the_right_cities(tally: Tally, *, convincing: bool) -> None:
    assert is_convincing(tally) is convincing
