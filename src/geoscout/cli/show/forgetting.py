"""A host is forgotten wherever a crawl has something of it: state, directory, search index."""

from __future__ import annotations

from pathlib import Path

from geoscout.cli.commands.index import update
from geoscout.entries import directory
from geoscout.search.updating import erase_index
from geoscout.settings import Settings
from geoscout.state.forgetting import forget_host, settle_forgotten
from geoscout.state.sqlite import INDEX
from geoscout_places.gazetteer.base import Gazetteer


def forget_everywhere(folder: Path, host: str, gazetteer: Gazetteer, settings: Settings) -> int:
    """Forget a host; how many entries of the directory its pages named.

    The state comes first: index and directory follow it also when this is interrupted. The index is
    made again, because the files of Tantivy keep deleted texts until they are merged.
    """
    forget_host(folder, host)
    entries = directory().forget(folder, host, gazetteer, settings)
    if (folder / INDEX).is_dir():
        erase_index(folder, settings)
        update(folder, gazetteer, settings)
    settle_forgotten(folder, host)
    return entries
