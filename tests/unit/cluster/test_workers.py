"""Figures of a worker for Prometheus, while it works."""

import asyncio
import re
from collections.abc import Mapping

from geoscout.store.base import Overview, PartitionRow, Rest, WorkerRow
from geoscout_cluster.command import overview_as_json, show_overview
from geoscout_cluster.worker import Worker
from geoscout_cluster.workers import joined, worker_metrics_text, worker_progress
from tests.unit.cluster.small_crawl import TERMS, Small

LABELS = re.compile(r'geoscout_(\w+)\{worker="([^"]+)",partition="(\d)"\} (\S+)')


def by_partition(text: str) -> Mapping[str, dict[str, float]]:
    """The value of each figure, by its name and by partition."""
    found: dict[str, dict[str, float]] = {}
    for name, _, partition, value in LABELS.findall(text):
        found.setdefault(name, {})[partition] = float(value)
    return found


async def until_written(worker: Worker) -> tuple[str, dict[str, object]]:
    """What a worker shows and tells when all of its three partitions have written something."""
    text, told = "", {}
    running = asyncio.create_task(worker.run())
    while not running.done():
        shown = worker_metrics_text(worker)
        written = by_partition(shown).get("groups_total", {})
        if len(written) == 3 and all(written.values()):
            text, told = shown, worker_progress(worker)
        await asyncio.sleep(0.05)
    await running
    return text, told


def test_each_partition_of_a_worker_has_its_figures(
    postgres_address, tmp_path, settings, gazetteer
):
    small = Small(postgres_address, tmp_path, settings, gazetteer)
    small.begin()

    async def act() -> tuple[str, dict[str, object]]:
        async with joined(small.where, settings, gazetteer, TERMS) as worker:
            return await until_written(worker)

    text, told = asyncio.run(act())

    figures = by_partition(text)
    assert (told["partitions"], told["responses"]) == (3, sum(figures["visits_total"].values()))
    assert told["waiting"] == sum(figures["frontier_waiting"].values())
    assert set(figures["visits_total"]) == {"0", "1", "2"}
    assert sum(figures["visits_total"].values()) > 3
    assert all(0 < seconds <= 5.0 for seconds in figures["lease_seconds_left"].values())
    assert all(seconds > 0 for seconds in figures["restore_seconds"].values())
    assert all(seconds > 0 for seconds in figures["group_seconds_total"].values())
    names = {"groups_under_way", "exchange_rows_waiting", "address_refused_total"}
    assert names <= figures.keys()
    assert re.search(r'^geoscout_fenced_total\{worker="[^":]+/\d+"\} 0$', text, re.MULTILINE)
    types = re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)
    assert len(types) == len(set(types))


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


def test_json_has_the_whole_name_and_the_one_that_people_see():
    shown = overview_as_json(FOUND)

    assert [(row["name"], row["short_name"]) for row in shown["workers"]] == [
        (NAME, "crawler-3/4711")
    ]
    assert [(row["owner"], row["worker"]) for row in shown["partitions"]] == [
        (NAME, "crawler-3/4711"), (NAME, ""), (NAME, "crawler-3/4711"),
    ]  # fmt: skip


def test_tables_have_short_names_and_say_what_each_partition_does(capsys):
    show_overview(FOUND)

    shown = capsys.readouterr().out
    assert "crawler-3/4711" in shown
    assert "829301" not in shown
    for state in ("works", "nobody works on it", "--max-pages is used up"):
        assert state in shown
