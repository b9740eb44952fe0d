"""What became of links so far, by group."""

from __future__ import annotations

import numpy as np
import pytest

from geoscout.strategy.histories import Groups, Histories


def groups(*numbers: int) -> Groups:
    return np.array(numbers, np.uint32)


def test_group_without_outcomes_says_nothing() -> None:
    assert Histories().evidence(groups(1, 2)).tolist() == [0.0, 0.0]


def test_more_relevant_pages_are_more_evidence() -> None:
    histories = Histories()
    good, bad = groups(1), groups(2)
    for n in range(10):
        histories.add(good, 1.0)
        histories.add(bad, 0.0)
        if n == 0:
            early = histories.evidence(groups(1, 2))

    late = histories.evidence(groups(1, 2))

    assert late[1] < early[1] < 0 < early[0]
    assert np.isfinite(late).all()


def test_links_of_a_page_are_looked_up_at_once() -> None:
    histories = Histories()
    histories.add(groups(1, 2), 1.0)

    found = histories.evidence(np.array([[1, 2], [1, 9]], np.uint32))

    assert found.shape == (2, 2)
    assert found[0, 0] == found[0, 1] == found[1, 0] > 0
    assert found[1, 1] == pytest.approx(0)


def test_group_that_meets_another_in_its_place_is_forgotten() -> None:
    histories = Histories(bits=4)
    histories.add(groups(3), 1.0)

    histories.add(groups(3 + 16), 0.0)

    assert histories.count(groups(3, 19)).tolist() == [0.0, 1.0]


def test_histories_go_on_from_what_was_saved() -> None:
    histories, again = Histories(), Histories()
    histories.add(groups(70_000_001, 2), 1.0)

    again.load(histories.save())

    both = groups(70_000_001, 2)
    assert again.evidence(both).tolist() == histories.evidence(both).tolist()
    assert again.share == histories.share


def test_nothing_can_be_saved_too() -> None:
    again = Histories()

    again.load(Histories().save())

    assert again.count(groups(0)).tolist() == [0.0]
