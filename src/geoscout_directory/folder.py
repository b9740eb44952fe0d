"""Where the directory of a crawl is kept, for those who only look whether there is one."""

from __future__ import annotations

from pathlib import Path

from geoscout.state.base import folder_below, is_url

LISTING_FILE = "listing.sqlite"


def directory_folder(where: Path | str, home: Path) -> Path:
    """The folder on this machine for the directory of the crawl at an address."""
    return (
        folder_below(home, str(where), "directories")
        if is_url(where)
        else Path(where) / "directory"
    )


def has_listing(folder: Path) -> bool:
    """Whether a directory is there to be asked."""
    return (folder / LISTING_FILE).is_file()
