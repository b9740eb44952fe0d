import json
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.cli.show.terminal import reading
from geoscout_places import command
from geoscout_places.gazetteer import imports
from geoscout_places.gazetteer.imports import FileImport
from tests.unit.places.gazetteer.imports.samples import (
    LISBON,
    TAGUS,
    imported,
    write_text,
    write_zip,
)


@pytest.fixture
def builds(monkeypatch):
    """How many tables each build took up; the build itself is tested elsewhere."""
    taken: list[int] = []
    monkeypatch.setattr(
        command,
        "build_gazetteer",
        lambda settings, _progress: taken.append(len(imported(Path(settings.home)))),
    )
    return taken


def run_import(home: Path, *words: object) -> int:
    return main(["gazetteer", "import", *map(str, words), "--home", str(home)])


def test_several_files_are_one_build(tmp_path, builds):
    first = write_zip(tmp_path / "PT.zip", {"PT.txt": LISBON})
    second = write_text(tmp_path / "ES.txt", TAGUS)

    status = run_import(tmp_path / "home", first, second)

    assert status == 0
    assert builds == [2]


def test_a_broken_file_is_told_and_the_others_are_kept(tmp_path, builds, capsys):
    broken = write_text(tmp_path / "XX.txt", LISBON, *(["prose"] * 3))
    sound = write_text(tmp_path / "PT.txt", LISBON)

    status = run_import(tmp_path / "home", broken, tmp_path / "none.txt", sound)

    told = capsys.readouterr()
    assert status == 2
    assert "XX.txt: not imported" in told.err
    assert "line 2: 1 tab-separated columns" in told.err
    assert "none.txt: not imported: there is no file" in told.err
    assert "PT.txt: 1 rows imported as geonames" in told.out
    assert builds == [1]


def test_nothing_is_built_when_nothing_was_imported(tmp_path, builds):
    broken = [write_text(tmp_path / name, "prose") for name in ("a.txt", "b.txt")]

    assert run_import(tmp_path / "home", *broken) == 2
    assert builds == []


def test_an_interrupted_import_keeps_the_files_that_were_done(
    tmp_path, builds, monkeypatch, capsys
):
    first = write_text(tmp_path / "PT.txt", LISBON)
    second = write_text(tmp_path / "ES.txt", TAGUS)
    whole = imports.import_files

    def interrupted(*arguments: object) -> object:
        yield next(whole(*arguments))  # type: ignore[arg-type]
        raise KeyboardInterrupt

    monkeypatch.setattr(imports, "import_files", interrupted)

    assert run_import(tmp_path / "home", first, second) == 130
    assert "1 of 2 files are imported" in capsys.readouterr().err
    assert [table.name for table in imported(tmp_path / "home")] == ["geonames-PT.places.tsv.gz"]
    assert builds == []


def test_two_files_of_one_name_do_not_replace_each_other(tmp_path, builds, capsys):
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
    first = write_text(tmp_path / "old" / "PT.txt", LISBON)
    second = write_text(tmp_path / "new" / "PT.txt", TAGUS)

    assert run_import(tmp_path / "home", first, second) == 2
    assert "has the same name as" in capsys.readouterr().err
    assert builds == [1]


def test_one_name_is_not_for_several_files(tmp_path, capsys):
    files = [write_text(tmp_path / name, LISBON) for name in ("a.txt", "b.txt")]

    assert run_import(tmp_path / "home", *files, "--set", "name=mine") == 2
    assert "name is for one file" in capsys.readouterr().err


def test_json_is_an_object_for_one_file_and_a_list_for_several(tmp_path, builds, capsys):
    files = [write_text(tmp_path / name, line) for name, line in (("a", LISBON), ("b", TAGUS))]

    run_import(tmp_path / "home", files[0], "--json")
    one = json.loads(capsys.readouterr().out)
    run_import(tmp_path / "home", *files, tmp_path / "none", "--json")
    several = json.loads(capsys.readouterr().out)

    assert (one["rows"], one["file"]) == (1, str(files[0]))
    assert [found.get("rows") for found in several] == [1, 1, None]
    assert "there is no file" in several[2]["error"]


def test_an_outcome_without_a_report_says_why(tmp_path):
    home = tmp_path / "home"
    (outcome,) = imports.import_files(
        [tmp_path / "none"], home, lambda file, _number, _all: reading(file.name)
    )

    assert outcome == FileImport(tmp_path / "none", None, f"there is no file {tmp_path / 'none'}")
