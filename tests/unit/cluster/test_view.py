from __future__ import annotations

import pytest

from geoscout.store.base import Overview, PartitionRow, Rest, WorkerRow
from geoscout_cluster.view import overview_as_json, show_overview

NAME = "crawler-3:0c1f-77/4711/829301"


def partition(number: int, seconds_left: float, rest: Rest = Rest.NONE) -> PartitionRow:
    return PartitionRow(
        number=number,
        owner=NAME,
        epoch=1,
        seconds_left=seconds_left,
        rest=rest,
        waiting=5,
        done=1,
        failed=0,
        hosts=1,
        parcels=0,
    )


FOUND = Overview(
    has_ended=False,
    workers=[WorkerRow(NAME, "crawler-3", "1.0", 4.0, seconds_here=9.0)],
    partitions=[partition(0, 5.0), partition(1, -70.0), partition(2, 5.0, Rest.SPENT)],
)


def test_json_has_the_whole_name_and_the_one_that_people_see() -> None:
    shown = overview_as_json(FOUND)

    assert [(row["name"], row["short_name"]) for row in shown["workers"]] == [
        (NAME, "crawler-3/4711")
    ]
    assert [(row["owner"], row["worker"]) for row in shown["partitions"]] == [
        (NAME, "crawler-3/4711"), (NAME, ""), (NAME, "crawler-3/4711"),
    ]  # fmt: skip


def test_tables_have_short_names_and_say_what_each_partition_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_overview(FOUND)

    shown = capsys.readouterr().out
    assert "crawler-3/4711" in shown
    assert "829301" not in shown
    for state in ("works", "nobody works on it", "--max-pages is used up"):
        assert state in shown
