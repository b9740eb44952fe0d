from geoscout.frontier.base import Limits
from geoscout.frontier.hosts import Host
from geoscout.frontier.schedule import Schedule


def make_schedule() -> Schedule:
    def refuse(host: Host, now: float) -> None:
        raise AssertionError(f"{host.name} has nothing that waits for {now}")

    return Schedule(Limits(), refuse)


def add(schedule: Schedule, name: str, priority: float = 0.0) -> Host:
    host = schedule.add(name)
    host.head = (-priority, 1)
    schedule.file(host)
    return host


def test_raising_hosts_again_and_again_does_not_fill_the_heap():
    schedule = make_schedule()
    hosts = [add(schedule, f"{number}.example") for number in range(10)]
    for priority in range(1000):
        for host in hosts:
            host.head = (-float(priority), 1)
            schedule.file(host)

    assert len(schedule._ready.heaps[""]) <= 2 * len(hosts) + 1000
    assert schedule.take(0) is hosts[0]


def test_hosts_of_a_taken_address_are_looked_at_once_and_not_each_time():
    schedule = make_schedule()
    address = schedule.hosts.address("192.0.2.1")
    hosts = [add(schedule, f"{number}.example") for number in range(1000)]
    for host in hosts:
        host.address = address
    first = schedule.take(0)
    assert first is hosts[0]
    assert schedule.take(0) is None

    first.head = None
    schedule.release(first, 0, 0)
    assert len(schedule._ready.heaps[""]) == 1
    assert schedule.take(0) is hosts[1]


def test_priorities_beyond_all_bands_are_still_ordered():
    schedule = make_schedule()
    add(schedule, "low.example", -1e300)
    middle = add(schedule, "middle.example", 5.0)
    high = add(schedule, "high.example", 1e300)

    assert schedule.take(0) is high
    assert schedule.take(0) is middle


def test_hosts_without_requests_or_that_rest_long_are_not_looked_at_each_time():
    schedule = make_schedule()
    finished, parked = add(schedule, "finished.example"), add(schedule, "parked.example")
    for host in (schedule.take(0), schedule.take(0)):
        assert host is not None
        host.busy = 1
    finished.head = None
    parked.blocked_until = 3600.0
    schedule.release(finished, 0, 1)
    schedule.release(parked, 0, 1)

    assert not schedule._soon[""]


def test_host_that_gets_a_request_while_it_rests_is_one_to_wait_for():
    schedule = make_schedule()
    host = add(schedule, "good.example")
    assert schedule.take(0) is host
    host.head = None
    schedule.release(host, 0, 1)
    host.head, host.waiting = (-0.9, 2), 1
    schedule.file(host)
    add(schedule, "poor.example", 0.1)

    assert schedule.take(0, share=0.2) is None


def test_looking_for_the_best_drops_what_is_outdated_and_nothing_else():
    schedule = make_schedule()
    hosts = [add(schedule, f"{number}.example", 9.0) for number in range(10)]
    for number, host in enumerate(hosts):
        host.head = (-1.0 - number, 1)
        schedule.file(host)

    assert schedule.best(3) == hosts[:6:-1]
    assert len(schedule._ready.heaps[""]) == len(hosts)
    assert [schedule.take(0) for _ in hosts] == hosts[::-1]


def test_looking_for_the_best_lets_the_next_of_an_address_go():
    schedule = make_schedule()
    address = schedule.hosts.address("192.0.2.1")
    first, second, third = (add(schedule, f"{n}.example", 9.0 - n) for n in range(3))
    for host in (first, second, third):
        host.address = address
    assert schedule.take(0) is first
    assert schedule.take(0) is None  # the others line up
    first.head = None
    schedule.release(first, 0, 0)  # calls the second
    second.head = None
    schedule.file(second)  # what it was called for is outdated

    assert schedule.best(5) == [third]
    assert schedule.take(0) is third
