import contextlib
import gzip
import sys
import tracemalloc
import zlib

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.fetch.http.decoding import BodyDecoder
from geoscout_places.errors import FetchError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


CODERS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: brotli.compress(data, quality=1),
    "zstd": zstd.compress,
}
LIMIT = 1_000_000


def decode(data: bytes, coding: str, *, pieces: int = 1, cut: bool = False) -> bytes:
    decoder = BodyDecoder(coding, LIMIT, cut=cut)
    step = max(len(data) // pieces, 1)
    for start in range(0, len(data), step):
        decoder.feed(data[start : start + step])
    return decoder.finish()


@given(st.binary(max_size=3000), st.sampled_from(sorted(CODERS)), st.integers(1, 50))
def test_every_coding_is_undone_however_it_arrives(body, name, pieces):
    assert decode(CODERS[name](body), name, pieces=pieces) == body


@given(st.binary(max_size=500), st.sampled_from([*CODERS, "gzip, br", ""]))
def test_any_bytes_are_survived(body, name):
    with contextlib.suppress(FetchError):
        decode(body, name, pieces=3)


@pytest.mark.parametrize("name", CODERS)
@pytest.mark.parametrize("pieces", [1, 7])
def test_long_body_is_undone(name, pieces):
    body = bytes(range(256)) * 3900

    assert decode(CODERS[name](body), name, pieces=pieces) == body


def test_deflate_without_envelope_is_understood():
    assert decode(raw_deflate(b"hello " * 100), "deflate") == b"hello " * 100


def test_codings_are_undone_in_reverse():
    assert decode(brotli.compress(gzip.compress(b"hello")), "gzip, br") == b"hello"


@pytest.mark.parametrize("pieces", [1, 5, 60, 1000])
@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_bodies_in_a_row_are_one(name, pieces):
    data = b"".join(CODERS[name](body) for body in (b"one ", b"two ", b"three"))

    assert decode(data, name, pieces=pieces) == b"one two three"


@pytest.mark.parametrize("pieces", [1, 40])
@pytest.mark.parametrize("rubbish", [b"rubbish", b"\x1fruby", bytes(20)])
def test_rubbish_after_the_end_of_gzip_is_ignored(rubbish, pieces):
    assert decode(gzip.compress(b"hello") + rubbish, "gzip", pieces=pieces) == b"hello"


@pytest.mark.parametrize("claim", ["utf-8", "none", "identity", "", "text/html"])
def test_what_names_no_coding_is_plain(claim):
    assert decode(b"<p>", claim) == b"<p>"


@pytest.mark.parametrize("claim", ["compress", "gzip, compress", "gzip, gzip, gzip, gzip"])
def test_coding_that_cannot_be_undone_is_a_failure(claim):
    with pytest.raises(FetchError, match="decompression"):
        BodyDecoder(claim, LIMIT)


@pytest.mark.parametrize("name", CODERS)
def test_plain_text_that_claims_a_coding_is_a_failure(name):
    with pytest.raises(FetchError, match="decompression"):
        decode(b"<!doctype html><title>Plain</title>" * 20, name)


@pytest.mark.parametrize("name", CODERS)
def test_body_without_end_is_truncated(name):
    with pytest.raises(FetchError, match="truncated"):
        decode(CODERS[name](bytes(range(256)) * 20)[:-5], name)


@pytest.mark.parametrize("name", CODERS)
def test_empty_body_is_empty_whatever_it_claims(name):
    assert BodyDecoder(name, LIMIT).finish() == b""


@pytest.mark.parametrize("name", ["gzip", "deflate", "br", "zstd"])
def test_bomb_is_found_before_it_has_unfolded(name):
    data = CODERS[name](bytes(40 * LIMIT))
    tracemalloc.start()
    with pytest.raises(FetchError, match="bomb"):
        decode(data, name)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert most < 4 * LIMIT


def test_bomb_inside_a_coding_that_then_shrinks_is_found():
    empty = gzip.compress(b"")
    data = gzip.compress(empty * (3 * LIMIT // len(empty)))

    with pytest.raises(FetchError, match="bomb"):
        decode(data, "gzip, gzip")


def test_plain_body_beyond_the_limit_is_too_large():
    with pytest.raises(FetchError, match="too-large"):
        decode(bytes(LIMIT + 1), "")


@pytest.mark.parametrize("name", ["", "gzip", "br", "zstd"])
def test_body_can_be_cut_instead(name):
    body = bytes(range(250)) * 8000
    data = CODERS[name](body) if name else body
    decoder = BodyDecoder(name, LIMIT, cut=True)
    decoder.feed(data)

    assert decoder.is_full
    assert decoder.finish() == body[:LIMIT]
