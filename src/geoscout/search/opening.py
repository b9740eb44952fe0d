"""Opens the index of a crawl, to ask it or to change it. Only this module knows which index it is.

Everything else in search reads and writes by the Protocols of `index/base.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from geoscout.index.base import Index, WritableIndex
from geoscout.index.reader import IndexReader
from geoscout.index.synsets import SynsetPlaces
from geoscout.index.writer import IndexWriter, erase
from geoscout.settings import Settings, load_settings
from geoscout.state.base import index_folder, open_state
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder

_PLACES_REMEMBERED = 50_000


def open_index(where: Path | str, settings: Settings | None = None) -> Index:
    """The index of the crawl at an address, as of its last commit.

    `settings` None means those of file and environment, here and below.

    Raises:
        UsageError: there is no index yet.
    """
    return IndexReader(_folder(where, settings))


def change_index(
    where: Path | str, gazetteer: Gazetteer, settings: Settings | None = None
) -> WritableIndex | None:
    """The index of the crawl at an address, made if it is new, for one process that changes it.

    None while another process changes it.
    """
    folder = _folder(where, settings)
    return IndexWriter.open(
        folder,
        _ancestors_by(gazetteer),
        gazetteer.identity,
        synset_of=SynsetPlaces(gazetteer).of_place,
    )


def erase_index(where: Path | str, settings: Settings | None = None) -> None:
    """Forget the index of a crawl; the next update makes it from the beginning.

    Raises:
        GeoscoutError: the crawl cannot be read, so the index could not be made again.
    """
    with open_state(where).reader:
        pass
    erase(_folder(where, settings))


def _folder(where: Path | str, settings: Settings | None) -> Path:
    return index_folder(where, home_folder(settings or load_settings()))


def _ancestors_by(gazetteer: Gazetteer) -> Callable[[int], list[int]]:
    @lru_cache(maxsize=_PLACES_REMEMBERED)
    def ancestors(id: int) -> list[int]:
        place = gazetteer.place(id)
        return [above.id for above in gazetteer.ancestors(place)] if place else []

    return ancestors
