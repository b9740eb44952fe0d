"""Servers of registries that several workers ask, each under a rent."""

from __future__ import annotations

import asyncio
import time
from itertools import pairwise

import pytest

from geoscout.cluster.registry_rents import RegistryRents
from geoscout.cluster.session import WorkerSession
from geoscout.errors import FetchError
from geoscout.store.postgres.database import Connection, read_address

PAUSE = 0.1


async def ask(
    servers: RegistryRents, session: WorkerSession, times: int, asked: list[tuple[float, float]]
) -> None:
    """A worker with several questions at once; it settles its rents as the loop of one does."""
    pace = servers.pace(PAUSE)

    async def question() -> None:
        async with pace.turn("nic.test"):
            began = time.monotonic()
            await asyncio.sleep(0.02)
            asked.append((began, time.monotonic()))

    questions = asyncio.gather(*(question() for _ in range(times)))
    while not questions.done():
        await session.ask(servers.rents.settle)
        await asyncio.sleep(0.02)
    await questions
    await session.ask(servers.rents.leave)


def test_two_workers_never_ask_a_registry_at_once(
    connection: Connection, postgres_address: str
) -> None:
    asked: list[tuple[float, float]] = []

    async def run() -> None:
        sessions = [WorkerSession(read_address(postgres_address)) for _ in range(2)]
        await asyncio.gather(*(ask(RegistryRents(), session, 3, asked) for session in sessions))
        for session in sessions:
            session.close()

    asyncio.run(run())

    asked.sort()
    assert len(asked) == 6
    assert min(begin - end for (_, end), (begin, _) in pairwise(asked)) >= PAUSE


def test_a_question_ends_with_the_rent_of_its_server(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database does not answer, so nobody makes the rent longer."""
    servers = RegistryRents()
    monkeypatch.setattr(servers.rents, "_seconds", 1.5)

    async def run() -> tuple[str, float, bool]:
        servers.rents.wait_for("registry:nic.test")
        servers.rents.settle(connection.cursor())
        began = time.monotonic()
        try:
            async with servers.pace(PAUSE).turn("nic.test"):
                await asyncio.sleep(30)
        except FetchError as error:
            await asyncio.sleep(0)  # the task itself is not cancelled
            return error.kind, time.monotonic() - began, bool(servers.asking)
        return "", 0.0, True

    kind, seconds, is_asking = asyncio.run(run())

    assert (kind, is_asking) == ("lease", False)
    assert 1.0 < seconds < 1.5


def test_a_question_that_is_cancelled_is_no_lost_rent(connection: Connection) -> None:
    servers = RegistryRents()

    async def run() -> bool:
        servers.rents.wait_for("registry:nic.test")
        servers.rents.settle(connection.cursor())

        async def question() -> None:
            async with servers.pace(PAUSE).turn("nic.test"):
                await asyncio.sleep(30)

        task = asyncio.create_task(question())
        while not servers.asking:
            await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return task.cancelled()

    assert asyncio.run(run())
