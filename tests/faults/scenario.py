"""What a scenario is, and how one says that a promise is broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.faults.arena import Arena

NAMESPACE = "a network namespace"
MOUNT = "the right to mount"


class BrokenPromiseError(AssertionError):
    """What was seen is not what was promised."""


class NotHereError(Exception):
    """The scenario needs something that this machine does not have."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One promise, and one way to try it."""

    name: str
    family: str
    promise: str
    does: str  # in a sentence
    run: Callable[[Arena], str]  # returns what was seen
    seconds: float  # that it usually takes on an idle machine
    needs: tuple[str, ...] = ()  # NAMESPACE, MOUNT


SCENARIOS: list[Scenario] = []


def scenario(
    promise: str, *, seconds: float, needs: tuple[str, ...] = ()
) -> Callable[[Callable[[Arena], str]], Callable[[Arena], str]]:
    """Make a function a scenario; its name and docstring are those of the scenario."""

    def add(run: Callable[[Arena], str]) -> Callable[[Arena], str]:
        does = " ".join((run.__doc__ or "").split())
        family = run.__module__.rpartition(".")[2]
        SCENARIOS.append(
            Scenario(run.__name__, family, promise, does, run=run, seconds=seconds, needs=needs)
        )
        return run

    return add


def check(holds: object, otherwise: str) -> None:
    """Go on if it holds.

    Raises:
        BrokenPromiseError: it does not; `otherwise` says what was seen instead.
    """
    if not holds:
        raise BrokenPromiseError(otherwise)
