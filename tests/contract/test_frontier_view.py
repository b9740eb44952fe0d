"""What others see of every frontier, as it was committed last."""

import math
from collections import Counter
from dataclasses import dataclass

import pytest

from geoscout.frontier.base import Bin, HostCounts, HostState, Limits, WaitReason
from geoscout.frontier.frontier import Frontier
from geoscout.frontier.tables import TableView
from geoscout.state.base import Writing
from geoscout_places.model import HELD, Request
from geoscout_places.urls import host_of
from tests.contract.conftest import Kept

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


def seen(crawl: Kept) -> TableView:
    crawl.commit()
    return crawl.look().frontier


def take(crawl: Kept, now: float = 0.0) -> Request:
    request = crawl.state.frontier.next(now)
    assert request is not None
    return request


def host(crawl: Kept, name: str) -> HostState:
    return next(found for found in seen(crawl).hosts(100) if found.host == name)


def test_an_empty_frontier_shows_nothing(crawl):
    view = seen(crawl)

    assert (view.counts().waiting, view.counts().hosts, view.counts().top) == (0, 0, ())
    assert (view.hosts(9), view.best(9), view.bins(9), view.find([A])) == ([], [], [], {})
    assert view.waiting_by_node() == {}


def test_counts_are_those_of_the_frontier(crawl):
    frontier = crawl.state.frontier
    frontier.put([Request(A, 3.0), Request(f"{A}1", 0.1), Request(B, 2.0), Request(C, 1.0)])
    frontier.done(take(crawl), 0.0, 0.0)
    frontier.fail(take(crawl), 0.0, 0.0, None)

    assert seen(crawl).counts(top=5) == frontier.counts(top=5)
    assert seen(crawl).counts(top=1).top == (HostCounts("a.example", 1, 1, 0),)


def test_what_is_in_flight_counts_as_waiting(crawl):
    crawl.state.frontier.put([Request(A)])
    take(crawl)

    counts = seen(crawl).counts()
    assert (counts.waiting, counts.busy) == (1, 0)
    assert [request.url for request in seen(crawl).best(9)] == [A]


def test_the_best_come_first_without_those_held_or_postponed(crawl):
    frontier = crawl.state.frontier
    late = Request(C, 9.0, depth=1, parent=A, node="", features=b"x")
    frontier.put([late, Request(A, 0.5), Request(f"{A}1", 0.7), Request(B, HELD)])
    frontier.fail(take(crawl), 0.0, 0.0, 100.0)

    assert [request.url for request in seen(crawl).best(9)] == [f"{A}1", A]
    assert [request.url for request in seen(crawl).best(1)] == [f"{A}1"]


def test_a_request_is_shown_as_it_was_put(crawl):
    request = Request(A, 0.5, depth=2, distance=1, parent=B, node="north", features=b"x", level=3)
    crawl.state.frontier.put([request])

    assert seen(crawl).best(1) == [request]


def test_another_priority_is_seen(crawl):
    crawl.state.frontier.put([Request(A, 0.1), Request(B, 0.5)])
    crawl.state.frontier.reprioritise([(Request(A), 0.9)])

    assert [(r.url, r.priority) for r in seen(crawl).best(9)] == [(A, 0.9), (B, 0.5)]


def test_bins_go_from_the_lowest_priority_to_the_highest(crawl):
    priorities = [0.0, 0.1, 0.9, 1.0, HELD]
    crawl.state.frontier.put([Request(f"{A}{n}", p) for n, p in enumerate(priorities)])

    assert seen(crawl).bins(2) == [Bin(0.0, 0.5, 2), Bin(0.5, 1.0, 2)]


def test_requests_of_one_priority_are_one_bin(crawl):
    crawl.state.frontier.put([Request(A, 0.5), Request(B, 0.5)])

    assert seen(crawl).bins(10) == [Bin(0.5, 0.5, 2)]


def test_hosts_with_the_most_waiting_come_first_then_those_with_the_most_done(crawl):
    frontier = crawl.state.frontier
    frontier.put([Request(A, 3.0), Request(B, 2.0), Request(f"{C}1", 1.0), Request(f"{C}2", 0.9)])
    frontier.fail(take(crawl), 0.0, 0.0, None)
    frontier.done(take(crawl), 0.0, 0.0)

    shown = [(h.host, h.waiting, h.done, h.failed) for h in seen(crawl).hosts(9)]
    assert shown == [("c.example", 2, 0, 0), ("b.example", 0, 1, 0), ("a.example", 0, 0, 1)]
    assert len(seen(crawl).hosts(1)) == 1


def test_a_host_waits_for_politeness(crawl):
    crawl.state.frontier.put([Request(A, 1.0), Request(f"{A}1", 0.5)])
    crawl.state.frontier.done(take(crawl), 10.0, 5.0)

    found = host(crawl, "a.example")
    assert found.waits_for(12.0) == ("politeness", 15.0)
    assert found.waits_for(15.0) == ("ready", 15.0)


def test_a_host_waits_for_the_next_try(crawl):
    crawl.state.frontier.put([Request(A, 1.0)])
    crawl.state.frontier.fail(take(crawl), 10.0, 0.0, 70.0)

    found = host(crawl, "a.example")
    assert (found.queued, found.postponed) == (0, 1)
    assert found.waits_for(12.0) == ("retry", 70.0)


