"""Compiled kernels: bytes and arrays in, arrays out. Each has a form in Python as well.

A kernel is optional: it is missing where geoscout was installed without a compiler, and
`GEOSCOUT_NATIVE=0` leaves all of them out. Both forms give the same results, bit for bit; the
tests compare them. In a checkout whose source has changed since, a kernel may no longer fit the
modules around it, so it is left out until it is built again.
"""

import importlib
import logging
import os
from pathlib import Path
from types import ModuleType
from typing import Any

_log = logging.getLogger(__name__)


def kernel(name: str) -> Any | None:
    """The module `geoscout_places._native.NAME`, or None where Python has to do."""
    if os.environ.get("GEOSCOUT_NATIVE") == "0":
        return None
    try:
        module = importlib.import_module(f"geoscout_places._native.{name}")
    except ImportError:
        return None
    if _is_outdated(module, name):
        _log.warning("%s was built from older source and is left out; `make` builds it", name)
        return None
    return module


def _is_outdated(module: ModuleType, name: str) -> bool:
    """Whether the kernel is older than its source, which only checkouts have, not wheels."""
    built = Path(module.__file__ or "")
    own = built.with_name(f"{name}.pyx")
    if not own.exists():
        return False
    sources = (own, *built.parent.glob(f"c/{name}*.c"), *built.parent.glob("c/*.h"))
    when = built.stat().st_mtime_ns
    return any(source.stat().st_mtime_ns > when for source in sources)
