from typing import Any

from geoscout.frontier.frontier import Frontier
from geoscout.frontier.journal import Changes, Journal
from geoscout.frontier.tables import HOST, REQUEST
from geoscout.sql import Table
from geoscout_places.model import Request, RequestKind
from tests.memory.frontier import MemoryQueues

A, B = "http://a.example/", "http://b.example/"
NOTHING = Changes({}, {}, [])


class Noted(Frontier):
    """A frontier in memory whose changes are noted."""

    def __init__(self, *requests: Request) -> None:
        self.journal = Journal(MemoryQueues())
        super().__init__(self.journal)
        self.put(requests)
        self.journal.take()

    def take(self, now: float = 0.0) -> Request:
        request = self.next(now)
        assert request is not None
        return request

    def changed(self, table: Table, *names: str) -> list[dict[str, Any]]:
        """What changes about these columns of rows, those that were there."""
        updates = self.journal.take().updates
        found = [u for u in updates if u.table is table and set(names) <= set(u.names)]
        return [
            dict(zip(update.names, row, strict=True)) for update in found for row in update.rows
        ]


def test_new_hosts_and_requests_are_noted_once():
    frontier = Noted()
    frontier.put([Request(A), Request(A + "1"), Request(B)])
    frontier.put([Request(A)])

    new = frontier.journal.take().new

    assert [row[1:3] for row in new[HOST]] == [(0, "a.example"), (1, "b.example")]
    assert [row[1:4] for row in new[REQUEST]] == [(1, 0, A), (2, 0, A + "1"), (3, 1, B)]
    assert frontier.journal.take() == NOTHING


def test_taking_a_request_changes_nothing():
    frontier = Noted(Request(A))

    frontier.take()

    assert frontier.journal.take() == NOTHING


def test_what_is_done_is_finished_and_its_host_changes():
    frontier = Noted(Request(A), Request(A + "1"))
    frontier.done(frontier.take(), 10.0, 2.5)
    changes = frontier.journal.take()
    frontier.done(frontier.take(20.0), 20.0, 1.0)  # what was taken stays as it was

    requests, hosts = changes.updates
    assert requests.rows == [(1, None)]
    host = dict(zip(hosts.names, hosts.rows[0], strict=True))
    assert (host["number"], host["free_at"], host["pause"], host["done"]) == (0, 12.5, 2.5, 1)


def test_only_the_last_priority_counts():
    frontier = Noted(Request(A, 0.1))

    frontier.reprioritise([(Request(A), 0.7)])
    frontier.put([Request(A, 0.9, depth=2)])

    changes = frontier.journal.take()
    assert [(u.names[1], u.rows[0][:2]) for u in changes.updates] == [
        ("depth", (1, 2)), ("priority", (1, 0.9)),
    ]  # fmt: skip


def test_tries_add_up_and_a_request_that_wakes_has_no_time():
    frontier = Noted(Request(A))

    frontier.fail(frontier.take(), 0.0, 0.0, 5.0)
    frontier.fail(frontier.take(5.0), 5.0, 0.0, 20.0)
    assert frontier.changed(REQUEST, "later") == [{"number": 1, "later": 20.0, "tries": 2}]

    frontier.take(20.0)
    assert frontier.changed(REQUEST, "later") == [{"number": 1, "later": None, "tries": 0}]


def test_a_request_that_waits_again_forgets_its_tries():
    frontier = Noted(Request(A, 0.5))
    frontier.fail(frontier.take(), 0.0, 0.0, 5.0)
    frontier.done(frontier.take(5.0), 5.0, 0.0)
    frontier.put([Request(A, 0.2, kind=RequestKind.REVISIT)])

    updates = frontier.journal.take().updates
    by_name = {update.names[-1]: update.rows for update in updates if update.table is REQUEST}
    assert by_name["tries"] == [(1, None, 0)]  # after they were set to 0
    assert [update.rows for update in updates if update.names == ("number", "tries")] == [[(1, 0)]]
    assert by_name["priority"] == [(1, 0.2)]
