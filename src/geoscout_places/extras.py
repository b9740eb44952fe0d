"""Packages that only some users need: what to type to get them, and the sentence that says so.

What works depends on how geoscout was installed: a name alone is looked up in an index, where this
release need not be, or may be somebody else's. The installation itself records where it came from
(`direct_url.json`), and pipx marks the environments that it makes.
"""

import json
import shlex
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from geoscout_places.errors import UsageError

_NAME = "geoscout"
_CLONE = Path(__file__).parents[2]


def require(what: str, extra: str, *modules: str) -> None:
    """Say how to install what is missing, before any work is done."""
    missing = [name for name in modules if find_spec(name) is None]
    if missing:
        raise UsageError(f"{what} needs {' and '.join(missing)}: {install_command(extra)}")


def import_extra(what: str, extra: str, module: str) -> Any:
    """A module of an extra, imported."""
    try:
        return import_module(module)
    except ImportError as error:
        missing = module.partition(".")[0]
        raise UsageError(f"{what} needs {missing}: {install_command(extra)}") from error


def install_command(extra: str) -> str:
    """What to type for an extra, in the environment of this process."""
    return f"{_installer(Path(sys.prefix))} {source_of(extra, _origin())}"


def source_of(extra: str, origin: Mapping[str, Any] | None) -> str:
    """Geoscout with an extra, as words for pip; `origin` is what `direct_url.json` says.

    >>> source_of("lab", None)
    "'geoscout[lab]'"
    >>> source_of("lab", {"url": "https://example.org/geoscout.whl", "archive_info": {}})
    "'geoscout[lab] @ https://example.org/geoscout.whl'"
    """
    named = f"{_NAME}[{extra}]"
    if origin is None:
        return shlex.quote(named)
    url = str(origin["url"])
    if "vcs_info" in origin:
        version = origin["vcs_info"]
        return shlex.quote(f"{named} @ {version['vcs']}+{url}@{version['commit_id']}")
    if "dir_info" not in origin:
        return shlex.quote(f"{named} @ {url}")
    folder = Path(url2pathname(urlsplit(url).path))
    where = "." if folder == Path.cwd() else str(folder)
    editable = "-e " if origin["dir_info"].get("editable") else ""
    return editable + shlex.quote(f"{where}/[{extra}]")


def _origin() -> Mapping[str, Any] | None:
    """Where geoscout was installed from; None for an index."""
    # Every crawl imports this module, and few ask it.
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415

    try:
        told = distribution(_NAME).read_text("direct_url.json")
    except PackageNotFoundError:  # it runs from its source
        return {"url": _CLONE.as_uri(), "dir_info": {}}
    return json.loads(told) if told else None


def _installer(prefix: Path) -> str:
    """The words before it, for whichever program installs into this environment."""
    if (prefix / "pipx_metadata.json").is_file():
        return f"pipx inject {_NAME}"
    found = which("pip")
    if found and Path(found).parent == prefix / "bin":
        return "pip install"
    python = shlex.quote(sys.executable)
    if find_spec("pip") is None and which("uv"):
        return f"uv pip install --python {python}"
    return f"{python} -m pip install"
