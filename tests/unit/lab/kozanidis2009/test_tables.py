from __future__ import annotations

from typing import Any

from geoscout.lab.kozanidis2009.tables import tables


def run(strategy: str, accuracy: float, **more: Any) -> dict[str, Any]:
    shares = dict.fromkeys(("5%", "10%", "25%", "50%", "100%"), accuracy)
    figures = {
        "web": "w",
        "region": "r",
        "random_seed": 0,
        "accuracy": accuracy,
        "precision": accuracy,
        "geo_found_at": shares,
        "geo_auc": accuracy,
    }
    return {"strategy": strategy, **figures, **more}


AS_PRINTED = "rank:registrations=world"
RUNS = [
    run(AS_PRINTED, 0.9),
    run(f"{AS_PRINTED}:order=fifo", 0.8),
    run("anchors", 0.5),
    run("rank", 0.7),
]


def test_published_accuracies_stand_beside_ours() -> None:
    comparison = tables(RUNS)[2]

    assert comparison.rows[0][:3] == (AS_PRINTED, 0.9, 0.8928)
    assert comparison.rows[2][:3] == ("anchors", 0.5, 0.7125)


def test_order_is_compared_web_by_web() -> None:
    other = run(AS_PRINTED, 0.1, web="x")

    order = tables([*RUNS, other])[3]

    assert order.rows[0] == (
        f"{AS_PRINTED}: geographic pages, first 5%",
        *(0.9, 0.8, "1 of 1"),
    )
    assert order.rows[-1] == (f"{AS_PRINTED}: area", 0.9, 0.8, "1 of 1")


def test_missing_strategies_leave_gaps() -> None:
    accuracy, _, _, order, *_ = tables([run("breadth", 1.0)])

    assert [row[1] for row in accuracy.rows] == [None, None, None]
    assert order.rows == ()


def test_links_that_are_not_followed_are_told_apart() -> None:
    counts = {"links_admitted": 1, "links_no place": 3, "links_far apart": 0}

    table = tables([{**run(AS_PRINTED, 0.9), **counts}])[-1]

    assert table.rows == ((AS_PRINTED, 0.25, 0.75, 0.0, 0.0, 0.0),)
