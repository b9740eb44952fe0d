"""One of the processes that answer: what it was asked, and how long it has worked on that."""

from __future__ import annotations

import math
import os
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from geoscout.crawling.processes.line import PendingQuestion, ProcessLine
from geoscout.crawling.processes.nursery import ASKED, STARTED
from geoscout.machine import processor_seconds

_LOW_PRIORITY = 10  # a tenth of the processor time of others, if they need all of it
_STARVED_SECONDS = 5.0  # with less than a tenth of a processor
_STARVED_SHARE = 0.1


class AnsweringProcess:
    def __init__(
        self,
        line: socket.socket,
        answered: Callable[[AnsweringProcess, bytes, bytes], None],
        ended: Callable[[AnsweringProcess], None],
    ) -> None:
        self.sent: deque[PendingQuestion] = deque()
        self.pid = 0  # until it has said it
        self._handle = -1  # signals go to this process, whatever its number stands for later
        self._number = 0  # where the system has no such handles: of one that has not ended
        self._answered, self._ended = answered, ended
        self._is_slow = self.is_idle = False  # `is_idle`: it was to work in idle time only
        self._idle_since, self._used_before = math.inf, 0.0
        self._line = ProcessLine(line, self._receive, self._end)
        self._first: PendingQuestion | None = None  # at the last look
        self._used_then = 0.0
        self.began_at = math.inf
        self.seconds_used = 0.0  # for the first question, at least

    def send(self, question: PendingQuestion) -> None:
        if self._is_slow and self.pid and not self.sent:
            self._idle_since, self._used_before = time.monotonic(), 0.0
        self.sent.append(question)
        self._line.write(ASKED, question.content)

    def make_slow(self, *, idle: bool) -> None:
        """Have it work when no other process needs the processor; if not `idle`, a little anyway.

        To wait for a processor that an idle process has takes no time, but one may wait up to 3 ms
        for each of the others. It cannot be taken back: only root may raise a priority.
        """
        self._is_slow, self.is_idle = True, idle
        if not self.pid:
            return
        with suppress(OSError):
            if self._has_idle_time:
                os.sched_setscheduler(self.pid, os.SCHED_IDLE, os.sched_param(0))
            else:
                os.setpriority(os.PRIO_PROCESS, self.pid, _LOW_PRIORITY)
        self._idle_since, self._used_before = time.monotonic(), self.seconds_used

    @property
    def _has_idle_time(self) -> bool:
        """Whether it gets no other time; not every system knows that."""
        return self.is_idle and hasattr(os, "SCHED_IDLE")

    def starves(self, now: float) -> bool:
        """Whether others take all processors, so that an idle process gets nowhere."""
        seconds = now - self._idle_since
        used = self.seconds_used - self._used_before
        is_starved = seconds > _STARVED_SECONDS and used < _STARVED_SHARE * seconds
        return is_starved and self._has_idle_time and bool(self.sent)

    def look(self, now: float) -> None:
        """Note how long it has worked on its first question."""
        first = self.sent[0] if self.sent else None
        used = processor_seconds(self.pid) if first and self.pid else 0.0
        if first is not self._first or first is None:
            self._first, self._used_then = first, used
            self.began_at = now if first else math.inf
        self.seconds_used = used - self._used_then

    def close(self) -> None:
        self._line.close()
        if self._handle >= 0:
            with suppress(ProcessLookupError):  # it has nothing to clean up: a hard end will do
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            os.close(self._handle)
            self._handle = -1
        elif self._number:
            with suppress(ProcessLookupError):
                os.kill(self._number, signal.SIGKILL)
            self._number = 0

    def _receive(self, kind: bytes, content: bytes) -> None:
        if kind != STARTED:
            self._answered(self, kind, content)
            return
        self.pid = int(content)
        if hasattr(os, "pidfd_open"):
            with suppress(OSError):  # it has ended already
                self._handle = os.pidfd_open(self.pid)
        else:  # macOS
            self._number = self.pid
        if self._is_slow:
            self.make_slow(idle=self.is_idle)

    def _end(self) -> None:
        self._number = 0
        self._ended(self)
