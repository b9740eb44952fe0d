"""Work that takes a while: in a thread, some at a time, only for clients that still wait, and once.

A browser that goes elsewhere, or a client that is stopped, closes its connection. What waits for
its turn then is never begun. What runs already goes on unless it calls `Work.check` now and then: a
thread cannot be stopped from outside. Searches and exports do, between their steps.

The threads are our own. Those of anyio, with a group of tasks for each request, take a fifth of a
millisecond for every search, as much as ranking does.
"""

import asyncio
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from starlette.requests import Request

from geoscout_places.errors import GeoscoutError

T = TypeVar("T")
V = TypeVar("V")
_GONE = "http.disconnect"
_MOST_ANSWERS = 512  # that are remembered
_PATIENCE = 0.1  # seconds that work waits for its turn before a spare thread begins it


class ClientGoneError(GeoscoutError):
    """Nobody waits for the answer any more."""


class Work:
    """What a piece of work may look at."""

    def __init__(self) -> None:
        self._is_gone = False
        self.is_begun = False

    def leave(self) -> None:
        """The client is gone."""
        self._is_gone = True

    def check(self) -> None:
        """Go on if somebody waits for the result.

        Raises:
            ClientGoneError: nobody does.
        """
        if self._is_gone:
            raise ClientGoneError("the client has left")


class _Job(Generic[T]):
    """A piece of work, and who waits for it."""

    __slots__ = ("_beginning", "_function", "_loop", "result", "work")

    def __init__(self, function: Callable[[Work], T]) -> None:
        self._function = function
        self._loop = asyncio.get_running_loop()
        self.result: asyncio.Future[T] = self._loop.create_future()
        self.work = Work()
        self._beginning = threading.Lock()

    def run(self) -> None:
        """Do it, in a thread, unless another has begun."""
        if not self._beginning.acquire(blocking=False):
            return
        self.work.is_begun = True
        try:
            self.work.check()
            found = self._function(self.work)
        except BaseException as error:  # a panic of Tantivy is none of the usual ones
            self._tell(self._fail, error)
        else:
            self._tell(self._succeed, found)

    def leave(self) -> None:
        """The client is gone: who waits for its turn need not wait any more."""
        self.work.leave()
        if not self.work.is_begun:
            self._fail(ClientGoneError("the client has left"))

    def _tell(self, what: Callable[[V], None], value: V) -> None:
        with suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(what, value)

    def _succeed(self, found: T) -> None:
        if not self.result.done():
            self.result.set_result(found)

    def _fail(self, error: BaseException) -> None:
        if not self.result.done():
            self.result.set_exception(error)


class WorkThreads:
    """Threads that do one piece of work after the other, in the order in which they came."""

    def __init__(self, most: int, spare: int = 0) -> None:
        """`most` threads, and `spare` ones for what has waited long because others take long."""
        self._usual, self._spare = _Line(most), _Line(spare)

    def begin(self, job: _Job[T]) -> asyncio.TimerHandle:
        """Have a piece of work done; from the event loop. The alarm is to be cancelled then."""
        self._usual.put(job)
        return asyncio.get_running_loop().call_later(_PATIENCE, self._spare.put, job)


class _Line:
    """A queue of work, and the threads that take from it; they start with the first piece."""

    def __init__(self, threads: int) -> None:
        self._not_started = threads
        self._jobs: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        weakref.finalize(self, self._jobs.put, None)  # nobody is left to bring them work

    def put(self, job: _Job[T]) -> None:
        while self._not_started:
            self._not_started -= 1
            threading.Thread(target=_work, args=(self._jobs,), daemon=True).start()
        self._jobs.put(job)


def _work(jobs: SimpleQueue[_Job[Any] | None]) -> None:
    while job := jobs.get():
        job.run()
        del job  # its answer is not kept until the next one comes
    jobs.put(None)  # for the next thread


async def run_for_client(
    request: Request, function: Callable[[Work], T], threads: WorkThreads
) -> T:
    """Run a function in a thread when it is its turn, as long as the client stays.

    Raises:
        ClientGoneError: it left.
    """
    job = _Job(function)
    alarm = threads.begin(job)
    watching = asyncio.ensure_future(_watch(request, job))
    try:
        return await job.result
    finally:
        job.work.leave()  # if the server is stopped
        alarm.cancel()
        watching.cancel()


async def _watch(request: Request, job: _Job[T]) -> None:
    while (await request.receive())["type"] != _GONE:
        pass  # the end of a request without a body
    job.leave()


class Remembered:
    """The answers given last, as they were sent, by question; for several threads.

    A search is asked again more often than one would think: by the back button, a reload, a shared
    address, the next letter taken back. An answer is some 10 KB, so a few hundred cost little.
    """

    def __init__(self, most: int = _MOST_ANSWERS) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()
        self._changing = threading.Lock()

    def get(self, question: Hashable) -> bytes | None:
        """The answer that was given; None when it was not, or long ago."""
        with self._changing:
            answer = self._answers.get(question)
            if answer is not None:
                self._answers.move_to_end(question)
            return answer

    def put(self, question: Hashable, answer: bytes) -> None:
        with self._changing:
            self._answers[question] = answer
            if len(self._answers) > self._most:
                self._answers.popitem(last=False)
