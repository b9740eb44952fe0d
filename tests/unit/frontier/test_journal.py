from __future__ import annotations

from geoscout.frontier.frontier import Frontier
from geoscout.frontier.journal import Changes, Journal, Postponed, Rewritten
from geoscout.frontier.memory import MemoryQueues
from geoscout_places.model import Request, RequestKind

A, B = "http://a.example/", "http://b.example/"


class Noted(Frontier):
    """A frontier in memory whose changes are noted."""

    def __init__(self) -> None:
        self.journal = Journal(MemoryQueues())
        super().__init__(self.journal)


def take(frontier: Noted, now: float = 0.0) -> Request:
    request = frontier.next(now)
    assert request is not None
    return request


def test_nothing_has_changed_at_first() -> None:
    changes = Noted().journal.take()

    assert not changes
    assert changes == Changes(hosts=[], new_hosts=[], new_requests=[])


def test_new_hosts_and_requests_are_noted_once() -> None:
    frontier = Noted()
    frontier.put([Request(A), Request(A + "1"), Request(B)])
    frontier.put([Request(A)])

    changes = frontier.journal.take()

    assert [(host.number, host.name) for host in changes.new_hosts] == [
        (0, "a.example"), (1, "b.example"),
    ]  # fmt: skip
    assert [(number, request.url) for _, number, request in changes.new_requests] == [
        (1, A), (2, A + "1"), (3, B),
    ]  # fmt: skip
    assert not frontier.journal.take()


def test_taking_a_request_changes_nothing() -> None:
    frontier = Noted()
    frontier.put([Request(A)])
    frontier.journal.take()

    take(frontier)

    assert not frontier.journal.take()


def test_what_is_done_is_finished_and_its_host_changes() -> None:
    frontier = Noted()
    frontier.put([Request(A)])
    frontier.journal.take()

    frontier.done(take(frontier), 10.0, 2.5)

    changes = frontier.journal.take()
    assert changes.priorities == {1: None}
    (host,) = changes.hosts
    assert (host.number, host.free_at, host.pause, host.done) == (0, 12.5, 2.5, 1)


def test_only_the_last_priority_counts() -> None:
    frontier = Noted()
    frontier.put([Request(A, 0.1)])
    frontier.journal.take()

    frontier.reprioritise([(Request(A), 0.7)])
    frontier.put([Request(A, 0.9, depth=2)])

    changes = frontier.journal.take()
    assert changes.priorities == {1: 0.9}
    assert changes.rewritten == {1: Rewritten(Request(A, 0.9, depth=2), resets_tries=False)}


def test_tries_add_up_and_a_request_that_wakes_has_no_time() -> None:
    frontier = Noted()
    frontier.put([Request(A)])
    frontier.journal.take()

    frontier.fail(take(frontier), 0.0, 0.0, 5.0)
    frontier.fail(take(frontier, 5.0), 5.0, 0.0, 20.0)
    assert frontier.journal.take().postponed == {1: Postponed(20.0, 2)}

    take(frontier, 20.0)
    assert frontier.journal.take().postponed == {1: Postponed(None, 0)}


def test_a_request_that_waits_again_forgets_its_tries() -> None:
    frontier = Noted()
    frontier.put([Request(A, 0.5)])
    frontier.fail(take(frontier), 0.0, 0.0, 5.0)
    frontier.done(take(frontier, 5.0), 5.0, 0.0)
    again = Request(A, 0.2, kind=RequestKind.REVISIT)

    frontier.put([again])

    changes = frontier.journal.take()
    assert changes.rewritten == {1: Rewritten(again, resets_tries=True)}
    assert changes.priorities == {1: 0.2}
    assert changes.postponed == {1: Postponed(None, 0)}


def test_changes_do_not_change_afterwards() -> None:
    frontier = Noted()
    frontier.put([Request(A), Request(A + "1")])
    frontier.done(take(frontier), 0.0, 1.0)
    changes = frontier.journal.take()

    frontier.done(take(frontier, 5.0), 5.0, 1.0)

    assert changes.hosts[0].done == 1
    assert changes.priorities == {1: None}
