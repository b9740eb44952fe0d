"""One of the processes that answer: what it was asked, and how long it has worked on that."""

from __future__ import annotations

import math
import os
import signal
import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from geoscout.crawling.processes.line import ProcessLine
from geoscout.crawling.processes.nursery import LENGTH_BYTES, STARTED
from geoscout.crawling.processes.questions import PendingQuestion

_TICKS = os.sysconf("SC_CLK_TCK")  # of processor time in a second
_LOW_PRIORITY = 10  # a tenth of the processor time of others, if they need all of it


class AnsweringProcess:
    """One process and the line to it."""

    def __init__(
        self,
        line: socket.socket,
        answered: Callable[[AnsweringProcess, bytes, bytes], None],
        ended: Callable[[AnsweringProcess], None],
    ) -> None:
        self.sent: deque[PendingQuestion] = deque()
        self.pid = 0  # until it has said it
        self._handle = -1  # signals go to this process, whatever its number stands for later
        self._answered, self._ended = answered, ended
        self._is_slow = False
        self._line = ProcessLine(line, self._receive, self._end)
        self._first: PendingQuestion | None = None  # at the last look
        self._used_then = 0.0
        self.began_at = math.inf
        self.seconds_used = 0.0  # for the first question, at least

    def send(self, question: PendingQuestion) -> None:
        """Have it answer one question more."""
        self.sent.append(question)
        self._line.write(len(question.content).to_bytes(LENGTH_BYTES), question.content)

    def make_slow(self) -> None:
        """Have it work mostly when no other process needs the processor."""
        self._is_slow = True
        if self.pid:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.pid, _LOW_PRIORITY)

    def look(self, now: float) -> None:
        """Note how long it has worked on its first question."""
        first = self.sent[0] if self.sent else None
        used = processor_seconds(self.pid) if first and self.pid else 0.0
        if first is not self._first or first is None:
            self._first, self._used_then = first, used
            self.began_at = now if first else math.inf
        self.seconds_used = used - self._used_then

    def close(self) -> None:
        """End it."""
        self._line.close()
        if self._handle >= 0:
            with suppress(ProcessLookupError):  # it has nothing to clean up: a hard end will do
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            os.close(self._handle)
            self._handle = -1

    def _receive(self, kind: bytes, content: bytes) -> None:
        if kind != STARTED:
            self._answered(self, kind, content)
            return
        self.pid = int.from_bytes(content)
        with suppress(OSError):  # it has ended already
            self._handle = os.pidfd_open(self.pid)
        if self._is_slow:
            self.make_slow()

    def _end(self) -> None:
        self._ended(self)


def processor_seconds(pid: int) -> float:
    """What a process has used so far, to a hundredth of a second; 0.0 where nobody says it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
