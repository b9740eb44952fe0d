"""Keeps the hosts in memory few: which of them go to rest, and when they come back.

When there are too many, first those go that need nothing, then those that wait in a long line at
their address, those that must be left alone for long, the longest first, and at last those that may
be asked, the poorest first. Those that are asked now, or can be within seconds, stay.

A host comes back when somebody asks for it by name (`known_hosts.py`), when it is better than the
best in memory, and shortly before its time comes. So the order of requests is the same as if all
were in memory, but for two things. Of more than a thousand hosts whose time comes at once, the
later ones are looked at in the next calls. And a host that waits behind twenty others for one
address may find out late that it is free, if those before it took less than half their usual time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from geoscout.frontier.alarms import Alarms
from geoscout.frontier.base import Limits
from geoscout.frontier.hosts import SOON, Gate, Head, HeapEntry, Host
from geoscout.frontier.known_hosts import KnownHosts
from geoscout.frontier.ready import ReadyHosts
from geoscout.frontier.resting import Resting, RestingHosts

_LONGEST_LINE = 50  # hosts in memory that wait for one address, before those at rest stay there
_KEPT_IN_LINE = 20  # of a line, when room is needed
_LEAST_IN_LINE = 0.5  # seconds
_NEAR = 5 * SOON  # seconds; for less it is not worth the way
_LOADED_AT_ONCE = 200  # of the best hosts at rest
_MOST_RUNG = 1000  # hosts at rest that are looked at when their time has come, at a time
_LOOK_SECONDS = 1.0  # between two looks at whose time comes soon
_FEW_GATES = 1000

Band = Callable[[Head], float]


class HostMemory:
    """Lets hosts go to rest and has them back; without `RestingHosts` all stay in memory."""

    def __init__(
        self, hosts: KnownHosts, ready: ReadyHosts, alarms: Alarms, limits: Limits
    ) -> None:
        self._hosts, self._ready, self._alarms, self._limits = hosts, ready, alarms, limits
        self._resting: RestingHosts | None = hosts.resting
        self._at_once = min(_LOADED_AT_ONCE, limits.hosts_in_memory // 4 + 1)
        self._look_at = 0.0  # not before then, for those whose time comes soon
        self._most_gates = _FEW_GATES  # addresses, before it is looked which are needed

    def first(self, node: str) -> HeapEntry | None:
        """The best entry of a node among the hosts at rest."""
        return None if self._resting is None else self._resting.first(node)

    def first_alarm(self) -> float:
        """When the first of those at rest has to be looked at; infinity: none."""
        return math.inf if self._resting is None else self._resting.first_alarm

    def load_best(self, node: str, most: int | None = None, than: HeapEntry | None = None) -> None:
        """Have the best hosts of a node back, or of these the ones that are better than that."""
        if self._resting is not None:
            self._hosts.load(self._resting.best(node, most or self._at_once, than))

    def ring(self, now: float) -> None:
        """Have those back whose time comes."""
        resting = self._resting
        if resting is not None and resting.first_alarm <= now:
            self._hosts.load(resting.ring(now, _MOST_RUNG))
            resting.look_up_alarm()
        if resting is not None and resting.first_alarm <= now + SOON and self._look_at <= now:
            self._hosts.load(resting.coming(now, now + 2 * SOON, _MOST_RUNG))
            resting.look_up_alarm()
            self._look_at = now + _LOOK_SECONDS

    def shorten(self, gate: Gate, now: float) -> None:
        """Where the line at an address is long, spare those at rest the way there for a while."""
        if self._resting is None or self._hosts.addresses.get(gate.name) is not gate:
            return
        if gate.put_off_until <= now and self._ready.is_longer(gate, _LONGEST_LINE):
            gate.put_off_until = now + _time_in_line(gate, _LONGEST_LINE)
            self._resting.put_off(gate.name, gate.put_off_until)

    def rest_all(self, now: float, least: float) -> None:
        """Give all at rest the pause of their last request, or at least this one, from now on."""
        if self._resting is not None:
            for address, free_at in self._resting.rest_all(now, least):
                gate = self._hosts.address(address)
                gate.free_at = max(gate.free_at, free_at)

    def make_room(self, now: float, band: Band) -> list[Host]:
        """Let hosts go that are not needed for now, where there are too many; returns them."""
        if self._resting is None:
            return []
        if len(self._hosts.addresses) > self._most_gates:
            self._forget(now)
        awake, most = self._hosts.awake, self._limits.hosts_in_memory
        if len(awake) <= most:
            return []
        spared = self._spared(now)[: len(awake) - most // 2]
        self._hosts.rest(
            [
                Resting(host, host.head and band(host.head), at, host.is_spent(self._limits))
                for at, host in spared
            ]
        )
        gone = [host for _, host in spared]
        for host in gone:
            host.entry, host.alarm = None, math.inf
        for host in gone:
            if host.address is not None:  # it may have been the one that was called there
                self._ready.call_next(host.address, now)
        self._forget(now)
        return gone

    def _spared(self, now: float) -> list[tuple[float, Host]]:
        """The hosts that can be spared, those that are needed least first; until when, 0: ready."""
        in_line = _in_line(self._ready.lines(), now)
        needless, lined_up, far, ready = [], [], [], []
        for host in self._hosts.awake.values():
            if host.busy or host.slot is not None:
                continue
            if not host.has_requests() or host.is_spent(self._limits):
                needless.append((math.inf, host))
            elif (at := _looked_at(host)) > now + _NEAR:
                far.append((at, host))
            elif at > now:
                continue
            elif host in in_line:
                lined_up.append((in_line[host], host))
            elif host.entry is not None:
                ready.append((0.0, host))
        far.sort(key=lambda pair: -pair[0])
        ready.sort(key=lambda pair: pair[1].entry or (), reverse=True)
        return [*needless, *lined_up, *far, *ready]

    def _forget(self, now: float) -> None:
        """Drop addresses and alarms that nobody in memory waits for."""
        self._alarms.drop_outdated()
        for gate in self._hosts.drop_gates(now):
            self._ready.forget(gate)
        self._most_gates = 2 * len(self._hosts.addresses) + _FEW_GATES


def _in_line(lines: Iterable[tuple[Gate, Host, int]], now: float) -> dict[Host, float]:
    """The hosts behind the first in each line, and until when they need not be looked at."""
    return {
        host: now + _time_in_line(gate, place)
        for gate, host, place in lines
        if place >= _KEPT_IN_LINE
    }


def _time_in_line(gate: Gate, place: int) -> float:
    """Seconds that a host in a line need not be looked at: half of what those before it take."""
    return max(_LEAST_IN_LINE, gate.pause * place / 2)


def _looked_at(host: Host) -> float:
    """When a host may be asked for something; a time that is past where it may now."""
    at = host.may_be_asked_at()
    return at if host.head is not None else max(at, host.retry_at)
