"""geoscout finds the web pages that are about a place.

`start_crawl`, `resume_crawl` and `open_crawl` are a crawl from Python: docs/python.md. They are
imported when they are first asked for, because a command such as `geoscout --help` needs none.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geoscout.crawling.run import open_crawl, resume_crawl, start_crawl
    from geoscout.settings import Settings

__version__ = "0.1.0"
__all__ = ["Settings", "open_crawl", "resume_crawl", "start_crawl"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    module = "geoscout.settings" if name == "Settings" else "geoscout.crawling.run"
    return getattr(import_module(module), name)
