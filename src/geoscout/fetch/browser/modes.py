"""When a browser is asked; apart from the rest, which is slow to import."""

from __future__ import annotations

from importlib.util import find_spec

from geoscout.errors import UsageError

NEVER, AUTO, ALWAYS = "never", "auto", "always"


def read_render(mode: str) -> str:
    """How pages are rendered.

    Raises:
        UsageError: there is no such mode, or no browser for it.
    """
    if mode not in (NEVER, AUTO, ALWAYS):
        raise UsageError(f"render is one of {NEVER}, {AUTO}, {ALWAYS}, not {mode!r}")
    if mode != NEVER:
        _check_browser()
    return mode


def _check_browser() -> None:
    """Raises UsageError where there is no browser that could be used."""
    if find_spec("playwright") is None:
        raise UsageError(
            "to render pages install the package playwright: pip install 'geoscout[browser]'"
        )
