"""A process that loads what others need, and from which they are forked.

Loading takes a few tenths of a second and 100 MB. The nursery does it once: a process that is
forked from it answers its first question after a few milliseconds, and shares that memory. So a
process that a page has used up can be ended and replaced without holding up the other pages.

It also has no threads. The crawl has some, and to fork a process with threads may block for ever
in the new one, so the nursery is started before the crawl starts them. One that replaces it is not
forked but started from nothing.

    crawl ──socket of a new process──► nursery ──fork──► process ◄──questions──► crawl

The nursery ends, with all its processes, when the crawl closes its end of their socket or dies. On
Linux the kernel sees to that, so that none stays behind while it loads or works on a page.
"""

import ctypes
import gc
import multiprocessing
import os
import resource
import signal
import socket
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.process import BaseProcess
from typing import Any

from geoscout.crawling.processes.line import PieceBuffer, UnpreparedError, open_pair, send_piece

Responder = Callable[[bytes], bytes]

# Kinds of pieces; one that starts sends its id.
ASKED, STARTED, ANSWERED, FAILED, OUT_OF_MEMORY, UNPREPARED = b"q", b"s", b"a", b"f", b"m", b"u"
_FAREWELL_SECONDS = 1.0  # it may still be loading
_STANDARD_FILES = 3
_SIGNAL_WHEN_PARENT_ENDS = 1  # PR_SET_PDEATHSIG of prctl(2)
_MEMORY, _DATA_FIELD = "/proc/self/statm", 5  # pages of data and stack, as the limit counts
_PAGE_BYTES = resource.getpagesize()


class Nursery:
    """Starts processes that answer questions, each at the other end of a socket."""

    def __init__(self, prepare: Callable[[], Responder], method: str | None, memory: int) -> None:
        """`prepare` is called once and returns the function that answers in each process.

        `memory` is how many bytes a process may take for one answer; 0 sets no limit.
        """
        self._control, theirs = socket.socketpair()
        method = method or _usual_method()
        context: Any = multiprocessing.get_context(method)  # the type of all has no `Process`
        nurse = partial(_nurse, prepare, theirs, memory, _own_id(), is_forked=method == "fork")
        self._process: BaseProcess = context.Process(target=nurse, daemon=True)
        with warnings.catch_warnings():  # of numpy's threads, which know about forks
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def start(self) -> socket.socket:
        """The line to a new process, which first says its id.

        Raises:
            OSError: the nursery has ended, or this process may have no more files.
        """
        ours, theirs = open_pair()
        with theirs:
            try:
                socket.send_fds(self._control, [b"+"], [theirs.fileno()])
            except OSError:
                ours.close()
                raise
        return ours

    def close(self, patience: float = _FAREWELL_SECONDS) -> None:
        """End it and its processes, by force after this many seconds."""
        self._control.close()
        until = time.monotonic() + patience
        while self._process.is_alive():  # joining it with a timeout needs a file it has closed
            if time.monotonic() > until:
                self._process.kill()
            time.sleep(0.002)
        self._process.join()


def _usual_method() -> str:
    """To fork is a hundred times faster; only macOS cannot do it safely."""
    return "spawn" if sys.platform == "darwin" else "fork"


def _own_id() -> int:
    """The id of this process; 0 in a thread.

    For the kernel the parent of a process is a thread, which may end long before its process.
    """
    return os.getpid() if threading.current_thread() is threading.main_thread() else 0


