"""The servers of registries, which all workers share: a worker rents one before it asks it.

A registry has sites of no partition, so a worker rents its name as a lane rents the address of a
server (`addresses.py`), and gives it back with the pause that it is due. The rents are those of the
worker, not of a lane: otherwise the lanes of one worker would wait for each other's turns.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from geoscout.cluster.addresses import AddressRents
from geoscout.fetch.failures import failure
from geoscout.fetch.registry.pace import Pace
from geoscout.store.postgres.leases import Lease

_EARLIER = 0.2  # seconds before the end of a rent: cancelling takes a moment
_NO_PARTITION = -1  # in the table of rents: it is a worker that rents


class RegistryRents:
    """The servers of registries that this worker may ask now."""

    def __init__(self) -> None:
        # Rows of the table belong to a partition and an epoch; this pair is no other worker's.
        lease = Lease(_NO_PARTITION, secrets.randbits(62), 0, was_clean=True)
        self.rents = AddressRents(lease)
        self.asking: set[asyncio.Task[Any]] = set()  # tasks whose question is in flight

    def pace(self, seconds: float) -> RentedPace:
        """A pause of this many seconds after each question, whoever asks."""
        return RentedPace(seconds, self)


class RentedPace:
    """One question at a time to a server, of all workers, with a pause after each.

    Implements `ServerTurns`.
    """

    def __init__(self, seconds: float, servers: RegistryRents) -> None:
        self._seconds = seconds
        self._rents, self._asking = servers.rents, servers.asking
        self._own = Pace(seconds)  # among the questions of this worker

    @asynccontextmanager
    async def turn(self, server: str) -> AsyncIterator[None]:
        """Wait for the server to be free; it is left alone for a while afterwards.

        Raises:
            FetchError: of kind "lease"; the rent could not be made longer.
        """
        name = f"registry:{server}"
        async with self._own.turn(server):
            while wait := self._rents.wait_for(name):
                await asyncio.sleep(wait)
            self._rents.begin(name)
            try:
                async with self._until_the_rent_ends(name):
                    yield
            finally:
                self._rents.end(name, self._seconds)

    @asynccontextmanager
    async def _until_the_rent_ends(self, name: str) -> AsyncIterator[None]:
        task = asyncio.current_task()
        assert task is not None
        alarm = _RentAlarm(task, partial(self._rents.left, name))
        self._asking.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if not alarm.has_rung:
                raise
            task.uncancel()
            raise failure("lease", name) from None
        finally:
            self._asking.discard(task)
            alarm.stop()


class _RentAlarm:
    """Cancels a question when the rent of its server ends.

    It cancels the task itself, as `fetching.py` does: a process that was stopped and wakes up too
    late runs its alarms before any task takes another step, so no question leaves it then.
    """

    def __init__(self, task: asyncio.Task[Any], left: Callable[[], float]) -> None:
        self._task, self._left = task, left
        self.has_rung = False
        self._look()

    def stop(self) -> None:
        self._timer.cancel()

    def _look(self) -> None:
        """The rent was made longer meanwhile, or it ends now."""
        left = self._left() - _EARLIER
        if left > 0:
            self._timer = asyncio.get_running_loop().call_later(left, self._look)
        else:
            self.has_rung = True
            self._task.cancel()
