"""Questions come back answered, whatever becomes of the processes."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from geoscout.crawling.processes import OverLimitError, Processes, ReplyLimits, Responder
from geoscout.machine import run_on_loop

LARGE = b"x" * 3_000_000


def asked(
    prepare: Callable[[], Responder],
    *questions: bytes,
    number: int = 2,
    limits: ReplyLimits | None = None,
    **how: Any,
) -> list[Any]:
    """The replies to questions that are asked at once."""

    async def ask() -> list[Any]:
        with closing(Processes(prepare, number, limits or ReplyLimits(), **how)) as processes:
            replies = map(processes.ask, questions)
            return await asyncio.gather(*replies, return_exceptions=limits is not None)

    return run_on_loop(ask())


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


def prepare_to_end() -> Responder:
    os._exit(1)


def prepare_slow() -> Responder:
    def answer(question: bytes) -> bytes:
        time.sleep(float(question))
        return question

    return answer


def prepare_busy(begun: Path | None = None) -> Responder:
    """Questions are how many seconds of processor time the answer takes."""

    def answer(question: bytes) -> bytes:
        if begun is not None:
            with begun.open("ab") as file:
                file.write(question + b"\n")
        until = time.process_time() + float(question)
        while time.process_time() < until:
            pass
        return question

    return answer


def prepare_greedy() -> Responder:
    """Questions are how many bytes the answer takes."""
    return lambda question: b"%d" % len(bytearray(int(question)))


def answers_in_order(
    limits: ReplyLimits, *questions: bytes, prepare: Callable[[], Responder] = prepare_busy
) -> list[bytes]:
    """The answers of one process, in the order in which they come."""

    async def ask() -> list[bytes]:
        with closing(Processes(prepare, 1, limits)) as processes:
            tasks = [asyncio.create_task(processes.ask(question)) for question in questions]
            return [await task for task in asyncio.as_completed(tasks)]

    return run_on_loop(ask())


def state_of(process: int) -> str:
    """R: it runs, S: it sleeps, T: it is stopped; Z: it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    return "Z"


def is_running(process: int) -> bool:
    return state_of(process) != "Z"


def test_each_question_gets_its_own_answer():
    questions = [b"question %d" % number for number in range(50)]

    assert asked(prepare_upper, *questions) == [question.upper() for question in questions]


def test_large_questions_pass_while_large_answers_come_back():
    assert asked(prepare_upper, *[LARGE] * 8) == [LARGE.upper()] * 8


def test_work_is_spread_over_all_processes():
    assert len(set(asked(prepare_pid, *[b""] * 8))) == 2


def test_failure_is_raised_with_where_it_happened():
    with pytest.raises(RuntimeError, match=r"(?s)test_pool.*ValueError"):
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

    assert run_on_loop(ask()) == b"second"


def test_processes_can_be_started_from_nothing():
    assert asked(prepare_upper, b"yes", number=1, method="spawn") == [b"YES"]


def test_process_that_is_silent_for_too_long_is_an_error_and_the_others_answer():
    silent, answered = asked(prepare_slow, b"600", b"0", limits=ReplyLimits(patience=1.0))

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

    assert run_on_loop(ask()) == b"0"


def test_processes_end_with_their_line():
    """As they must when the crawl is killed, or they would hold its lock."""

    async def leave() -> list[int]:
        processes = Processes(prepare_pid, 2)
        answers = await asyncio.gather(*[processes.ask(b"") for _ in range(8)])
        answers.append(b"%d" % processes._nursery.pid)
        processes._nursery._control.close()
        for process in processes._processes:
            process._line.close()
        return [int(answer) for answer in set(answers)]

    left = run_on_loop(leave())
    deadline = time.monotonic() + 20
    while any(map(is_running, left)) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert not any(map(is_running, left))


