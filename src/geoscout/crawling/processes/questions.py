"""What other processes are asked, and what one answer may cost."""

from __future__ import annotations

import asyncio
import math

from msgspec import Struct


class ReplyLimits(Struct, frozen=True):
    """What one answer may cost.

    Most is processor time: that the machine is busy is not the fault of a question.
    """

    patience: float = 300.0  # seconds by the clock
    seconds: float = math.inf  # of processor time
    memory: int = 0  # bytes; 0 sets no limit
    turn: float = math.inf  # seconds of processor time before others go first
    aside: int = 2  # questions that are answered at a time after their turn


class OverLimitError(Exception):
    """An answer would cost too much; `what` is "time" or "memory"."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"too much {what}")


class PendingQuestion:
    """Bytes, and the reply that is to come."""

    __slots__ = ("content", "ends", "has_starved", "most_ends", "reply")

    def __init__(self, content: bytes, most_ends: int) -> None:
        self.content = content
        self.reply: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.ends = 0  # processes that ended while they worked on it
        self.most_ends = most_ends
        self.has_starved = False  # where only idle time was left for it

    def fail(self, error: Exception) -> None:
        if not self.reply.done():
            self.reply.set_exception(error)
