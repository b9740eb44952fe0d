"""What became of links so far, by group."""

from __future__ import annotations

import math

from geoscout.strategy.histories import Histories, groups_of


def test_groups_are_host_folder_list_template_and_siblings() -> None:
    groups = groups_of("http://b.test/shops/pizza?id=3", "http://a.test/list", 7)

    assert groups == (
        "b.test",
        "http://b.test/shops/",
        "http://a.test/list 7",
        "a.test 7",
        "http://a.test/list *",
    )


def test_group_without_outcomes_says_nothing() -> None:
    assert Histories().evidence(["a", "b"], {}) == [0.0, 0.0]


def test_more_relevant_pages_are_more_evidence() -> None:
    histories = Histories()
    for n in range(10):
        histories.add(["good"], 1.0)
        histories.add(["bad"], 0.0)
        if n == 0:
            early = histories.evidence(["good", "bad"], {})

    late = histories.evidence(["good", "bad"], {})

    assert late[1] < early[1] < 0 < early[0]
    assert all(math.isfinite(value) for value in late)


def test_what_is_not_met_for_long_is_forgotten() -> None:
    histories = Histories(most=10)
    histories.add(["old"], 1.0)

    for n in range(25):
        histories.add([f"g{n}"], 0.0)

    assert histories.count("old") == 0.0
    assert histories.count("g24") == 1.0


def test_histories_go_on_from_what_was_saved() -> None:
    histories, again = Histories(), Histories()
    histories.add(["http://é.test/ 1", "b"], 1.0)

    again.load(histories.save())

    groups = ["http://é.test/ 1", "b"]
    assert again.evidence(groups, {}) == histories.evidence(groups, {})
    assert again.share == histories.share


def test_nothing_can_be_saved_too() -> None:
    again = Histories()

    again.load(Histories().save())

    assert again.count("") == 0.0
