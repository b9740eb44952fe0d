"""When a browser is asked; apart from the rest, which is slow to import."""

from __future__ import annotations

from geoscout.errors import UsageError
from geoscout.extras import require

NEVER, AUTO, ALWAYS = "never", "auto", "always"


def read_render(mode: str) -> str:
    """How pages are rendered.

    Raises:
        UsageError: there is no such mode, or no browser for it.
    """
    if mode not in (NEVER, AUTO, ALWAYS):
        raise UsageError(f"render is one of {NEVER}, {AUTO}, {ALWAYS}, not {mode!r}")
    if mode != NEVER:
        require("to render pages", "browser", "playwright")
    return mode
