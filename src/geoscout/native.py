"""Finds the compiled form of a function that also exists in Python.

A kernel is optional: it is missing where geoscout was installed without a compiler, and
`GEOSCOUT_NATIVE=0` leaves all of them out. Both forms give the same results, bit for bit; the
tests compare them.
"""

from __future__ import annotations

import importlib
import os
from typing import Any


def kernel(name: str) -> Any | None:
    """The module `geoscout._native.NAME`, or None where Python has to do."""
    if os.environ.get("GEOSCOUT_NATIVE") == "0":
        return None
    try:
        return importlib.import_module(f"geoscout._native.{name}")
    except ImportError:
        return None
