"""Readers for a whole crawl: in other processes, and safe from pages that break them.

`WorkerPool` has a `Reader` in each of one or more processes. A response goes to one of them and a
`ReadResult` comes back, both as typed bytes. A page that costs too much is not read: its answer
goes to the archive like any other, and what it lacked is counted.
"""

from __future__ import annotations

import errno
import os
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from geoscout.crawling.processes import (
    OverLimitError,
    Processes,
    ReplyLimits,
    Responder,
    UnpreparedError,
)
from geoscout.crawling.read_result import ReaderOptions, ReadResult
from geoscout.fetch.http.rules import MEBIBYTE
from geoscout_places.codec import Codec
from geoscout_places.errors import NeverAgainError, TryLaterError, UsageError
from geoscout_places.model import RequestKind, Response, SiteKnowledge

if TYPE_CHECKING:
    from geoscout.crawling.read import Reader

MOST_UNREAD = 10  # responses in a row; beyond that the fault may be ours, not the pages'
_PAGE_MEMORY = 512 * MEBIBYTE  # people do not read pages that take more
_TURN_SECONDS = 0.1  # of processor time; an ordinary page takes a hundredth
_HEAVY_BYTES = 256 * 1024  # of a page that may take more than its turn
_NO_MEMORY = (
    "there is not enough memory for the processes that read pages: give them more, or fewer"
    " `workers`; no page was given up for it"
)
_PROBE = Response("http://probe.invalid/", 200, (), b"<p>Any text", "", fetched_at=0.0, seconds=0.0)


class _Question(Struct, frozen=True, gc=False):
    """A response on its way to another process.

    Its headers are bytes. A server may send any bytes; those that are not UTF-8 are half surrogate
    pairs in `Response.headers`, and MessagePack has no text with such characters.
    """

    response: Response  # without headers
    headers: tuple[tuple[bytes, bytes], ...]
    kind: RequestKind
    site: SiteKnowledge | None
    is_read: bool = True  # else it is only packed for the archive


_questions, _results = Codec(_Question), Codec(ReadResult)


def pack_question(
    response: Response,
    kind: RequestKind,
    site: SiteKnowledge | None = None,
    *,
    is_read: bool = True,
) -> bytes:
    """A response to be read, the kind of its request, and what is known of its site."""
    headers = tuple((_as_bytes(name), _as_bytes(value)) for name, value in response.headers)
    return _questions.encode(_Question(replace(response, headers=()), headers, kind, site, is_read))


def unpack_question(packed: bytes) -> tuple[Response, RequestKind, SiteKnowledge | None, bool]:
    """What `pack_question` was given.

    Raises:
        DamagedDataError: the bytes are something else.
    """
    question = _questions.decode(packed)
    headers = tuple((_as_text(name), _as_text(value)) for name, value in question.headers)
    response = replace(question.response, headers=headers)
    return response, question.kind, question.site, question.is_read


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _as_text(packed: bytes) -> str:
    return packed.decode("utf-8", "surrogateescape")


def _responder(options: ReaderOptions) -> Responder:
    """A function that reads packed responses in another process."""
    # Not in the process of the crawl, which can fetch its first pages meanwhile.
    from geoscout.crawling.read import Reader  # noqa: PLC0415

    reader = Reader(options)
    reader.warm_up()

    def respond(question: bytes) -> bytes:
        response, kind, site, is_read = unpack_question(question)
        result = reader.read(response, kind, site) if is_read else reader.pack(response)
        return _results.encode(result)

    return respond


class WorkerPool:
    """Reads pages in other processes."""

    def __init__(
        self, options: ReaderOptions, workers: int, limits: ReplyLimits | None = None
    ) -> None:
        self.processes = Processes(partial(_responder, options), workers, limits)

    async def __call__(
        self,
        response: Response,
        kind: RequestKind = RequestKind.PAGE,
        site: SiteKnowledge | None = None,
    ) -> ReadResult:
        """Read one response in whichever process is free.

        Raises:
            ConnectionError: two processes ended while they worked on it.
        """
        question = pack_question(response, kind, site)
        # A sitemap has its turn like a small page: it takes milliseconds, and its site waits.
        is_heavy = kind != RequestKind.SITEMAP and len(response.body) > _HEAVY_BYTES
        try:
            return _results.decode(await self.processes.ask(question, is_heavy=is_heavy))
        except OverLimitError as error:
            question = pack_question(response, kind, is_read=False)
            packed = _results.decode(await self.processes.ask(question, is_heavy=is_heavy))
            return replace(packed, unread=error.what)

    def close(self) -> None:
        self.processes.close()


class SafeReader:
    """Reads with another reader, and turns a failure of that reader into a failed fetch."""

    def __init__(self, reader: Reader | WorkerPool) -> None:
        self._reader = reader
        self._processes = reader.processes if isinstance(reader, WorkerPool) else None
        if self._processes is not None:
            self._processes.prepare()
        self._unread = 0  # responses in a row

    async def __call__(
        self,
        response: Response,
        kind: RequestKind = RequestKind.PAGE,
        site: SiteKnowledge | None = None,
    ) -> ReadResult:
        """Read one response.

        Raises:
            FetchError: of the kind "unread": this response cannot be read.
            UsageError: there is too little memory to read an ordinary page.
            Exception: many in a row cannot be read, and an ordinary page cannot either.
        """
        try:
            result = await self._reader(response, kind, site)
        except Exception as error:  # whatever a page can do to a parser
            self._unread += 1
            if self._unread > MOST_UNREAD or isinstance(error, UnpreparedError | OverLimitError):
                await self._read_ordinary_page()  # or no page is to blame
                self._unread = 0
            if isinstance(error, ConnectionError):
                raise TryLaterError("unread", response.url) from error
            raise NeverAgainError("unread", f"{response.url}: {_last_line(error)}") from error
        self._unread = 0
        return result

    async def _read_ordinary_page(self) -> None:
        try:
            await self._reader(_PROBE)
        except Exception as error:
            if _lacks_memory(error):
                raise UsageError(_NO_MEMORY) from error
            raise

    @property
    def set_aside(self) -> int:
        """How many pages take long, and let others go first."""
        return self._processes.set_aside if self._processes is not None else 0

    def pids(self) -> list[int]:
        return self._processes.pids if self._processes is not None else []

    def renew(self) -> None:
        """Have other processes read, for the memory that these have gathered."""
        if self._processes is not None:
            self._processes.renew()

    def close(self) -> None:
        self._reader.close()


def _lacks_memory(error: Exception) -> bool:
    """Whether that is why other processes could not begin, or could not even pack a page."""
    is_over = isinstance(error, OverLimitError) and error.what == "memory"
    return is_over or _last_line(error).endswith((MemoryError.__name__, os.strerror(errno.ENOMEM)))


def _last_line(error: Exception) -> str:
    """What went wrong, in one line; an error of another process has a whole traceback as text."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[-1] if lines else ''}"


def open_reader(options: ReaderOptions, workers: int) -> SafeReader:
    """Readers in one or more other processes.

    Never in this one: a page of a few megabytes takes seconds, and nothing else would happen.
    """
    # What reading one page may cost.
    limits = ReplyLimits(options.settings.page_seconds, memory=_PAGE_MEMORY, turn=_TURN_SECONDS)
    return SafeReader(WorkerPool(options, max(workers, 1), limits))
