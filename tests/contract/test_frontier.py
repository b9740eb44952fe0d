"""What every frontier promises, one promise a test; runs on every implementation."""

import math
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from geoscout.frontier.base import Limits
from geoscout.frontier.frontier import Frontier
from geoscout_places.model import HELD, Request, RequestKind
from geoscout_places.urls import host_of

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


def take(frontier: Frontier, now: float = 0.0) -> Request:
    request = frontier.next(now)
    assert request is not None
    return request


def order(frontier: Frontier) -> list[str]:
    """The URLs in the order in which they come when nothing has to wait."""
    urls = []
    while request := frontier.next(0):
        urls.append(request.url)
        frontier.done(request, 0, 0)
    return urls


def test_an_empty_frontier_has_nothing_and_waits_for_nothing(frontier):
    assert frontier.next(0) is None
    assert frontier.wake_at(0) is None
    assert frontier.waiting(0).reasons == ()
    assert frontier.waiting(0).until is None


def test_a_request_comes_back_as_it_was_put(frontier):
    request = Request(A, 0.1, depth=2, distance=1, parent=B, node="north", features=b"x")
    frontier.put([request])

    assert frontier.next(0) == request


def test_new_requests_are_counted_once(frontier):
    assert frontier.put([Request(A), Request(B), Request(A)]) == 2
    assert frontier.put([Request(A), Request(C)]) == 1


def test_a_url_that_is_done_never_comes_again(frontier):
    frontier.put([Request(A)])
    frontier.done(take(frontier), 0, 0)

    assert frontier.put([Request(A, 9.0)]) == 0
    assert frontier.next(0) is None


def test_a_url_that_is_done_comes_again_to_be_revisited(frontier):
    frontier.put([Request(A, 0.5)])
    frontier.done(take(frontier), 0, 0)
    again = Request(A, 0.2, depth=1, kind=RequestKind.REVISIT)

    new = frontier.put([again, again])

    assert new == 0
    assert take(frontier) == again
    assert frontier.counts().done == 0


def test_higher_priority_comes_first_within_a_host(frontier):
    frontier.put([Request(A + "low", 1), Request(A + "high", 3), Request(A + "middle", 2)])

    assert order(frontier) == [A + "high", A + "middle", A + "low"]


def test_higher_priority_comes_first_among_hosts(frontier):
    frontier.put([Request(A, 1), Request(B, 3), Request(C, -2)])

    assert order(frontier) == [B, A, C]


def test_equals_of_a_host_come_in_the_order_they_were_put(frontier):
    urls = [f"{A}{number}" for number in (3, 1, 2)]
    frontier.put([Request(url) for url in urls])

    assert order(frontier) == urls


def test_a_waiting_request_is_replaced_by_one_of_higher_priority(frontier):
    frontier.put([Request(A, 1, depth=7, parent=B)])
    better = Request(A, 2, depth=1, parent=C)

    assert frontier.put([better]) == 0
    assert frontier.next(0) == better


def test_a_waiting_request_is_not_replaced_by_one_of_lower_priority(frontier):
    frontier.put([Request(A, 2, parent=B)])
    frontier.put([Request(A, 1, parent=C), Request(A, 2, parent=C)])

    assert frontier.next(0) == Request(A, 2, parent=B)


def test_the_better_of_two_in_one_batch_is_kept(frontier):
    frontier.put([Request(A, 1), Request(A, 3), Request(A, 2)])

    assert take(frontier).priority == 3


def test_a_request_in_flight_may_be_raised_and_finished(frontier):
    frontier.put([Request(A, 1)])
    request = take(frontier)
    frontier.put([Request(A, 2)])
    frontier.done(request, 0, 0)

    assert frontier.next(0) is None
    assert frontier.counts().done == 1


def test_a_request_raised_in_flight_goes_back_raised(frontier):
    frontier.put([Request(A, 2), Request(B, 1)])
    first = take(frontier)
    take(frontier)
    frontier.bind("a.example", "192.0.2.1", 0)
    frontier.put([Request(B, 3)])

    assert not frontier.bind("b.example", "192.0.2.1", 0)
    frontier.done(first, 0, 0)
    assert frontier.next(0) == Request(B, 3)


