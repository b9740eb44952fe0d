"""What is kept of a link that waits, so that it can be ranked anew without its page.

The link itself is gone by the time a registry has told who holds its domain. Its focus and the
places it named are enough: they travel with the request.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

_FOCUS = struct.Struct("<f")
_ID_BYTES = 8  # ids of places are below 2 ** 63


def pack(focus: float, ids: Sequence[int]) -> bytes:
    """Focus and places as bytes; empty where there are neither.

    >>> unpack(pack(0.5, [4930956]))
    (0.5, (4930956,))
    """
    if not focus and not ids:
        return b""
    return _FOCUS.pack(focus) + b"".join(
        id.to_bytes(_ID_BYTES, "little", signed=True) for id in ids
    )


def unpack(kept: bytes) -> tuple[float, tuple[int, ...]]:
    """What `pack` was given."""
    if not kept:
        return 0.0, ()
    starts = range(_FOCUS.size, len(kept), _ID_BYTES)
    ids = [int.from_bytes(kept[at : at + _ID_BYTES], "little", signed=True) for at in starts]
    return _FOCUS.unpack_from(kept)[0], tuple(ids)
