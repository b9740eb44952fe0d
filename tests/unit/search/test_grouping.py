"""Near-duplicates are one hit; a host does not fill the list."""

from geoscout.search.grouping import Groups, group

BASE = 0xF0F0F0F0F0F0F0F0


def hashes(count: int) -> list[int]:
    return [n * 0x9E3779B97F4A7C15 % 2**64 for n in range(1, count + 1)]


def grouped(hosts: list[int], scores: list[float], needed: int = 10) -> Groups:
    return group(hashes(len(hosts)), hosts, scores, needed)


def positions(groups: Groups) -> list[int]:
    return [each.position for each in groups.groups]


def test_near_duplicates_stand_behind_the_best():
    groups = group([BASE, BASE ^ 0b101, 12345 << 20], [1, 2, 3], [1.0, 0.9, 0.8], 10).groups

    assert [(g.position, g.similar) for g in groups] == [(0, [1]), (2, [])]


def test_pages_without_words_are_not_duplicates():
    assert positions(group([0, 0], [1, 2], [1.0, 0.9], 10)) == [0, 1]


def test_third_page_of_a_host_comes_after_another_host_that_is_nearly_as_good():
    assert positions(grouped([7, 7, 7, 8, 7], [1.0, 0.99, 0.98, 0.95, 0.9])) == [0, 1, 3, 2, 4]


def test_third_page_of_a_host_comes_before_another_host_that_is_far_worse():
    assert positions(grouped([7, 7, 7, 8], [1.0, 0.99, 0.98, 0.5])) == [0, 1, 2, 3]


def test_pages_of_one_host_stay_in_their_order():
    groups = grouped([7] * 6, [1.0, 0.9, 0.8, 0.7, 0.6, 0.5], 3)

    assert positions(groups) == [0, 1, 2]
    assert [g.more_of_host for g in groups.groups] == [0, 0, 0]


def test_pages_of_a_host_that_are_not_shown_are_counted_with_its_first():
    groups = grouped([7, 7, 8, 7, 7], [1.0, 0.99, 0.98, 0.5, 0.4], 3)

    assert positions(groups) == [0, 1, 2]
    assert [g.more_of_host for g in groups.groups] == [2, 0, 0]


def test_more_groups_begin_like_fewer():
    hosts, scores = [n % 3 for n in range(29)], [1.0 - n / 50 for n in range(29)]

    few, many = grouped(hosts, scores, 4), grouped(hosts, scores, 6)

    assert positions(few)[:4] == positions(many)[:4]
    assert few.left > 0
