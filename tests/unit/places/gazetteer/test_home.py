"""Where compiled gazetteers lie, and which of them stay."""

import fcntl
import os
import threading
from pathlib import Path

import pytest

from geoscout_places.gazetteer.home import Home, compiled_file, open_gazetteer, remove_old_builds
from geoscout_places.gazetteer.sqlite import SqliteGazetteer
from geoscout_places.gazetteer.tables import arrays_of

DAY = 24 * 3600


def test_builds_of_the_last_days_stay(tmp_path):
    for name, age in (("new", 0), ("recent", 6 * DAY), ("old", 8 * DAY)):
        for ending in ("arrays", "sqlite"):
            file = tmp_path / f"gazetteer-{name}.{ending}"
            file.touch()
            os.utime(file, (10**9 - age, 10**9 - age))

    remove_old_builds(tmp_path / "gazetteer-new.sqlite")

    left = {file.name for file in tmp_path.iterdir()}
    assert left == {
        f"gazetteer-{name}.{ending}"
        for name in ("new", "recent")
        for ending in ("arrays", "sqlite")
    }


def test_a_build_without_its_mapped_file_is_made_again(tmp_path, monkeypatch):
    settings = Home(home=str(tmp_path))
    compiled_file(settings).touch()
    asked: list[Path] = []

    def build(target: Path, *_others: object) -> None:
        asked.append(target)
        raise KeyboardInterrupt

    monkeypatch.setattr("geoscout_places.gazetteer.build.compile.build", build)

    with pytest.raises(KeyboardInterrupt):
        open_gazetteer(settings)

    assert asked == [compiled_file(settings)]


def test_what_another_process_is_building_is_not_built_twice(
    tmp_path, monkeypatch, gazetteer, built_home
):
    built, ours = compiled_file(built_home), Home(home=str(tmp_path), extras=False)
    told, waits = [], threading.Event()
    monkeypatch.setattr(
        "geoscout_places.gazetteer.build.compile.build", lambda *_: told.append("built")
    )

    def note(what: str, _share: float) -> None:
        told.append(what)
        waits.set()

    with (tmp_path / "building.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        opening = threading.Thread(target=lambda: open_gazetteer(ours, note).close())
        opening.start()
        assert waits.wait(10)
        compiled_file(ours).symlink_to(built)
        arrays_of(compiled_file(ours)).symlink_to(arrays_of(built))
    opening.join(10)

    assert not opening.is_alive()
    assert told == ["waiting for another process that builds it"]


def test_readers_of_one_file_share_its_automaton(gazetteer, built_home):
    again = SqliteGazetteer(compiled_file(built_home))

    assert again.automaton() is gazetteer.automaton()
    again.close()
