from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic.profile import Chance, share_of


def test_same_numbers_give_the_same_stream() -> None:
    one, other = Chance(3, 4), Chance(3, 4)

    assert [one.below(100) for _ in range(20)] == [other.below(100) for _ in range(20)]


def test_neighbours_have_streams_of_their_own() -> None:
    firsts = {Chance(1, number).below(1 << 30) for number in range(1000)}

    assert len(firsts) > 990


def test_hits_come_in_their_share() -> None:
    chance = Chance(1, 1)

    hits = sum(chance.hits(0.2) for _ in range(20_000))

    assert hits / 20_000 == pytest.approx(0.2, abs=0.01)


def test_shares_are_spread_evenly() -> None:
    shares = [share_of(7, number) for number in range(20_000)]

    assert sum(shares) / len(shares) == pytest.approx(0.5, abs=0.01)
    assert sum(share < 0.1 for share in shares) / len(shares) == pytest.approx(0.1, abs=0.01)


def test_between_includes_both_ends() -> None:
    chance = Chance(2, 2)

    assert {chance.between(3, 5) for _ in range(100)} == {3, 4, 5}
