"""Brings the hosts of a schedule back from the rows that an earlier process left.

Every frontier that lasts restores itself by these; only reading the rows is its own. The caller
files the hosts when all of them are complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geoscout.frontier.hosts import Head, Host
from geoscout.frontier.schedule import Schedule
from geoscout.model import HELD


def restore_host(schedule: Schedule, row: Sequence[Any]) -> Host:
    """A host from: name, node, address, free at, blocked until, reason, done, failed."""
    name, node, address, *rest = row
    host = schedule.add(name, node)
    blocked_until, reason = host.blocked_until, host.reason  # as another node has it
    host.free_at, host.blocked_until, host.reason, host.done, host.failed = rest
    if blocked_until > host.blocked_until:
        host.blocked_until, host.reason = blocked_until, reason
    if address:
        host.address = schedule.address(address)
    for other in host.others or (host,):  # the first had no slot before the second came
        for gate in other.gates():
            gate.free_at = max(gate.free_at, other.free_at)
    return host


def restore_queued(host: Host, head: Head) -> None:
    """A request that waits in the queue of its host."""
    host.waiting += 1
    if -head[0] > HELD and (host.head is None or head < host.head):
        host.head = head


def restore_postponed(host: Host, until: float) -> None:
    """A request that waits for its time."""
    host.later += 1
    host.retry_at = min(host.retry_at, until)
