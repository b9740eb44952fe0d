from __future__ import annotations

import asyncio

from geoscout.fetch.http.rules import Turns


def busiest(pairs: list[tuple[str, str]]) -> int:
    """How many were inside at a time at most."""
    turns, inside, most = Turns(), 0, 0

    async def visit(host: str, address: str) -> None:
        nonlocal inside, most
        async with turns.take(host, address):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.001)
            inside -= 1

    async def run() -> None:
        await asyncio.gather(*(visit(*pair) for pair in pairs))

    asyncio.run(run())
    assert len(turns) == 0
    return most


def test_one_host_is_visited_by_one_at_a_time() -> None:
    assert busiest([("a", "1"), ("a", "2"), ("a", "3")]) == 1


def test_one_address_is_visited_by_one_at_a_time() -> None:
    assert busiest([("a", "1"), ("b", "1"), ("c", "1")]) == 1


def test_others_are_visited_meanwhile() -> None:
    assert busiest([("a", "1"), ("b", "2"), ("c", "3")]) == 3


def test_host_and_address_of_one_name_are_two_things() -> None:
    assert busiest([("1.1.1.1", "2.2.2.2"), ("2.2.2.2", "1.1.1.1")]) == 2


def test_turn_is_given_back_by_who_gives_up() -> None:
    turns = Turns()

    async def stay() -> None:
        async with turns.take("a", "1"):
            await asyncio.sleep(60)

    async def run() -> None:
        first, second = asyncio.create_task(stay()), asyncio.create_task(stay())
        await asyncio.sleep(0.001)
        first.cancel()
        second.cancel()
        await asyncio.gather(first, second, return_exceptions=True)

    asyncio.run(run())
    assert len(turns) == 0
