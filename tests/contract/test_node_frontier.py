"""What a frontier promises when nodes share it, one promise a test, on every implementation."""

import random
from collections import Counter

import pytest

from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier
from geoscout.frontier.sqlite import TABLES, SqliteFrontier
from geoscout.store.sqlite.database import open_database
from geoscout_places.model import Request
from geoscout_places.urls import host_of
from tests.memory.frontier import MemoryFrontier

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


@pytest.fixture
def shared(open_frontier):
    """An empty frontier of two nodes."""
    return open_frontier(Limits(near_tie=0))


def north(url: str, priority: float = 0.0) -> Request:
    return Request(url, priority, node="north")


def south(url: str, priority: float = 0.0) -> Request:
    return Request(url, priority, node="south")


def order(frontier: Frontier) -> list[tuple[str, str]]:
    found = []
    while request := frontier.next(0):
        found.append((request.node, request.url))
        frontier.done(request, 0, 0)
    return found


def test_a_url_is_known_to_each_node_by_itself(shared):
    assert shared.put([north(A), south(A), north(A)]) == 2

    assert order(shared) == [("north", A), ("south", A)]


def test_a_url_done_by_one_node_still_waits_at_another(shared):
    shared.put([north(A)])
    order(shared)

    assert shared.put([north(A), south(A)]) == 1
    assert order(shared) == [("south", A)]


def test_nodes_are_served_in_turn_whatever_the_priorities(shared):
    shared.put([north(A, 1), north(B, 1), north(C, 1), south(A, 0.1), south(B, 0.1)])

    assert [node for node, _ in order(shared)] == ["north", "south", "north", "south", "north"]


def test_inside_a_node_the_best_comes_first(shared):
    shared.put([north(A, 0.1), north(B, 0.9), north(C, 0.5)])

    assert [url for _, url in order(shared)] == [B, C, A]


def test_a_host_is_busy_for_all_nodes(shared):
    shared.put([north(A), south(A + "2")])
    request = shared.next(0)
    assert request is not None

    assert shared.next(0) is None
    assert shared.waiting(0).reasons == (("busy", 1),)
    shared.done(request, 0, 0)
    assert shared.next(0) is not None


def test_a_pause_holds_for_all_nodes(shared):
    shared.put([north(A), south(A + "2"), north(A + "3")])
    request = shared.next(0)
    assert request is not None
    shared.done(request, 0, 5)

    assert shared.next(4) is None
    assert shared.wake_at(4) == 5
    assert shared.waiting(4).reasons == (("politeness", 2),)
    assert shared.next(5) is not None
    assert shared.next(5) is None


def test_a_block_holds_for_all_nodes_and_those_to_come(shared):
    shared.put([north(A)])
    shared.block("a.example", 10, "robots")
    shared.put([south(A)])

    assert shared.next(9) is None
    assert shared.waiting(9).reasons == (("robots", 2),)
    assert shared.next(10) is not None


def test_a_host_nobody_knows_can_be_blocked(shared):
    shared.block("a.example", 10, "robots")
    shared.put([south(A)])

    assert shared.next(9) is None
    assert shared.next(10) is not None


def test_an_address_is_busy_for_all_nodes(shared):
    shared.put([north(A), south(B)])
    first = shared.next(0)
    second = shared.next(0)
    assert first is not None
    assert second is not None

    assert shared.bind(host_of(first.url), "192.0.2.1", 0, first.node)
    assert not shared.bind(host_of(second.url), "192.0.2.1", 0, second.node)
    shared.done(first, 0, 0)
    assert shared.next(0) == second


def test_what_waits_for_an_address_leaves_its_host_to_nobody_else_too_early(shared):
    shared.put([north(A), south(B), north(B + "2")])
    first = shared.next(0)
    second = shared.next(0)
    assert first is not None
    assert second is not None
    shared.bind("a.example", "192.0.2.1", 0, first.node)
    shared.bind("b.example", "192.0.2.1", 0, second.node)  # refused: its request waits again

    if other := shared.next(0):  # of the other node, which does not know the address yet
        assert not shared.bind("b.example", "192.0.2.1", 0, other.node)
    shared.done(first, 0, 0)
    assert sorted(url for _, url in order(shared)) == [B, B + "2"]