@pytest.mark.parametrize("priority", [math.nan, math.inf, -math.inf])
def test_a_priority_that_is_not_finite_is_refused(frontier, priority):
    with pytest.raises(ValueError, match="finite"):
        frontier.put([Request(A), Request(B, priority)])

    assert frontier.counts().waiting == 0


def test_a_host_is_asked_one_thing_at_a_time(frontier):
    frontier.put([Request(A + "1"), Request(A + "2")])
    take(frontier)

    assert frontier.next(0) is None
    assert frontier.waiting(0).reasons == (("busy", 1),)
    assert frontier.wake_at(0) is None


def test_a_host_is_left_alone_for_the_delay(frontier):
    frontier.put([Request(A + "1"), Request(A + "2")])
    frontier.done(take(frontier, 10), 12, 3)

    assert frontier.next(14.9) is None
    assert frontier.wake_at(14.9) == 15
    assert frontier.waiting(14.9).reasons == (("politeness", 1),)
    assert frontier.waiting(14.9).until == 15
    assert take(frontier, 15).url == A + "2"


def test_hosts_of_one_address_are_not_asked_at_the_same_time(frontier):
    frontier.put([Request(A), Request(B)])
    first, second = take(frontier), take(frontier)

    assert frontier.bind("a.example", "192.0.2.1", 0)
    assert not frontier.bind("b.example", "192.0.2.1", 0)
    assert frontier.next(0) is None
    assert frontier.waiting(0).reasons == (("address", 1),)
    frontier.done(first, 1, 2)
    assert frontier.next(2) is None
    assert frontier.wake_at(2) == 3
    assert frontier.next(3) == second


def test_an_address_that_rests_is_not_asked_before_its_time(frontier):
    frontier.put([Request(A), Request(B)])
    first = take(frontier)
    frontier.rest_address("192.0.2.1", 5)

    assert not frontier.bind("a.example", "192.0.2.1", 0)
    second = take(frontier)
    assert second != first
    assert not frontier.bind("b.example", "192.0.2.1", 0)
    assert frontier.next(4.9) is None
    assert frontier.wake_at(4.9) == 5
    third = take(frontier, 5)
    assert frontier.bind(host_of(third.url), "192.0.2.1", 5)


def test_a_host_taken_before_its_address_came_to_rest_goes_back(frontier):
    frontier.put([Request(A + "1"), Request(A + "2")])
    request = take(frontier)
    frontier.bind("a.example", "192.0.2.1", 0)
    frontier.done(request, 0, 0)
    take(frontier, 1)
    frontier.rest_address("192.0.2.1", 3)

    assert not frontier.bind("a.example", "192.0.2.1", 1)
    assert frontier.next(2) is None
    assert take(frontier, 3).url == A + "2"
    assert frontier.bind("a.example", "192.0.2.1", 3)


def test_a_frontier_promises_its_best(frontier):
    assert frontier.promises(0) == {}
    frontier.put([Request(A, 0.25), Request(B, 0.75)])
    assert frontier.promises(0) == {"": pytest.approx(0.75, abs=0.01)}
    request = take(frontier)
    frontier.done(request, 0, 0)
    assert take(frontier).url == A  # and the outdated entry is dropped
    assert frontier.promises(0) == {}


def test_requests_wait_for_what_others_promise(frontier):
    frontier.put([Request(A, 0.1)])
    frontier.hear_promises({"": 0.9})

    assert frontier.next(0, 0.2) is None
    wake_at = frontier.wake_at(0, 0.2)
    assert wake_at is not None
    assert 0 < wake_at <= 1  # it is not the end: the others may have nothing by then
    assert frontier.next(0, 0.1) is not None


