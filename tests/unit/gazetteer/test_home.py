"""Where compiled gazetteers lie, and which of them stay."""

from __future__ import annotations

import os
from pathlib import Path

from geoscout.gazetteer.home import compiled_file, remove_old_builds
from geoscout.gazetteer.sqlite import SqliteGazetteer
from geoscout.settings import Settings

DAY = 24 * 3600


def test_builds_of_the_last_days_stay(tmp_path: Path) -> None:
    for name, age in (("new", 0), ("recent", 6 * DAY), ("old", 8 * DAY)):
        file = tmp_path / f"gazetteer-{name}.sqlite"
        file.touch()
        os.utime(file, (10**9 - age, 10**9 - age))

    remove_old_builds(tmp_path / "gazetteer-new.sqlite")

    left = sorted(file.name for file in tmp_path.iterdir())
    assert left == ["gazetteer-new.sqlite", "gazetteer-recent.sqlite"]


def test_readers_of_one_file_share_its_automaton(
    gazetteer: SqliteGazetteer, settings: Settings
) -> None:
    again = SqliteGazetteer(compiled_file(settings))

    assert again.automaton() is gazetteer.automaton()
    again.close()
