from __future__ import annotations

import sqlite3

from geoscout.web.dashboard.curve import HarvestCurve


def visits(rows: int, first: int = 1) -> list[tuple[int, int, int, float]]:
    return [(n, 1, int(n % 10 == 0), float(n)) for n in range(first, first + rows)]


def connection() -> sqlite3.Connection:
    opened = sqlite3.connect(":memory:")
    opened.execute("CREATE TABLE visit (n INTEGER PRIMARY KEY, is_page, relevant, fetched_at REAL)")
    return opened


def add(opened: sqlite3.Connection, rows: list[tuple[int, int, int, float]]) -> None:
    opened.executemany("INSERT INTO visit VALUES (?, ?, ?, ?)", rows)


def test_a_long_crawl_has_no_more_points_than_a_screen() -> None:
    opened = connection()
    add(opened, visits(10_000))

    curve = HarvestCurve().read(opened)

    assert len(curve["visits"]) <= 601
    assert (curve["visits"][-1], curve["relevant"][-1]) == (10_000, 1000)


def test_a_curve_read_in_parts_is_the_same_as_one_read_at_once() -> None:
    opened, growing = connection(), HarvestCurve()
    for part in range(7):
        add(opened, visits(300, 300 * part + 1))
        in_parts = growing.read(opened)

    assert in_parts == HarvestCurve().read(opened)


def test_a_crawl_that_has_not_begun_has_an_empty_curve() -> None:
    opened = connection()

    assert HarvestCurve().read(opened)["visits"] == []
    assert HarvestCurve().totals(opened).visits == 0