def test_requests_go_on_when_others_promise_no_more(frontier):
    frontier.put([Request(A, 0.1)])
    frontier.hear_promises({"": 0.9, "other": 5.0})
    frontier.hear_promises({"other": 5.0})

    assert frontier.next(0, 0.2) is not None


def test_hosts_of_known_addresses_are_held_back_before_they_are_resolved(frontier):
    frontier.put([Request(f"{host}{page}") for host in (A, B) for page in "12"])
    for host in ("a.example", "b.example"):
        request = take(frontier)
        frontier.bind(host, "192.0.2.1", 0)
        frontier.done(request, 0, 0)
    take(frontier)

    assert frontier.next(0) is None


def test_every_host_of_a_crowded_address_gets_its_turn(frontier):
    hosts = [f"host{number}.example" for number in range(20)]
    frontier.put([Request(f"http://{host}/{page}") for host in hosts for page in "123"])
    asked = []
    now = 0.0
    for _ in range(200):
        while (request := frontier.next(now)) is not None:
            host = request.url.split("/")[2]
            if frontier.bind(host, "192.0.2.1", now):
                asked.append((host, now))
                frontier.done(request, now, 1)
        now = frontier.wake_at(now) or now

    assert [now for _, now in asked] == [float(second) for second in range(60)]
    assert {host for host, _ in asked[:20]} == set(hosts)


def test_a_blocked_host_does_not_hold_up_the_others_of_its_address(frontier):
    hosts = ["a.example", "b.example", "c.example"]
    frontier.put([Request(f"http://{host}/{page}") for host in hosts for page in "12"])
    for host in hosts:
        request = take(frontier, 0)
        assert frontier.bind(host, "192.0.2.1", 0)
        frontier.done(request, 0, 0)
    busy = take(frontier, 0)
    assert frontier.next(0) is None
    frontier.done(busy, 0, 0)
    frontier.block("b.example", 99, "parked")

    assert take(frontier, 0).url == "http://c.example/2"


def test_a_host_that_moves_frees_its_old_address(frontier):
    frontier.put([Request(f"{host}{page}") for host in (A, B) for page in "12"])
    for host in ("a.example", "b.example"):
        request = take(frontier)
        frontier.bind(host, "192.0.2.1", 0)
        frontier.done(request, 0, 0)
    take(frontier)
    assert frontier.next(0) is None

    assert frontier.bind("a.example", "192.0.2.2", 0)
    assert take(frontier).url == B + "2"


def test_a_host_without_address_waits_for_none(frontier):
    frontier.put([Request(A), Request(B)])
    take(frontier), take(frontier)

    assert frontier.bind("a.example", "", 0)
    assert frontier.bind("b.example", "", 0)


def test_only_a_busy_host_can_be_bound(frontier):
    frontier.put([Request(A)])

    with pytest.raises(ValueError, match="in flight"):
        frontier.bind("a.example", "192.0.2.1", 0)


def test_only_what_is_in_flight_can_be_finished(frontier):
    frontier.put([Request(A), Request(A + "2")])
    take(frontier)

    with pytest.raises(ValueError, match="in flight"):
        frontier.done(Request(A + "2"), 0, 0)
    with pytest.raises(ValueError, match="in flight"):
        frontier.fail(Request(B), 0, 0, None)


def test_a_failed_request_waits_for_its_time_and_others_go_before_it(frontier):
    frontier.put([Request(A + "1", 5), Request(A + "2", 1)])
    frontier.fail(take(frontier), 0, 0, 10)

    assert take(frontier).url == A + "2"
    frontier.done(Request(A + "2"), 0, 0)
    assert frontier.next(9) is None
    assert frontier.waiting(9).reasons == (("retry", 1),)
    assert frontier.waiting(9).until == frontier.wake_at(9) == 10
    assert take(frontier, 10) == Request(A + "1", 5, tries=1)