def test_a_host_is_left_alone_for_a_reason(crawl):
    crawl.state.frontier.put([Request(A, 1.0), Request(B, 1.0)])
    crawl.state.frontier.block("a.example", 50.0, "robots.txt")
    crawl.state.frontier.block("b.example", math.inf, "gone")

    assert host(crawl, "a.example").waits_for(12.0) == ("robots.txt", 50.0)
    assert host(crawl, "a.example").waits_for(50.0) == ("ready", 50.0)
    assert host(crawl, "b.example").waits_for(12.0) == ("gone", math.inf)


def test_a_host_whose_requests_are_all_held_waits_without_a_time(crawl):
    crawl.state.frontier.put([Request(A, HELD), Request(B, HELD), Request(f"{B}1", 0.5)])

    assert host(crawl, "a.example").waits_for(12.0) == ("held", math.inf)
    assert host(crawl, "b.example").waits_for(12.0) == ("ready", 12.0)


def test_a_host_with_nothing_left_waits_for_nothing(crawl):
    crawl.state.frontier.put([Request(A, 1.0)])
    crawl.state.frontier.done(take(crawl), 0.0, 60.0)

    assert host(crawl, "a.example").waits_for(1.0) == ("nothing", 1.0)


def test_a_host_that_has_had_all_its_requests_waits_for_none(backend, tmp_path):
    crawl = Kept(backend, str(tmp_path / "limited"), Writing(limits=Limits(pages_per_host=1)))
    crawl.state.frontier.put([Request(A, 1.0), Request(f"{A}1", 0.5), Request(B, 0.1)])
    crawl.state.frontier.done(take(crawl), 0.0, 0.0)
    crawl.state.frontier.block("a.example", 50.0, "robots.txt")

    assert host(crawl, "a.example").waits_for(1.0) == (WaitReason.BUDGET, math.inf)
    assert host(crawl, "b.example").waits_for(1.0) == (WaitReason.READY, 1.0)
    crawl.close()


def test_reasons_are_those_of_the_frontier(backend, tmp_path):
    """One host for each reason that does not need a request in flight."""
    crawl = Kept(backend, str(tmp_path / "limited"), Writing(limits=Limits(pages_per_host=2)))
    frontier = crawl.state.frontier
    names = ["spent", "polite", "retried", "blocked", "near"]
    frontier.put([Request(f"http://{name}.test/{n}", 1.0) for name in names for n in range(4)])
    frontier.put([Request(f"http://polite.test/{n}", 0.5, node="north") for n in range(3)])
    frontier.put([Request("http://held.test/", HELD), Request("http://spent.test/x", HELD)])
    frontier.block("blocked.test", 50.0, "robots.txt")
    ends = Ends(frontier, {"polite.test": "192.0.2.1", "near.test": "192.0.2.1"})
    ends.end_all(now=0.0)
    ends.end_all(now=1.0)
    frontier.put([Request("http://ready.test/", 0.1)])

    reasons: Counter[str] = Counter()
    for found in seen(crawl).hosts(100):
        for wait in found.waits(2.0):
            reasons[wait.reason] += wait.requests

    assert reasons == dict(frontier.waiting(2.0).reasons)
    assert {"budget", "politeness", "address", "retry", "held", "robots.txt", "ready"} == {*reasons}
    crawl.close()


@dataclass
class Ends:
    """Takes what can be taken, and ends it as the name of its host says."""

    frontier: Frontier
    addresses: dict[str, str]

    def end_all(self, now: float) -> None:
        while (request := self.frontier.next(now)) is not None:
            name = host_of(request.url)
            if self.frontier.bind(name, self.addresses.get(name, ""), now, request.node):
                self._end(request, name, now)

    def _end(self, request: Request, name: str, now: float) -> None:
        if name == "retried.test":
            self.frontier.fail(request, now, 0.0, 90.0)
        else:
            self.frontier.done(request, now, 30.0 if name == "polite.test" else 0.5)


def test_waiting_requests_are_counted_by_node(crawl):
    frontier = crawl.state.frontier
    frontier.put([Request(A, 9.0, node="north"), Request(B, node="north"), Request(A, node="")])
    frontier.done(take(crawl), 0.0, 0.0)

    taken = frontier.next(0.0)
    assert taken is not None
    frontier.fail(taken, 0.0, 0.0, 100.0)
    assert sum(seen(crawl).waiting_by_node().values()) == 2


def test_urls_are_found_with_how_they_came_in(crawl):
    frontier = crawl.state.frontier
    frontier.put([Request(A, 1.0, depth=3, parent=C), Request(B, 0.5, parent=A)])
    frontier.done(take(crawl), 0.0, 0.0)

    found = seen(crawl).find([A, B, "http://never.example/"])
    assert found.keys() == {A, B}
    assert (found[A].waits, found[A].request.depth, found[A].request.parent) == (False, 3, C)
    assert (found[B].waits, found[B].request.priority, found[B].request.parent) == (True, 0.5, A)


@pytest.mark.parametrize("last", ["north", "south"])
def test_of_two_nodes_the_one_that_still_waits_is_found(crawl, last):
    frontier = crawl.state.frontier
    nodes = {"north", "south"}
    frontier.put([Request(A, 1.0, node=(nodes - {last}).pop()), Request(A, 0.5, node=last)])
    taken = take(crawl)
    frontier.done(taken, 0.0, 0.0)

    found = seen(crawl).find([A])[A]
    assert (found.waits, found.request.node) == (True, (nodes - {taken.node}).pop())
