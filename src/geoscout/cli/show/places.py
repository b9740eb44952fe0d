"""The gazetteer as the commands use it: opened with a progress bar where it must be built first."""

from __future__ import annotations

from geoscout.settings import Settings
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import compiled_file, open_gazetteer


def gazetteer_for(settings: Settings) -> Gazetteer:
    """The gazetteer; the first call on a machine builds it and says so."""
    if compiled_file(settings).exists():
        return open_gazetteer(settings)
    from geoscout.cli.show.terminal import building  # noqa: PLC0415 - rich is slow to import

    with building() as progress:
        return open_gazetteer(settings, progress)
