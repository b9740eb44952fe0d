from __future__ import annotations

import math

import pytest

from geoscout_cluster.budget import draw, draw_more, ensure_budget, granted, keep_only, set_budget
from geoscout_cluster.lane import say_rest, write_figures
from geoscout_cluster.postgres.database import Connection
from geoscout_cluster.postgres.leases import Lease, claim
from geoscout_places.errors import FencedError


def leases(connection: Connection) -> list[Lease]:
    found = [claim(connection.cursor(), "ann", number) for number in range(3)]
    return [lease for lease in found if lease is not None]


def test_without_a_limit_there_are_no_tickets(connection: Connection) -> None:
    set_budget(connection.cursor(), None)

    assert granted(connection.cursor(), 0) is None


def test_all_tickets_are_drawn_and_no_more(connection: Connection) -> None:
    cursor, held = connection.cursor(), leases(connection)
    set_budget(cursor, 500)

    drawn = [draw(cursor, held[n % 3]) for n in range(60)]

    assert sum(drawn) == 500
    assert drawn[0] == 64
    assert drawn[-1] == 0
    assert sum(granted(cursor, lease.partition) or 0 for lease in held) == 500


def test_what_is_given_back_can_be_drawn_by_others(connection: Connection) -> None:
    cursor, (first, second, _) = connection.cursor(), leases(connection)
    set_budget(cursor, 6)
    while draw(cursor, first):
        pass
    keep_only(cursor, first, 1)
    keep_only(cursor, first, 4)  # it has no more than one any more

    assert draw(cursor, second) == 1
    assert (granted(cursor, 0), granted(cursor, 1)) == (1, 1)


def test_the_row_tells_what_was_drawn(connection: Connection) -> None:
    """Also by a draw whose answer was lost."""
    cursor, (first, *_) = connection.cursor(), leases(connection)
    set_budget(cursor, 8)
    draw(cursor, first)

    assert draw_more(cursor, first) == 2
    set_budget(cursor, None)
    assert draw_more(cursor, first) == math.inf


def test_a_higher_limit_counts_what_was_granted(connection: Connection) -> None:
    cursor, (first, *_) = connection.cursor(), leases(connection)
    set_budget(cursor, 6)
    while draw(cursor, first):
        pass

    set_budget(cursor, 8)
    assert draw(cursor, first) == 1
    set_budget(cursor, 3)  # less than it has had already

    assert draw(cursor, first) == 0


def test_a_replaced_owner_draws_nothing(connection: Connection) -> None:
    cursor, (first, *_) = connection.cursor(), leases(connection)
    set_budget(cursor, 100)
    stale = Lease(first.partition, first.epoch - 1, 0, was_clean=True)

    with pytest.raises(FencedError):
        draw(cursor, stale)


def test_a_limit_that_was_set_is_not_set_again(connection: Connection) -> None:
    cursor, (first, *_) = connection.cursor(), leases(connection)
    ensure_budget(cursor, 2)
    set_budget(cursor, 100)
    ensure_budget(cursor, 2)  # as the next worker does, by what the crawl was asked for

    assert draw(cursor, first) == 16


def test_visits_without_tickets_count(connection: Connection) -> None:
    cursor, (first, *_) = connection.cursor(), leases(connection)
    cursor.execute("INSERT INTO harvest VALUES (0, 1, 0, 0, 5, 5, 0, 0)")
    ensure_budget(cursor, 7)
    drawn = [draw(cursor, first) for _ in range(4)]

    assert drawn == [1, 1, 0, 0]
    assert granted(cursor, 0) == 7


@pytest.mark.parametrize(("known", "rest"), [(3, ""), (5, "spent"), (None, "spent")])
def test_a_lane_that_has_drawn_tickets_does_not_say_that_it_rests(
    connection: Connection, known: int | None, rest: str
) -> None:
    cursor, held = connection.cursor(), leases(connection)
    cursor.execute("UPDATE partition SET granted = 5, rest = '' WHERE number = 1")
    row = {"number": 1, "epoch": held[1].epoch, "rest": "spent", "granted": known}

    assert say_rest(cursor, row) == bool(rest)
    assert cursor.execute("SELECT rest FROM partition WHERE number = 1").fetchone() == (rest,)
    assert not say_rest(cursor, row | {"epoch": held[1].epoch - 1, "granted": None})


@pytest.mark.parametrize(("works", "rest"), [(True, ""), (False, "empty")])
def test_a_group_says_only_that_its_lane_works(
    connection: Connection, works: bool, rest: str
) -> None:
    cursor = connection.cursor()
    cursor.execute("UPDATE partition SET rest = 'empty' WHERE number = 1")
    row = {"waiting": 1, "done": 2, "failed": 0, "hosts": 1, "number": 1, "works": works}
    write_figures(cursor, row)

    found = cursor.execute("SELECT rest, done FROM partition WHERE number = 1").fetchone()
    assert found == (rest, 2)
