"""Content codings undone piece by piece, never beyond a limit.

A few kilobytes can unfold to gigabytes, so every step is told how much it may give back, and what
is given back is counted at every coding of a chain. All three libraries can be bounded like that;
one that returns all that its input unfolds to could not be used here.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

import brotli

from geoscout.fetch.retries import failure

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ACCEPTED = "gzip, deflate, br, zstd"
_PIECE = 64 * 1024  # bytes given back by one step
_MOST_CODINGS = 3  # two happen by mistake, more is mischief
_MOST_MEMBERS = 100  # gzip files in a row; each costs time and may hold nothing
_LARGEST_WINDOW_LOG = 23  # 8 MiB; RFC 9659
_GZIP = 16 + zlib.MAX_WBITS
_GZIP_MARK = 0x1F  # its first byte
_ERRORS = (zlib.error, brotli.error, zstd.ZstdError)


class _Step(Protocol):
    """One coding undone."""

    def pieces(self, data: bytes) -> Iterator[bytes]: ...

    def is_complete(self) -> bool: ...


class BodyDecoder:
    """Takes a body as it arrives; the decoded bytes are in `body` when it has ended."""

    def __init__(self, content_encoding: str, most_bytes: int, *, cut: bool = False) -> None:
        """Prepare for the codings of a Content-Encoding field.

        With `cut` a body that grows beyond `most_bytes` is cut there and the decoder `is_full`;
        without, it is an error.

        Raises:
            NeverAgainError: kind "decompression": an unknown coding, or too many.
        """
        self._steps = [_STEPS[name]() for name in reversed(_codings(content_encoding))]
        self._counts = [0] * (len(self._steps) + 1)
        self._most_bytes = most_bytes
        self._cut = cut
        self._pieces: list[bytes] = []
        self.is_full = False

    def feed(self, data: bytes) -> None:
        """Take the next part of the body.

        Raises:
            NeverAgainError: kinds "decompression" and "bomb", or "too-large" without a coding.
        """
        try:
            self._feed(0, data)
        except _ERRORS as error:
            raise failure("decompression", str(error)) from error

    def stop(self) -> None:
        """Make do with what came so far."""
        self.is_full = True

    def finish(self) -> bytes:
        """The decoded body.

        Raises:
            TryLaterError: kind "truncated": a coding has not come to its end.
        """
        if self._counts[0] and not self.is_full:
            for step in self._steps:
                if not step.is_complete():
                    raise failure("truncated", "the compressed body has no end")
        return self.so_far()

    def so_far(self) -> bytes:
        """What is decoded, whether there is more to come or not."""
        return self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)

    def _feed(self, number: int, data: bytes) -> None:
        if self.is_full:
            return
        before = self._counts[number]
        self._counts[number] = before + len(data)
        if number == len(self._steps):
            self._keep(before, data)
            return
        if number:
            self._check(before + len(data))
        for piece in self._steps[number].pieces(data):
            self._feed(number + 1, piece)
            if self.is_full:
                return

    def _keep(self, before: int, data: bytes) -> None:
        size = before + len(data)
        if size > self._most_bytes and self._cut:
            self._pieces.append(data[: self._most_bytes - before])
            self.is_full = True
            return
        self._check(size)
        if data:
            self._pieces.append(data)

    def _check(self, size: int) -> None:
        if size > self._most_bytes:
            kind = "bomb" if self._steps else "too-large"
            raise failure(kind, f"more than {self._most_bytes} bytes")


def _codings(content_encoding: str) -> list[str]:
    """The codings to undo, in the order they were applied."""
    names = [name.strip().lower() for name in content_encoding.split(",")]
    # Servers write "utf-8" or "none" there; browsers ignore what is not a coding.
    found = [name for name in names if name in _STEPS]
    unknown = [name for name in names if name not in _STEPS and name in _REFUSED]
    if unknown or len(found) > _MOST_CODINGS:
        raise failure("decompression", f"content encoding {content_encoding[:80]!r}")
    return found


class _Inflate:
    """gzip (several files in a row are one body), and deflate with or without its envelope."""

    def __init__(self, *, gzip: bool) -> None:
        self._gzip = gzip
        self._stream = zlib.decompressobj(_GZIP) if gzip else None
        self._members = 1
        self._ended = False  # what follows is rubbish, which everybody ignores

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while data and not self._ended:
            stream = self._stream or self._deflate(data)
            if stream.eof:
                self._next_member(data)
                continue
            piece = self._decompress(stream, data)
            data = stream.unused_data if stream.eof else stream.unconsumed_tail
            yield piece

    def is_complete(self) -> bool:
        return self._ended or (self._stream is not None and self._stream.eof)

    def _decompress(self, stream: zlib._Decompress, data: bytes) -> bytes:
        try:
            return stream.decompress(data, _PIECE)
        except zlib.error:
            if self._members == 1:
                raise
            self._ended = True
            return b""

    def _deflate(self, data: bytes) -> zlib._Decompress:
        """Many servers leave out the envelope (RFC 1950) that HTTP asks for; one byte tells."""
        enveloped = data[0] & 0x0F == 8 and data[0] >> 4 <= 7
        self._stream = zlib.decompressobj(zlib.MAX_WBITS if enveloped else -zlib.MAX_WBITS)
        return self._stream

    def _next_member(self, data: bytes) -> None:
        if self._gzip and data[0] == _GZIP_MARK and self._members < _MOST_MEMBERS:
            self._members += 1
            self._stream = zlib.decompressobj(_GZIP)
        else:
            self._ended = True


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Decompressor()

    def pieces(self, data: bytes) -> Iterator[bytes]:
        piece = self._stream.process(data, output_buffer_limit=_PIECE)
        yield piece
        while len(piece) >= _PIECE or not self._stream.can_accept_more_data():
            piece = self._stream.process(b"", output_buffer_limit=_PIECE)
            yield piece

    def is_complete(self) -> bool:
        return bool(self._stream.is_finished())


class _Zstandard:
    """Frames in a row are one body (RFC 8878, 3.1)."""

    def __init__(self) -> None:
        self._stream = _new_zstandard()
        self._frames = 1

    def pieces(self, data: bytes) -> Iterator[bytes]:
        while True:
            if self._stream.eof:
                if not data or self._frames >= _MOST_MEMBERS:
                    return
                self._stream, self._frames = _new_zstandard(), self._frames + 1
            yield self._stream.decompress(data, max_length=_PIECE)
            data = self._stream.unused_data
            if self._stream.needs_input and not self._stream.eof:
                return

    def is_complete(self) -> bool:
        return self._stream.eof


def _new_zstandard() -> zstd.ZstdDecompressor:
    window = {int(zstd.DecompressionParameter.window_log_max): _LARGEST_WINDOW_LOG}
    return zstd.ZstdDecompressor(options=window)


_STEPS: dict[str, Callable[[], _Step]] = {
    "gzip": lambda: _Inflate(gzip=True),
    "x-gzip": lambda: _Inflate(gzip=True),
    "deflate": lambda: _Inflate(gzip=False),
    "br": _Brotli,
    "zstd": _Zstandard,
}
_REFUSED = frozenset({"compress", "x-compress", "exi", "pack200-gzip", "aes128gcm", "dcb", "dcz"})