def test_other_requests_of_a_host_go_on_while_its_best_keeps_failing(frontier):
    frontier.put([Request(A + "bad", 9), *(Request(f"{A}{n}", 1) for n in range(4))])
    asked = []
    for now in range(6):
        request = take(frontier, now)
        asked.append(request.url.removeprefix(A))
        if asked[-1] == "bad":
            frontier.fail(request, now, 1, now + 3)
        else:
            frontier.done(request, now, 1)

    assert asked == ["bad", "0", "1", "bad", "2", "3"]
    assert frontier.waiting(5).reasons == (("retry", 1),)


def test_a_request_given_up_never_comes_again(frontier):
    frontier.put([Request(A)])
    frontier.fail(take(frontier), 0, 0, None)

    assert frontier.put([Request(A, 9)]) == 0
    assert frontier.next(99) is None
    assert frontier.counts().failed == 1


def test_tries_survive_a_raise(frontier):
    frontier.put([Request(A)])
    frontier.fail(take(frontier), 0, 0, 5)
    frontier.put([Request(A, 2)])

    assert take(frontier, 5) == Request(A, 2, tries=1)


def test_a_blocked_host_is_left_alone_with_its_reason(frontier):
    frontier.put([Request(A), Request(B, -1)])
    frontier.block("a.example", 60, "retry-after")

    assert order(frontier) == [B]
    assert frontier.waiting(1).reasons == (("retry-after", 1),)
    assert frontier.waiting(1).until == frontier.wake_at(1) == 60
    assert take(frontier, 60).url == A


def test_the_later_of_two_blocks_holds(frontier):
    frontier.put([Request(A)])
    frontier.block("a.example", 60, "retry-after")
    frontier.block("a.example", 30, "parked")

    assert frontier.next(59) is None
    assert frontier.waiting(59).reasons == (("retry-after", 1),)


def test_a_host_can_be_blocked_before_it_is_known_and_for_good(frontier):
    frontier.block("a.example", math.inf, "refused")
    frontier.put([Request(A)])

    assert frontier.next(1e12) is None
    assert frontier.wake_at(1e12) is None
    assert frontier.waiting(1e12).until is None


def test_a_block_can_be_ended_by_its_reason(frontier):
    frontier.put([Request(A), Request(B, -1)])
    frontier.block("a.example", math.inf, "left alone")
    frontier.block("b.example", 60, "parked")
    for host in ("a.example", "b.example", "unknown.example"):
        frontier.unblock(host, "left alone")

    assert order(frontier) == [A]
    assert frontier.waiting(1).reasons == (("parked", 1),)


def test_equal_hosts_take_turns(frontier):
    frontier.put([Request(f"{host}{page}") for host in (A, B) for page in "123"])

    assert [url[7] for url in order(frontier)] == list("ababab")


def test_nearly_equal_hosts_take_turns(open_frontier):
    frontier = open_frontier(Limits(near_tie=0.1))
    frontier.put([Request(f"{A}{page}", 0.52) for page in range(3)])
    frontier.put([Request(f"{B}{page}", 0.48) for page in range(3)])
    frontier.put([Request(C, 0.3)])

    assert [url[7] for url in order(frontier)] == list("abababc")


def test_a_host_gets_no_more_than_its_budget(open_frontier):
    frontier = open_frontier(Limits(pages_per_host=2))
    frontier.put([Request(f"{A}{page}", 1) for page in range(5)] + [Request(B)])

    assert order(frontier) == [A + "0", A + "1", B]
    assert frontier.waiting(0).reasons == (("budget", 3),)
    assert frontier.waiting(0).until is None


def test_counts_name_the_hosts_with_the_most_waiting(frontier):
    frontier.put([Request(f"{A}{page}", 1) for page in range(3)] + [Request(B), Request(C)])
    frontier.done(take(frontier), 0, 5)
    take(frontier)

    counts = frontier.counts(top=1)
    assert (counts.waiting, counts.busy, counts.done, counts.failed) == (3, 1, 1, 0)
    assert counts.hosts == 3
    assert [(host.host, host.waiting, host.done) for host in counts.top] == [("a.example", 2, 1)]


