"""Where one resource is far scarcer than the rest, the rate can be worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geoscout.lab.scale.predict import focus_of, predict
from geoscout.lab.scale.sizes import ClusterSize, HostPopulation, Machine, PageCosts, Server

EASY = HostPopulation(delay_seconds=0.0, answer_seconds=0.1, answer_spread=0.0)
ONE = ClusterSize(1, 1_000_000, hosts=EASY)


def test_cores_limit_a_worker_with_many_hosts() -> None:
    found = predict(replace(ONE, page=PageCosts(worker_cpu=0.02), machine=Machine(2, 50)))
    assert found.pages_per_second == pytest.approx(2 / 0.02, rel=0.03)
    assert found.limit == "cores of the workers"
    assert found.idle < 0.03


def test_connections_limit_a_worker_of_slow_hosts() -> None:
    slow = replace(EASY, answer_seconds=2.0)
    size = replace(ONE, hosts=slow, page=PageCosts(worker_cpu=0.001), machine=Machine(2, 10))
    found = predict(size)
    assert found.pages_per_second == pytest.approx(10 / 2.0, rel=0.1)
    assert found.limit == "connections"


def test_pauses_limit_a_worker_with_few_hosts() -> None:
    few = HostPopulation(urls_per_host=100, in_play=1.0, delay_seconds=1.0, answer_seconds=0.25)
    few = replace(few, answer_spread=0.0)
    found = predict(ClusterSize(1, 1_000, hosts=few))
    assert found.pages_per_second == pytest.approx(10 / 1.25, rel=0.1)
    assert found.limit == "hosts"


def test_the_cores_of_the_server_limit_many_workers() -> None:
    server = Server(cores=4, log_bytes_per_second=1e12)
    size = replace(ONE, workers=500, urls=500_000_000, server=server, most_outcomes=1)
    found = predict(replace(size, page=PageCosts(server_cpu=0.001)))
    assert found.pages_per_second == pytest.approx(4 / 0.001, rel=0.05)
    assert found.limit == "PostgreSQL's cores"


def test_the_log_limits_many_workers_and_a_second_server_helps() -> None:
    size = replace(ONE, workers=100, urls=100_000_000, most_outcomes=1)
    size = replace(size, server=Server(log_bytes_per_second=16e6))
    one, two = predict(size), predict(replace(size, server=replace(size.server, servers=2)))
    assert one.pages_per_second == pytest.approx(16e6 / size.page.log_bytes, rel=0.05)
    assert one.limit == "PostgreSQL's disk"
    assert two.pages_per_second == pytest.approx(2 * one.pages_per_second, rel=0.05)


def test_learning_from_everybody_costs_the_worker() -> None:
    """With 100 workers of 100 pages a second, hearing all costs more than reading pages."""
    size = replace(ONE, workers=100, urls=100_000_000, server=Server(servers=50))
    sample, everything = (
        predict(replace(size, most_outcomes=100)),
        predict(replace(size, most_outcomes=0)),
    )
    assert everything.pages_per_second < 0.6 * sample.pages_per_second


def test_what_a_dead_worker_costs() -> None:
    size = replace(ONE, workers=10, urls=100_000_000, partitions_per_worker=4)
    found = predict(size)
    even = 100_000_000 / 40 * size.url.restore_cpu
    assert even < found.restore_seconds < 1.5 * even
    assert found.takeover_seconds == size.lease_seconds + found.restore_seconds
    assert found.memory_bytes == size.machine.base_bytes + 10_000_000 * size.url.memory_bytes


def test_a_worker_cannot_know_more_urls_than_its_memory_holds() -> None:
    size = replace(ONE, urls=1_000_000_000)
    assert predict(size).limit == "memory of the workers"
    assert predict(replace(size, workers=100)).limit != "memory of the workers"


def test_one_worker_exchanges_nothing() -> None:
    assert predict(ONE).exchanged_per_second == 0
    assert predict(replace(ONE, workers=4)).exchanged_per_second > 0


def test_focus_falls_with_the_number_of_workers() -> None:
    found = [focus_of(workers) for workers in (1, 2, 4, 16, 64, 1000)]
    assert found == sorted(found, reverse=True)
    assert found[0] == 1.0
    assert 0 < found[-1] < found[-2]
