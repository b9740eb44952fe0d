"""Looks for inputs whose time grows faster than their size: a few words, repeated."""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fuzz.targets import Target

_STEPS = (0.25, 0.5, 1.0)  # of the size of the target
_LARGER = (1.0, 2.0, 4.0)  # a limit that is reached in between looks like growth; then it ends
_LEAST_SECONDS = 0.15  # below this the clock says nothing
_EVERYWHERE = (b" ", b"\n", b"a", b"1", b'"', b"\\")
_LINEAR = 3.0  # times, for twice the size: 2 is linear, 4 quadratic


@dataclass(frozen=True, slots=True)
class Repeated:
    """An input of any size: a beginning, a piece that is repeated, and an end."""

    piece: bytes
    begins: bytes = b""
    ends: bytes = b""

    def of_size(self, size: int) -> bytes:
        """The input with so many bytes, roughly."""
        return self.begins + self.piece * max(1, size // len(self.piece)) + self.ends


@dataclass(frozen=True, slots=True)
class Slow:
    """An input whose time grows too fast."""

    target: str
    made: Repeated
    seconds: tuple[float, ...]  # for a size, twice and four times that

    def __str__(self) -> str:
        times = ", ".join(f"{seconds:.2f}" for seconds in self.seconds)
        return f"{self.target}: {self.made} takes {times} s"


def inputs(target: Target, chance: random.Random) -> Iterator[Repeated]:
    """Short runs of words to be repeated, alone or between others, without end."""

    def some(*counts: int) -> bytes:
        return b"".join(chance.choice(words) for _ in range(chance.choice(counts)))

    words = [*target.words, *_EVERYWHERE]
    while True:
        yield Repeated(some(1, 1, 1, 2, 2, 3, 4, 6), some(0, 0, 1, 2), some(0, 0, 1, 2))


def slow_input(target: Target, made: Repeated) -> Slow | None:
    """What is slow about an input; None where time grows with the size.

    The clock is that of the process, and what looks slow is measured again, so that a busy machine
    accuses nothing.
    """
    if _seconds(target, made, 1.0) < _LEAST_SECONDS:
        return None
    seconds: tuple[float, ...] = ()
    for steps in (_STEPS, _LARGER, _LARGER):
        seconds = tuple(_seconds(target, made, step) for step in steps)
        if not is_too_fast(seconds):
            return None
    return Slow(target.name, made, seconds)


def is_too_fast(seconds: tuple[float, ...]) -> bool:
    """Whether times of a size, twice and four times the size grow as no linear time does."""
    quarter, half, whole = seconds
    return whole > _LINEAR * half and whole > _LINEAR**2 * max(quarter, 0.002)


def _seconds(target: Target, made: Repeated, share: float) -> float:
    data = made.of_size(int(target.grows_to * share))
    begin = time.process_time()
    target.run(b"\x00" + data)
    return time.process_time() - begin
