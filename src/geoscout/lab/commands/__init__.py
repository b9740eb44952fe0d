"""The commands of the laboratory, and its views of a crawl in `geoscout status`.

`geoscout --help` imports the commands, and `geoscout status` the views, so they import what is slow
only when they run.
"""

from __future__ import annotations

from importlib.util import find_spec

from geoscout.errors import UsageError


def require(what: str, *modules: str) -> None:
    """Say how to install what is missing, before any work is done.

    Raises:
        UsageError: one of the modules is not installed.
    """
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise UsageError(f"{what} needs {' and '.join(missing)}: pip install 'geoscout[lab]'")
