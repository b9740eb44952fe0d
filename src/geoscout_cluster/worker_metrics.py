"""Figures of one worker of a cluster for Prometheus: those of each of its partitions."""

from __future__ import annotations

from collections.abc import Iterator

from geoscout.cli.show.metrics import Figure, crawl_figures, figures_text
from geoscout.store.base import short_name
from geoscout_cluster.lane import Lane
from geoscout_cluster.worker import Worker


def worker_metrics_text(worker: Worker) -> str:
    """The figures of a worker in the text form of Prometheus."""
    return figures_text(_figures(worker))


def _figures(worker: Worker) -> Iterator[Figure]:
    label = {"worker": short_name(worker.name)}
    yield Figure("partitions_held", "gauge", len(worker.lanes), label)
    yield Figure("fenced_total", "counter", worker.times_fenced, label)
    yield Figure("database_lost", "gauge", int(worker.is_lost), label)
    for number, lane in sorted(worker.lanes.items()):
        labels = {**label, "partition": number}
        yield from crawl_figures(lane.crawl, labels)
        yield from _lane_figures(lane, labels)


def _lane_figures(lane: Lane, labels: dict[str, object]) -> Iterator[Figure]:
    groups = lane.groups
    for name, kind, value in (
        ("lease_seconds_left", "gauge", round(max(lane.lease_seconds_left, 0.0), 3)),
        ("groups_total", "counter", groups.written),
        ("group_seconds_total", "counter", round(groups.seconds, 3)),
        ("groups_under_way", "gauge", groups.under_way),
        ("exchange_rows_waiting", "gauge", lane.rows_waiting),
        ("address_refused_total", "counter", lane.rents.times_refused),
        ("restore_seconds", "gauge", round(lane.restore_seconds, 3)),
    ):
        yield Figure(name, kind, value, labels)