@pytest.mark.parametrize(
    ("prepare", "limits", "questions", "what"),
    [
        (prepare_busy, ReplyLimits(seconds=0.2), [b"0", b"600", b"0.01"], "time"),
        (prepare_greedy, ReplyLimits(memory=50_000_000), [b"1", b"200000000", b"20"], "memory"),
    ],
)
def test_answer_that_takes_too_much_is_given_up_and_the_next_one_comes(
    prepare, limits, questions, what
):
    before, greedy, after = asked(prepare, *questions, number=1, limits=limits)

    assert isinstance(greedy, OverLimitError)
    assert greedy.what == what
    assert [before, after] == questions[::2]


def test_process_that_waits_uses_no_processor_time():
    assert asked(prepare_slow, b"0.5", limits=ReplyLimits(seconds=0.1)) == [b"0.5"]


def test_long_answer_lets_short_ones_go_first_and_is_not_begun_again(tmp_path):
    limits = ReplyLimits(turn=0.05, aside=1)
    begun = tmp_path / "begun"

    come = answers_in_order(limits, b"0.5", *[b"0.01"] * 6, prepare=partial(prepare_busy, begun))

    assert come == [*[b"0.01"] * 6, b"0.5"]
    assert begun.read_bytes().count(b"0.5") == 1


def test_more_long_answers_than_there_is_room_for_come_in_the_end():
    limits = ReplyLimits(turn=0.05, aside=1)

    come = answers_in_order(limits, *[b"0.15"] * 2, *[b"0.01"] * 6)

    assert sorted(come) == [*[b"0.01"] * 6, *[b"0.15"] * 2]


def test_what_waited_behind_a_long_answer_is_not_taken_for_the_next_one():
    async def ask() -> list[bytes]:
        limits = ReplyLimits(turn=0.1, aside=1)
        with closing(Processes(prepare_busy, 1, limits)) as processes:
            asked = [asyncio.create_task(processes.ask(time)) for time in (b"0.4", b"0.05")]
            while not processes._slow:
                await asyncio.sleep(0.01)
            asked += [processes.ask(b"0.06", is_heavy=True), processes.ask(b"0.07", is_heavy=True)]
            return await asyncio.gather(*asked)

    assert run_on_loop(ask()) == [b"0.4", b"0.05", b"0.06", b"0.07"]


def test_heavy_question_is_set_aside_from_the_beginning():
    async def ask() -> list[bytes]:
        limits = ReplyLimits(turn=0.05, aside=1)
        with closing(Processes(prepare_busy, 1, limits)) as processes:
            first = asyncio.create_task(processes.ask(b"0.02"))
            await asyncio.sleep(0)
            heavy = asyncio.create_task(processes.ask(b"0.1", is_heavy=True))
            others = [asyncio.create_task(processes.ask(b"0.01")) for _ in range(4)]
            await asyncio.sleep(0)
            assert processes.set_aside == 1
            return await asyncio.gather(first, heavy, *others)

    assert run_on_loop(ask()) == [b"0.02", b"0.1", *[b"0.01"] * 4]


def test_heavy_questions_are_answered_by_the_same_few_processes():
    async def ask() -> tuple[set[bytes], bytes, int]:
        limits = ReplyLimits(turn=0.5, aside=2)
        with closing(Processes(prepare_pid, 1, limits)) as processes:
            first = await asyncio.gather(*[processes.ask(b"", is_heavy=True) for _ in range(6)])
            light = await processes.ask(b"")
            second = await asyncio.gather(*[processes.ask(b"", is_heavy=True) for _ in range(6)])
            return {*first, *second}, light, processes.set_aside

    heavy, light, set_aside = run_on_loop(ask())

    assert len(heavy) <= 2
    assert light not in heavy
    assert set_aside == 0


def test_process_without_a_question_makes_room_for_one_that_is_set_aside(tmp_path):
    begun = tmp_path / "begun"

    async def ask() -> tuple[list[bytes], int]:
        limits = ReplyLimits(turn=0.05, aside=1)
        with closing(Processes(partial(prepare_busy, begun), 1, limits)) as processes:
            await processes.ask(b"0", is_heavy=True)
            tasks = [asyncio.create_task(processes.ask(time)) for time in [b"0.5", *[b"0.01"] * 6]]
            come = [await task for task in asyncio.as_completed(tasks)]
            return come, len(processes._slow)

    assert run_on_loop(ask()) == ([*[b"0.01"] * 6, b"0.5"], 1)
    assert begun.read_bytes().count(b"0.5") == 1


