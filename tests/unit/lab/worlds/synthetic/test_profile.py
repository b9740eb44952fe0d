import pytest

from geoscout_lab.worlds.synthetic.profile import Chance, load_profile, profile_names, share_of
from geoscout_places.errors import UsageError


@pytest.mark.parametrize("name", profile_names())
def test_host_types_share_all_hosts(name):
    assert sum(load_profile(name).host_mix) == pytest.approx(1)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("web1999", "ahlers2009, web2025, usa2006, gao2006"),
        ("web2025:sectons=3", "no number 'sectons'"),
        ("web2025:sizes=3", "no number 'sizes'"),
        ("web2025:dead=many", "dead of a profile must be a number"),
    ],
)
def test_unknown_profile_or_number_is_refused(spec, message):
    with pytest.raises(UsageError, match=message):
        load_profile(spec)


def test_numbers_of_a_profile_are_changed_by_its_spec():
    changed = load_profile("gao2006:directory_links=60:seeds=3.2:sizes.5.1=9")

    assert (changed.directory_links, changed.seeds) == (60, 3)
    assert changed.sizes[5] == (1.5, 9, 400)
    assert changed.same_city == load_profile("gao2006").same_city
    assert load_profile("gao2006").sizes[5] == (1.5, 200, 400)


def test_same_numbers_give_the_same_stream_and_neighbours_their_own():
    one, other = Chance(3, 4), Chance(3, 4)
    firsts = {Chance(1, number).below(1 << 30) for number in range(1000)}

    assert [one.below(100) for _ in range(20)] == [other.below(100) for _ in range(20)]
    assert len(firsts) > 990


def test_hits_come_in_their_share():
    chance = Chance(1, 1)

    hits = sum(chance.hits(0.2) for _ in range(20_000))

    assert hits / 20_000 == pytest.approx(0.2, abs=0.01)


def test_shares_are_spread_evenly():
    shares = [share_of(7, number) for number in range(20_000)]

    assert sum(shares) / len(shares) == pytest.approx(0.5, abs=0.01)
    assert sum(share < 0.1 for share in shares) / len(shares) == pytest.approx(0.1, abs=0.01)
