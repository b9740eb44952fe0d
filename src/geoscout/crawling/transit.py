"""Records to bytes and back, for the way between processes.

Pickle asks a frozen dataclass with slots for its state through two functions written in Python, and
sets it through two more, field by field by name. For the links, blocks and mentions of a page that
took longer than parsing it. Here a record travels as its class and its fields, which are read in C.
`benchmarks/speed.py` shows what a second process brings.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from operator import attrgetter
from typing import Any

Reduced = tuple[type[Any], tuple[Any, ...]]
_PROTOCOL = 5


class _Reducers(dict[type[Any], Callable[[Any], Reduced]]):
    """How to take apart each kind of record; learned when one is first met."""

    def __missing__(self, kind: type[Any]) -> Callable[[Any], Reduced]:
        if not is_dataclass(kind):
            raise KeyError(kind)  # pickle knows what to do then
        self[kind] = reducer = _reducer(kind)
        return reducer


def _reducer(kind: type[Any]) -> Callable[[Any], Reduced]:
    names = [field.name for field in fields(kind)]
    if len(names) == 1:  # attrgetter gives a tuple only from two names on
        return lambda record: (kind, (getattr(record, names[0]),))
    values = attrgetter(*names)
    return lambda record: (kind, values(record))


_REDUCERS = _Reducers()


def to_bytes(record: object) -> bytes:
    """A record with all that hangs on it."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, _PROTOCOL)
    pickler.dispatch_table = _REDUCERS
    pickler.dump(record)
    return buffer.getvalue()


def from_bytes(packed: bytes) -> Any:
    """What `to_bytes` was given; only for bytes of our own processes."""
    return pickle.loads(packed)  # noqa: S301 - never from outside