def test_waiting_requests_can_be_raised_and_lowered(frontier):
    frontier.put([Request(A, 3), Request(A + "2", 2), Request(B, 1)])

    unknown = Request("http://unknown.example/")

    assert frontier.reprioritise([(Request(A), 0), (Request(B), 9), (unknown, 5)]) == 2
    assert order(frontier) == [B, A + "2", A]


def test_a_request_that_waits_for_its_time_can_be_given_another_priority(frontier):
    frontier.put([Request(A + "1", 3), Request(A + "2", 2)])
    frontier.fail(take(frontier), 0, 0, 10)

    assert frontier.reprioritise([(Request(A + "1"), 1)]) == 1
    assert take(frontier, 10).url == A + "2"


def test_a_finished_request_cannot_be_given_another_priority(frontier):
    frontier.put([Request(A)])
    frontier.done(take(frontier), 0, 0)

    assert frontier.reprioritise([(Request(A), 1)]) == 0


def test_the_best_can_be_given_other_priorities_at_once(frontier):
    frontier.put([Request(A, 4), Request(A + "2", 3), Request(B, 2), Request(C, 1)])
    seen: list[str] = []

    def rescore(waiting: Sequence[Request]) -> list[float]:
        seen.extend(request.url for request in waiting)
        return [0, 3, 9]

    assert frontier.reorder(3, rescore) == 2
    assert seen == [A, A + "2", B]
    assert order(frontier) == [B, A + "2", C, A]


def test_no_request_gets_a_priority_that_is_no_number(frontier):
    frontier.put([Request(A, 4), Request(B, 2)])

    with pytest.raises(ValueError, match="finite"):
        frontier.reorder(2, lambda _: [math.nan, 5.0])
    assert order(frontier) == [A, B]


def test_peek_shows_the_best_over_all_hosts_and_changes_nothing(frontier):
    requests = [
        Request(f"http://{host}.example/{n}", n * 3 + k)
        for k, host in enumerate("abc")
        for n in range(4)
    ]
    frontier.put(requests)
    best_first = sorted(requests, key=lambda request: -request.priority)
    in_flight = take(frontier)

    assert in_flight == best_first[0]
    assert list(frontier.peek(5)) == best_first[1:6]
    assert list(frontier.peek(99)) == best_first[1:]


def test_a_clock_that_is_set_back_does_not_cut_a_delay_short(frontier):
    frontier.put([Request(A + "1"), Request(A + "2")])
    frontier.done(take(frontier, 100), 100, 5)
    frontier.wake_at(105)

    assert frontier.next(101) is None
    assert take(frontier, 105).url == A + "2"


def test_a_host_is_named_without_its_port(frontier):
    frontier.put([Request("http://a.example:8080/"), Request("https://a.example/")])
    take(frontier)

    assert frontier.next(0) is None


def test_a_request_put_with_tries_keeps_them(frontier):
    frontier.put([replace(Request(A), tries=2)])

    assert take(frontier).tries == 2


def test_a_wait_that_is_no_try_does_not_count(frontier):
    frontier.put([Request(A)])

    frontier.fail(take(frontier), 0, 0, 5, counts=False)
    frontier.fail(take(frontier, 6), 6, 0, 10)

    assert take(frontier, 11).tries == 1


def test_peek_passes_over_hosts_that_are_spent_or_blocked(open_frontier):
    frontier = open_frontier(Limits(pages_per_host=1))
    frontier.put([Request(A, 9), Request(A + "2", 9), Request(B, 5), Request(C, 7)])
    frontier.done(take(frontier), 0, 0)
    frontier.block("c.example", math.inf, "closed")

    assert [request.url for request in frontier.peek(10)] == [B]


def test_a_held_request_waits_for_a_higher_priority(frontier):
    frontier.put([Request(A, HELD), Request(B, 0.5)])

    assert order(frontier) == [B]
    assert frontier.wake_at(0) is None
    assert frontier.waiting(0).reasons == (("held", 1),)
    assert frontier.put([Request(A, 0.1)]) == 0
    assert order(frontier) == [A]


