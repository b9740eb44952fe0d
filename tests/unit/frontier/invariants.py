"""What must be true of a schedule and its hosts after every call, as `schedule.py` states it."""

import math

from geoscout.frontier.hosts import Gate, Host
from geoscout.frontier.schedule import Schedule
from geoscout_places.model import HELD
from tests.memory.frontier import MemoryQueues


def check_schedule(schedule: Schedule) -> None:
    for host in schedule.hosts.awake.values():
        _check_state(schedule, host)
        _check_entry(schedule, host)
    for gate in gates_of(schedule):
        _check_gate(schedule, gate)
    _check_alarms(schedule)


def gates_of(schedule: Schedule) -> list[Gate]:
    return [*schedule.hosts.addresses.values(), *schedule.hosts.slots.values()]


def _check_state(schedule: Schedule, host: Host) -> None:
    """Busy, idle, resting or ready, and nothing forgotten: each has what brings it back."""
    now, soon = schedule._now, schedule._soon[host.node]
    if host.busy:
        assert host.entry is None
        assert host in soon
        assert all(gate.holder is host for gate in host.gates())
    elif not host.has_requests() or host.is_spent(schedule._limits):
        assert host not in soon or host.is_spent(schedule._limits)
    elif (time := host.may_be_asked_at()) > now:
        assert host.entry is None
        assert host.alarm <= time
    elif host.alarm > now:  # else it is filed when its alarm rings, before anything is taken
        assert host not in soon
        assert (host.entry is None) == (host.head is None)
        assert host.alarm <= host.retry_at


def _check_entry(schedule: Schedule, host: Host) -> None:
    """A valid entry says what its host is worth, and lies where the host can be found."""
    if host.entry is None:
        return
    assert host.head is not None
    assert host.entry == (schedule.band(host.head), host.turn, host.number)
    heaps = [schedule._ready.heaps[host.node], *(gate.queue for gate in host.gates())]
    assert any(host.entry in heap for heap in heaps)


def _check_gate(schedule: Schedule, gate: Gate) -> None:
    """A gate has the holder that has it, and hosts that line up have somebody to call them."""
    if gate.holder is not None:
        assert gate.holder.busy
        assert gate in gate.holder.gates()
    awake = schedule.hosts.awake
    lined_up = [
        entry for entry in gate.queue if entry[2] in awake and awake[entry[2]].entry == entry
    ]
    if not lined_up:
        return
    assert gate in schedule._ready._gates
    called = (
        entry
        for ready in schedule._ready.heaps.values()
        for entry in ready
        if entry[2] in awake and gate in awake[entry[2]].gates()
    )
    assert gate.holder is not None or gate.alarm < math.inf or any(called)


def _check_alarms(schedule: Schedule) -> None:
    """The earliest alarm of each that waits for one is in the heap."""
    sleepers: list[Host | Gate] = [*schedule.hosts.awake.values(), *gates_of(schedule)]
    set_for = {(time, id(sleeper)) for time, _, sleeper in schedule._alarms._heap}
    for sleeper in sleepers:
        assert sleeper.alarm == math.inf or (sleeper.alarm, id(sleeper)) in set_for


def check_hosts(schedule: Schedule, queues: MemoryQueues) -> None:
    """What a host tells about its queue is what the queue holds."""
    for host in schedule.hosts.awake.values():
        heads = list(queues.heads(host))
        best = heads[0] if heads and -heads[0][0] > HELD else None
        assert host.head == best
        assert host.waiting == len(heads)
        assert host.later == len(queues._later[host])
        assert host.retry_at == queues.next_time(host)


def check_rest(schedule: Schedule) -> None:
    """What `resting.py` and `known_hosts.py` say of the hosts that are not in memory."""
    resting = schedule.hosts.resting
    assert resting is not None
    rows = resting._scratch.execute(
        "SELECT number, node, band, turn, rank, later, retry_at, spent, at, alarm,"
        " blocked_until FROM resting"
    ).fetchall()
    numbers = {row[0] for row in rows}
    assert numbers | schedule.hosts.awake.keys() == set(range(len(schedule.hosts)))
    assert not numbers & schedule.hosts.awake.keys()
    for _, _, _, _, rank, later, retry_at, spent, at, alarm, blocked_until in rows:
        assert alarm == (at or retry_at)
        needs_nothing = spent or (rank is None and not later) or blocked_until == math.inf
        assert at < math.inf or needs_nothing
        assert at == math.inf or rank is not None or at >= retry_at
    for node in schedule._ready.heaps:
        ready = [(row[2], row[3], row[0]) for row in rows if row[1] == node and row[8] == 0]
        assert resting.first(node) == min(ready, default=None)
    assert resting.first_alarm <= min((row[9] for row in rows), default=math.inf)