def test_a_host_with_two_addresses_is_still_asked_by_one_node_at_a_time(shared):
    shared.put([north(A), south(A + "2")])
    first = shared.next(0)
    assert first is not None
    assert shared.bind("a.example", "192.0.2.1", 0, first.node)

    assert shared.next(0) is None
    shared.done(first, 0, 3)
    assert shared.next(2) is None
    second = shared.next(3)
    assert second is not None
    assert shared.bind("a.example", "192.0.2.2", 3, second.node)


def test_a_node_that_meets_a_busy_host_waits_for_it(shared):
    shared.put([north(A)])
    first = shared.next(0)
    assert first is not None
    shared.put([south(A)])

    assert shared.next(0) is None
    shared.done(first, 0, 0)
    assert shared.next(0) is not None


def test_the_budget_of_a_host_is_that_of_all_nodes(open_frontier):
    frontier = open_frontier(Limits(pages_per_host=2))
    frontier.put([north(A), south(A), north(A + "2"), south(A + "2")])

    assert len(order(frontier)) == 2
    assert frontier.waiting(0).reasons == (("budget", 2),)


def test_a_later_process_goes_on_where_the_last_commit_was(tmp_path):
    connection = open_database(tmp_path, [TABLES])
    limits = Limits()
    before = SqliteFrontier(connection, limits)
    before.put([north(A), south(A), south(B), north(A + "2")])
    request = before.next(0)
    assert request is not None
    before.done(request, 0, 7)
    before.block("b.example", 100, "robots")
    before.flush()

    after = SqliteFrontier(connection, limits)

    assert after.put([north(A), south(A)]) == 0
    assert after.next(6) is None  # the pause holds for the other node in the next process too
    assert after.next(7) is not None
    assert after.next(7) is None
    connection.close()


@pytest.mark.parametrize("random_seed", range(20))
def test_a_host_and_an_address_have_one_request_at_a_time_and_all_are_done(random_seed):
    chance = random.Random(random_seed)
    nodes = ("a", "b", "c")
    frontier = MemoryFrontier(Limits(near_tie=chance.choice([0, 0.01])))
    hosts = [f"h{number}.example" for number in range(6)]
    address = {host: f"192.0.2.{number % 4}" for number, host in enumerate(hosts)}
    wanted = [
        Request(f"http://{host}/{page}", chance.random(), node=node)
        for host in hosts
        for page in range(5)
        for node in nodes
    ]
    frontier.put(wanted)
    flying: list[Request] = []
    asked: Counter[tuple[str, str]] = Counter()
    free_at = dict.fromkeys([*hosts, *address.values()], 0.0)
    now = 0.0
    for _ in range(5000):
        if len(asked) == len(wanted) and not flying:
            break
        request = frontier.next(now)
        if request is None:
            if flying:
                _finish(frontier, flying, chance, now, free_at, address)
            now += 0.5
            continue
        host = host_of(request.url)
        if not frontier.bind(host, address[host], now, request.node):
            continue
        assert free_at[host] <= now
        assert free_at[address[host]] <= now
        assert all(host_of(other.url) != host for other in flying)
        assert all(address[host_of(other.url)] != address[host] for other in flying)
        asked[request.node, request.url] += 1
        flying.append(request)

    assert len(asked) == len(wanted)
    assert max(asked.values()) == 1


def _finish(
    frontier: Frontier,
    flying: list[Request],
    chance: random.Random,
    now: float,
    free_at: dict[str, float],
    address: dict[str, str],
) -> None:
    request = flying.pop(chance.randrange(len(flying)))
    delay = chance.choice([0.0, 1.0, 2.5])
    frontier.done(request, now, delay)
    host = host_of(request.url)
    free_at[host] = now + delay
    free_at[address[host]] = max(free_at[address[host]], now + delay)


def test_a_page_to_be_seen_again_makes_room_for_the_host_in_every_node(open_frontier):
    frontier = open_frontier(Limits(pages_per_host=1))
    frontier.put([north(A), south(A)])
    assert order(frontier) == [("north", A)]  # the budget of both nodes is spent

    frontier.put([Request(A, node="north", kind="revisit")])

    assert order(frontier) == [("south", A)]  # whose turn it is