def test_a_held_request_can_be_let_go_by_another_score(frontier):
    frontier.put([Request(A, HELD), Request(f"{A}1", 0.5)])

    held = frontier.of_host("a.example", 10)
    frontier.reprioritise([(held[-1], 0.9)])

    assert [request.url for request in held] == [f"{A}1", A]
    assert order(frontier) == [A, f"{A}1"]


def test_requests_that_are_held_by_another_score_are_not_given(frontier):
    frontier.put([Request(A, 0.9), Request(f"{A}1", 0.5), Request(B, 0.1)])

    frontier.reprioritise([(request, HELD) for request in frontier.of_host("a.example", 10)])

    assert order(frontier) == [B]
    assert frontier.waiting(0).reasons == (("held", 2),)


def test_a_held_request_is_held_after_a_restart(open_frontier):
    open_frontier(Limits()).put([Request(A, HELD)])

    again = open_frontier(Limits())

    assert again.next(0) is None


def test_requests_of_a_host_are_those_that_wait(frontier):
    frontier.put([Request(A, 0.5), Request(f"{A}1", 0.1), Request(B)])
    take(frontier)

    assert [request.url for request in frontier.of_host("a.example", 10)] == [f"{A}1"]
    assert frontier.of_host("nowhere.example", 10) == []


def test_a_much_worse_request_waits_for_a_host_that_is_busy(frontier):
    frontier.put([Request(A, 0.9), Request(f"{A}1", 0.8), Request(B, 0.1), Request(C, 0.5)])
    best = frontier.next(0, share=0.2)

    assert best is not None
    assert frontier.next(0, share=0.2) == Request(C, 0.5)
    assert frontier.next(0, share=0.2) is None
    assert frontier.wake_at(0, share=0.2) == 3
    frontier.done(best, 1, 0)
    assert frontier.next(1, share=0.2) == Request(f"{A}1", 0.8)


def test_a_much_worse_request_waits_for_a_host_that_rests_for_seconds(frontier):
    frontier.put([Request(A, 0.9), Request(f"{A}1", 0.8), Request(B, 0.1)])
    frontier.done(take(frontier), 0, delay=10)

    assert frontier.next(6, share=0) == Request(B, 0.1)
    frontier.put([Request(C, 0.1)])
    assert frontier.next(8, share=0.2) is None
    assert frontier.wake_at(8, share=0.2) == 10
    assert frontier.next(10, share=0.2) == Request(f"{A}1", 0.8)


def test_no_request_waits_for_a_host_that_rests_long_or_answers_slowly(frontier):
    frontier.put([Request(A, 0.9), Request(f"{A}1", 0.8), Request(B, 0.1), Request(C, 0.1)])
    best = frontier.next(0, share=0.2)

    assert best is not None
    assert frontier.next(4, share=0.2) == Request(B, 0.1)
    frontier.done(best, 4, delay=10)
    assert frontier.next(4, share=0.2) == Request(C, 0.1)


@pytest.mark.parametrize("others", [[], [Request(f"{A}1", 0.2)]])
def test_no_request_waits_for_a_host_without_another_as_good(frontier, others):
    frontier.put([Request(A, 0.9), *others, Request(B, 0.1)])
    frontier.next(0, share=0.2)

    assert frontier.next(0, share=0.2) == Request(B, 0.1)


def test_no_request_waits_for_a_host_whose_budget_is_spent(open_frontier):
    frontier = open_frontier(Limits(pages_per_host=1))
    frontier.put([Request(A, 0.9), Request(f"{A}1", 0.8), Request(B, 0.1)])
    frontier.done(take(frontier), 0, delay=1)

    assert frontier.next(0, share=0.2) == Request(B, 0.1)


def test_what_is_worth_less_than_nothing_is_given_out_all_the_same(frontier):
    frontier.put([Request(A, -0.5)])

    assert frontier.wake_at(0, share=0.2) == 0
    assert frontier.next(0, share=0.2) == Request(A, -0.5)