def test_processes_that_are_renewed_leave_none_behind():
    async def ask() -> tuple[list[int], list[int]]:
        with closing(Processes(prepare_pid, 1, ReplyLimits(turn=0.5))) as processes:
            asked = [processes.ask(b"", is_heavy=heavy) for heavy in (False, True, True)]
            await asyncio.gather(*asked)
            before = processes.pids[1:]
            last = asyncio.create_task(processes.ask(b"", is_heavy=True))
            await asyncio.sleep(0)
            processes.renew()
            assert int(await last) in before
            return before, processes.pids[1:]

    before, after = run_on_loop(ask())

    assert len(before) >= 2
    assert after == []


def test_question_set_aside_leaves_the_processor_to_others_at_times():
    """One that sleeps gets as little processor time as one on a machine that is always busy."""

    async def ask() -> tuple[set[str], bytes, bytes]:
        with closing(Processes(prepare_slow, 1, ReplyLimits(turn=0.05, aside=1))) as processes:
            heavy = asyncio.create_task(processes.ask(b"1", is_heavy=True))
            states = set()
            while not heavy.done():
                await asyncio.sleep(0.01)
                states |= {state_of(process.pid) for process in processes._slow}
            return states, await heavy, await processes.ask(b"0", is_heavy=True)

    states, *answers = run_on_loop(ask())

    assert {"S", "T"} <= states
    assert answers == [b"1", b"0"]


def test_question_behind_one_that_ends_its_process_is_never_to_blame(tmp_path):
    """Whatever happens before it: here five of five processes end."""

    def prepare() -> Responder:
        return lambda question: os._exit(1) if question == b"fatal" else question

    async def ask() -> list[bytes | BaseException]:
        with closing(Processes(prepare, 1)) as processes:
            questions = [processes.ask(b"fatal", again=False) for _ in range(5)]
            questions.insert(1, processes.ask(b"good"))
            return await asyncio.gather(*questions, return_exceptions=True)

    replies = run_on_loop(ask())

    assert replies[1] == b"good"
    assert [type(reply) for reply in replies] == [
        ConnectionError, bytes, *[ConnectionError] * 4
    ]  # fmt: skip


def test_process_that_starts_the_others_is_replaced():
    async def ask() -> list[bytes]:
        with closing(Processes(prepare_pid, 1)) as processes:
            first = await processes.ask(b"")
            for process in processes.pids:
                os.kill(process, signal.SIGKILL)
            await asyncio.sleep(0.1)
            return [first, await processes.ask(b"")]

    first, second = run_on_loop(ask())

    assert first != second


def test_question_sent_while_the_starting_process_dies_is_not_to_blame():
    async def ask() -> bytes:
        with closing(Processes(prepare_upper, 1)) as processes:
            processes.prepare()
            (nursery,) = processes.pids
            os.kill(
                nursery, signal.SIGSTOP
            )  # on a busy machine one that is killed lives on a while
            answer = asyncio.ensure_future(processes.ask(b"a", again=False))
            await asyncio.sleep(0.05)
            os.kill(nursery, signal.SIGKILL)
            return await asyncio.wait_for(answer, 20)

    assert run_on_loop(ask()) == b"A"


def test_starting_process_that_always_ends_is_an_error(monkeypatch):
    monkeypatch.setattr("geoscout.crawling.processes.pool._MOST_UNBORN", 2)

    with pytest.raises(ConnectionError, match="ended before it answered"):
        asked(prepare_to_end, b"a", number=1)


def test_new_process_has_no_file_of_this_one(tmp_path):
    def prepare() -> Responder:
        def answer(question: bytes) -> bytes:
            files = [link for link in Path("/proc/self/fd").iterdir() if link.exists()]
            return b"\n".join(os.fsencode(link.readlink()) for link in files)

        return answer

    with (tmp_path / "open here").open("w"):
        (files,) = asked(prepare, b"", number=1)

    assert b"open here" not in files
