from __future__ import annotations

import pytest

from geoscout_lab.worlds.synthetic.profile import Chance, load_profile, profile_names, share_of
from geoscout_places.errors import UsageError


def test_there_are_the_four_profiles() -> None:
    assert profile_names() == ("ahlers2009", "web2025", "usa2006", "gao2006")


def test_profile_changes_what_is_common() -> None:
    assert load_profile("usa2006").any_local == 0.02
    assert load_profile("ahlers2009").any_local == 0.10


@pytest.mark.parametrize("name", profile_names())
def test_host_types_share_all_hosts(name: str) -> None:
    assert sum(load_profile(name).host_mix) == pytest.approx(1)


def test_unknown_profile_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="ahlers2009, web2025, usa2006, gao2006"):
        load_profile("web1999")


def test_unknown_number_is_refused() -> None:
    with pytest.raises(UsageError, match="no 'sectons'"):
        load_profile("web2025", {"sectons": 3})


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
