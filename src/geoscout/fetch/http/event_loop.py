"""Runs the crawl on uvloop where there is one, else on the loop of the standard library."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

try:
    import uvloop
except ImportError:  # there is none for Windows and PyPy
    uvloop = None  # type: ignore[assignment]  # a module that may be missing

_Result = TypeVar("_Result")


def run(main: Coroutine[None, None, _Result]) -> _Result:
    """Run a coroutine to its end, like asyncio.run."""
    factory = uvloop.new_event_loop if uvloop is not None else asyncio.new_event_loop
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(main)
