"""Questions come back answered, whatever becomes of the processes."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest

from geoscout.crawling.processes import Processes, Responder
from geoscout.fetch.http.event_loop import run

LARGE = b"x" * 3_000_000


def asked(prepare: Callable[[], Responder], *questions: bytes, number: int = 2) -> list[bytes]:
    async def ask() -> list[bytes]:
        with closing(Processes(prepare, number)) as processes:
            return await asyncio.gather(*map(processes.ask, questions))

    return run(ask())


def prepare_upper() -> Responder:
    return bytes.upper


def prepare_pid() -> Responder:
    return lambda question: b"%d" % os.getpid()


def prepare_failing() -> Responder:
    return lambda question: b"%d" % int(question)


def prepare_nothing() -> Responder:
    raise ValueError("nothing to prepare")


def prepare_dying(lived: Path) -> Responder:
    def answer(question: bytes) -> bytes:
        if not lived.exists():
            lived.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return question

    return answer


def prepare_dead() -> Responder:
    return lambda question: os._exit(1)


def prepare_slow() -> Responder:
    def answer(question: bytes) -> bytes:
        time.sleep(float(question))
        return question

    return answer


def is_running(process: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_each_question_gets_its_own_answer():
    questions = [b"question %d" % number for number in range(50)]

    assert asked(prepare_upper, *questions) == [question.upper() for question in questions]


def test_large_questions_pass_while_large_answers_come_back():
    assert asked(prepare_upper, *[LARGE] * 8) == [LARGE.upper()] * 8


def test_work_is_spread_over_all_processes():
    assert len(set(asked(prepare_pid, *[b""] * 8))) == 2


def test_failure_is_raised_with_where_it_happened():
    with pytest.raises(RuntimeError, match=r"(?s)test_processes.*ValueError"):
        asked(prepare_failing, b"seven")


def test_process_that_cannot_be_prepared_says_why():
    with pytest.raises(RuntimeError, match="nothing to prepare"):
        asked(prepare_nothing, b"")


def test_process_that_is_killed_is_replaced(tmp_path):
    prepare = partial(prepare_dying, tmp_path / "lived")

    assert asked(prepare, *[b"again"] * 6) == [b"again"] * 6


def test_process_that_always_ends_is_an_error():
    with pytest.raises(ConnectionError):
        asked(prepare_dead, b"")


def test_question_is_asked_once_where_that_is_wanted(tmp_path):
    async def ask() -> bytes:
        with closing(Processes(partial(prepare_dying, tmp_path / "lived"), 1)) as processes:
            with suppress(ConnectionError):
                await processes.ask(b"first", again=False)
            return await processes.ask(b"second", again=False)

    assert run(ask()) == b"second"


def test_processes_can_be_started_from_nothing():
    async def ask() -> bytes:
        with closing(Processes(prepare_upper, 1, method="spawn")) as processes:
            return await processes.ask(b"yes")

    assert run(ask()) == b"YES"


def test_process_that_is_silent_for_too_long_is_an_error_and_the_others_answer():
    async def ask() -> list[bytes | BaseException]:
        with closing(Processes(prepare_slow, 2, patience=1.0)) as processes:
            questions = map(processes.ask, [b"600", b"0"])
            return await asyncio.gather(*questions, return_exceptions=True)

    silent, answered = run(ask())

    assert isinstance(silent, ConnectionError)
    assert answered == b"0"


def test_answer_nobody_waits_for_is_not_taken_for_that_to_the_next_question():
    async def ask() -> bytes:
        with closing(Processes(prepare_slow, 1)) as processes:
            given_up = asyncio.create_task(processes.ask(b"0.2"))
            next_one = asyncio.create_task(processes.ask(b"0"))
            await asyncio.sleep(0.1)
            given_up.cancel()
            return await next_one

    assert run(ask()) == b"0"


def test_processes_end_with_their_line():
    """As they must when the crawl is killed, or they would hold its lock."""

    async def leave() -> list[int]:
        processes = Processes(prepare_pid, 2)
        answers = await asyncio.gather(*[processes.ask(b"") for _ in range(8)])
        for process in processes._processes:
            process._line.result()[1].close()
        return [int(answer) for answer in set(answers)]

    left = run(leave())
    deadline = time.monotonic() + 20
    while any(map(is_running, left)) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert not any(map(is_running, left))
