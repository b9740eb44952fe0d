"""Near-duplicates are one hit; a host does not fill the list."""

from __future__ import annotations

from geoscout.search.grouping import group


def positions(simhashes: list[int], hosts: list[int], needed: int = 10) -> list[int]:
    return [each.position for each in group(simhashes, hosts, needed).groups]


def test_near_duplicates_stand_behind_the_best() -> None:
    base = 0xF0F0F0F0F0F0F0F0

    groups = group([base, base ^ 0b101, 12345 << 20], [1, 2, 3], 10).groups

    assert [(g.position, g.similar) for g in groups] == [(0, [1]), (2, [])]


def test_pages_without_words_are_not_duplicates() -> None:
    assert positions([0, 0], [1, 2]) == [0, 1]


def test_third_page_of_a_host_comes_after_other_hosts() -> None:
    hashes = [n * 0x9E3779B97F4A7C15 % 2**64 for n in range(1, 6)]

    groups = group(hashes, [7, 7, 7, 8, 7], 10).groups

    assert [g.position for g in groups] == [0, 1, 3, 2, 4]
    assert groups[0].more_of_host == 2


def test_more_groups_begin_like_fewer() -> None:
    hashes = [n * 0x9E3779B97F4A7C15 % 2**64 for n in range(1, 30)]
    hosts = [n % 3 for n in range(29)]

    few, many = group(hashes, hosts, 4), group(hashes, hosts, 6)

    assert [g.position for g in few.groups][:4] == [g.position for g in many.groups][:4]
    assert few.left > 0
