"""`geoscout compare` as a user types it: over an archive and over synthetic webs."""

import json
import re
from pathlib import Path

import pytest

from geoscout.cli.main import main
from tests.conftest import PROJECT
from tests.homes import home_with_gazetteer
from tests.unit.lab.archives import PAGES, write_archive


@pytest.fixture
def own_home(tmp_path, settings, gazetteer, monkeypatch):
    """A home folder of its own that has the built gazetteer."""
    folder = home_with_gazetteer(tmp_path / "home", settings)
    monkeypatch.setenv("GEOSCOUT_HOME", str(folder))
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    return folder


def replay(folder: Path, *more: str) -> list[str]:
    archive = write_archive(folder / "pages.warc.gz", PAGES)
    return ["compare", "--out", str(folder / "out"), "--replay", str(archive), "--seeds",
            "http://a.example/", "--set", "workers=1", *more]  # fmt: skip


@pytest.mark.usefixtures("own_home")
def test_archive_is_compared_and_reported(tmp_path, capsys):
    status = main(replay(tmp_path, "--region", "Oldenburg, Germany", "--budget", "3", "--json"))

    document = json.loads(capsys.readouterr().out)
    by_name = {run["strategy"]: run for run in document["runs"]}
    assert status == 0
    assert by_name["breadth"]["harvest"] == pytest.approx(1 / 3)
    assert by_name["oracle"]["recall"] == 1
    assert {run["region"] for run in document["runs"]} == {"Oldenburg, Germany"}
    files = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"report.html", "results.json", "harvest.png", "recall.png"} <= files


@pytest.mark.usefixtures("own_home")
def test_finished_runs_are_not_run_again(tmp_path):
    command = replay(tmp_path, "--region", "Oldenburg, Germany", "--budget", "3")
    main(command)
    runs = sorted((tmp_path / "out" / "runs").iterdir())
    before = {file: file.stat().st_mtime_ns for file in runs}
    runs[0].unlink()  # as if it had been stopped before this one

    main(command)

    after = {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "runs").iterdir()}
    assert after.keys() == before.keys()
    assert [file for file in runs if after[file] != before[file]] == [runs[0]]


@pytest.mark.usefixtures("own_home")
def test_regions_are_compared_each_for_itself(tmp_path, capsys):
    regions = ("--region", "Oldenburg, Germany", "--region", "Bremen, Germany")

    main(replay(tmp_path, *regions, "--budget", "3", "--json"))

    document = json.loads(capsys.readouterr().out)
    assert {run["region"] for run in document["runs"]} == {"Oldenburg, Germany", "Bremen, Germany"}


@pytest.mark.usefixtures("own_home")
def test_experiment_with_runs_of_its_own_shows_its_figures(tmp_path, capsys):
    more = ("--experiment", "gao2006", "--strategies", "hash,url", "--budget", "3")

    main(replay(tmp_path, "--region", "Oldenburg, Germany", *more))

    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[:4] == ["strategy", "pages", "coverage", "focus"]
    assert [row.split()[0] for row in rows[:2]] == ["hash", "url"]
    assert float(rows[0].split()[1]) > 0


@pytest.mark.slow
@pytest.mark.usefixtures("own_home")
def test_synthetic_webs_are_compared_in_processes(tmp_path, capsys):
    status = main(
        ["compare", "--out", str(tmp_path / "out"), "--profile", "ahlers2009", "--webs", "2",
         "--pages", "3000", "--budget", "300", "--set", "workers=2", "--json"]
    )  # fmt: skip

    document = json.loads(capsys.readouterr().out)
    assert status == 0
    assert {run["web"] for run in document["runs"]} == {"ahlers2009-1", "ahlers2009-2"}
    for run in document["runs"]:
        assert 0 <= run["harvest"] <= 1
        assert run["oracle_share"] <= 1.01


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (("--strategies", "guess"), "no strategy is called 'guess'"),
        (("--budget", "much"), "a budget is"),
        (("--experiment", "none2000"), "no experiment is called"),
        (("--region", "Nowhereville-on-Sea"), "no place is called"),
    ],
)
def test_what_the_user_can_fix_is_said_in_a_line(tmp_path, capsys, more, complaint):
    status = main(replay(tmp_path, *more))

    captured = capsys.readouterr()
    assert status == 2
    assert complaint in captured.err
    assert captured.out == ""


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("page", ["evaluation.md", "synthweb.md"])
def test_example_of_the_docs_runs_as_it_stands(page, tmp_path, monkeypatch, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", (PROJECT / "docs" / page).read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)

    exec(code, {})  # our own documentation

    assert capsys.readouterr().out.count("\n") >= 1