def _end_with(parent: int) -> None:
    """Have the kernel end this process when its parent ends, however that happens."""
    if parent and sys.platform == "linux":
        ctypes.CDLL(None).prctl(_SIGNAL_WHEN_PARENT_ENDS, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before
            os._exit(1)


def _nurse(
    prepare: Callable[[], Responder],
    control: socket.socket,
    memory: int,
    parent: int,
    *,
    is_forked: bool,
) -> None:
    """Fork processes until the other end of the socket is closed."""
    _end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the crawl, which then ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    if is_forked:
        _let_go_of_files(control.fileno())
    gc.disable()  # nearly all that is loaded stays
    respond = _prepared(prepare)
    gc.freeze()  # or the first collection in a process would copy all that it shares
    gc.enable()
    children: set[int] = set()
    signal.signal(signal.SIGCHLD, lambda *_: _reap(children))
    while (line := _next_line(control)) is not None:
        # Or one that ends at once would be reaped before it is known, and stay known for ever.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        children.add(_fork(respond, line, control, memory))
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        line.close()
    for pid in list(children):
        with suppress(ProcessLookupError):  # it is ours until it is reaped
            os.kill(pid, signal.SIGKILL)
    # Not waited for: to end takes processor time, which a busy machine may not have.


def _let_go_of_files(needed: int) -> None:
    """Close what the crawl has open: connections would stay open when it closes them.

    Nothing of the crawl may be collected afterwards, for it would close these numbers again when
    they stand for other files.
    """
    gc.freeze()
    os.closerange(_STANDARD_FILES, needed)
    os.closerange(needed + 1, os.sysconf("SC_OPEN_MAX"))


def _next_line(control: socket.socket) -> socket.socket | None:
    """The end of a socket for the next process; None when there are to be no more."""
    while True:
        message, files, *_ = socket.recv_fds(control, 1, 1)
        if files:
            return socket.socket(fileno=files[0])
        if not message:
            return None


def _fork(respond: Responder, line: socket.socket, control: socket.socket, memory: int) -> int:
    """The id of a new process that answers on a line."""
    with warnings.catch_warnings():  # as above
        warnings.simplefilter("ignore", DeprecationWarning)
        nursery, pid = os.getpid(), os.fork()
    if pid:
        return pid
    try:
        _end_with(nursery)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        control.close()
        _serve(respond, line, memory)
    finally:
        os._exit(0)


def _reap(children: set[int]) -> None:
    """Let go of the processes that have ended."""
    with suppress(ChildProcessError):  # there are none
        while (pid := os.waitpid(-1, os.WNOHANG)[0]) > 0:
            children.discard(pid)
        return
    children.clear()


def _prepared(prepare: Callable[[], Responder]) -> Responder:
    """The function that answers; where `prepare` fails, one that fails with the same traceback."""
    try:
        return prepare()
    except Exception:  # as in `_reply`
        problem = traceback.format_exc()

    def fail(question: bytes) -> bytes:  # noqa: ARG001
        raise UnpreparedError(problem)

    return fail


def _serve(respond: Responder, line: socket.socket, memory: int) -> None:
    """Answer until the socket is closed."""
    incoming, limit = PieceBuffer(), _MemoryLimit(memory)
    with line:
        send_piece(line, STARTED, str(os.getpid()).encode())
        while True:
            while (asked := incoming.take()) is None:
                if not incoming.receive(line):
                    return
            limit.begin()
            kind, content = _reply(respond, asked[1])
            if kind == OUT_OF_MEMORY:
                limit.lift()
            send_piece(line, kind, content)
            if kind == OUT_OF_MEMORY:
                return  # no other question can be answered


def _reply(respond: Responder, question: bytes) -> tuple[bytes, bytes]:
    """The kind of the answer, and the answer."""
    try:
        return ANSWERED, respond(question)
    except MemoryError:
        return OUT_OF_MEMORY, b""
    except UnpreparedError as error:
        return UNPREPARED, str(error).encode("utf-8", "replace")
    except Exception:  # whatever it is, the crawl has to know
        return FAILED, traceback.format_exc().encode("utf-8", "replace")


class _MemoryLimit:
    """Lets this process take some bytes more for an answer than it has before; 0: any number.

    Where the system does not say how many it has, as on macOS, there is no limit.
    """

    def __init__(self, beyond: int) -> None:
        self._beyond, self._usage = beyond, -1
        _, self._most = resource.getrlimit(resource.RLIMIT_DATA)
        if beyond:
            with suppress(OSError):
                self._usage = os.open(_MEMORY, os.O_RDONLY)

    def begin(self) -> None:
        """Set the limit for the next answer."""
        if self._usage >= 0:
            pages = int(os.pread(self._usage, 256, 0).split()[_DATA_FIELD])
            limit = pages * _PAGE_BYTES + self._beyond
            limit = limit if self._most == resource.RLIM_INFINITY else min(limit, self._most)
            resource.setrlimit(resource.RLIMIT_DATA, (limit, self._most))

    def lift(self) -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (self._most, self._most))
