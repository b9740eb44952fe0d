"""Readers for a whole crawl: in several processes, and safe from pages that break them.

`WorkerPool` has a `Reader` in each of several processes. A response goes to one of them and a
`ReadResult` comes back, both as typed bytes.
"""

from __future__ import annotations

from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from geoscout.codec import Codec
from geoscout.crawling.processes import Processes, Responder
from geoscout.crawling.read import Reader, ReaderOptions, ReadResult
from geoscout.errors import NeverAgainError, TryLaterError
from geoscout.model import RequestKind, Response, SiteKnowledge

MOST_UNREAD = 10  # responses in a row; beyond that the fault is ours, not the pages'


class _Question(Struct, frozen=True, gc=False):
    """A response on its way to another process.

    Its headers are bytes. A server may send any bytes; those that are not UTF-8 are half surrogate
    pairs in `Response.headers`, and MessagePack has no text with such characters.
    """

    response: Response  # without headers
    headers: tuple[tuple[bytes, bytes], ...]
    kind: RequestKind
    site: SiteKnowledge | None


_questions, _results = Codec(_Question), Codec(ReadResult)


def pack_question(
    response: Response, kind: RequestKind, site: SiteKnowledge | None = None
) -> bytes:
    """A response to be read, the kind of its request, and what is known of its site."""
    headers = tuple((_as_bytes(name), _as_bytes(value)) for name, value in response.headers)
    return _questions.encode(_Question(replace(response, headers=()), headers, kind, site))


def unpack_question(packed: bytes) -> tuple[Response, RequestKind, SiteKnowledge | None]:
    """What `pack_question` was given.

    Raises:
        DamagedDataError: the bytes are something else.
    """
    question = _questions.decode(packed)
    headers = tuple((_as_text(name), _as_text(value)) for name, value in question.headers)
    return replace(question.response, headers=headers), question.kind, question.site


def _as_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _as_text(packed: bytes) -> str:
    return packed.decode("utf-8", "surrogateescape")


def _responder(options: ReaderOptions) -> Responder:
    """A function that reads packed responses in another process."""
    reader = Reader(options)

    def respond(question: bytes) -> bytes:
        return _results.encode(reader.read(*unpack_question(question)))

    return respond


class WorkerPool:
    """Reads pages in other processes."""

    def __init__(self, options: ReaderOptions, workers: int) -> None:
        self._processes = Processes(partial(_responder, options), workers)

    async def __call__(
        self,
        response: Response,
        kind: RequestKind = RequestKind.PAGE,
        site: SiteKnowledge | None = None,
    ) -> ReadResult:
        """Read one response in whichever process is free.

        Raises:
            ConnectionError: two processes ended while they had it, because of this page or another.
        """
        return _results.decode(await self._processes.ask(pack_question(response, kind, site)))

    def close(self) -> None:
        """End the processes."""
        self._processes.close()


class SafeReader:
    """Reads with another reader, and turns a failure of that reader into a failed fetch."""

    def __init__(self, reader: Reader | WorkerPool) -> None:
        self._reader = reader
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
            Exception: many in a row cannot be read, so the pages are not the cause.
        """
        try:
            result = await self._reader(response, kind, site)
        except Exception as error:  # whatever a page can do to a parser
            self._unread += 1
            if self._unread > MOST_UNREAD:
                raise
            if isinstance(error, ConnectionError):
                raise TryLaterError("unread", response.url) from error
            raise NeverAgainError("unread", f"{response.url}: {_last_line(error)}") from error
        self._unread = 0
        return result

    def close(self) -> None:
        """End what the reader has started."""
        self._reader.close()


def _last_line(error: Exception) -> str:
    """What went wrong, in one line; an error of another process has a whole traceback as text."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[-1] if lines else ''}"


def open_reader(options: ReaderOptions, workers: int) -> SafeReader:
    """A pool of processes for two or more workers, otherwise a reader in this process."""
    return SafeReader(WorkerPool(options, workers) if workers > 1 else Reader(options))
