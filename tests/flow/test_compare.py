"""`geoscout compare` as a user types it: over an archive and over synthetic webs."""

import re

import pytest

from tests.conftest import PROJECT
from tests.homes import home_with_gazetteer
from tests.unit.lab.archives import PAGES, write_archive

OLDENBURG = ("--region", "Oldenburg, Germany")
TWO = ("--budget", "3", "--strategies", "breadth,distance")


@pytest.fixture
def own_home(tmp_path, at_home, monkeypatch):
    """A home folder of its own that has the built gazetteer."""
    monkeypatch.setenv("GEOSCOUT_HOME", str(home_with_gazetteer(tmp_path / "home", at_home)))


@pytest.fixture
def compared(typed, own_home, tmp_path):
    """Types `compare` over an archive."""
    archive = write_archive(tmp_path / "pages.warc.gz", PAGES)
    seeds = ["--seeds", "http://a.example/", "--set", "workers=1"]
    words = ["compare", "--out", tmp_path / "out", "--replay", archive, *seeds]
    return lambda *more: typed(*words, *more)


def test_archive_is_compared_and_reported(tmp_path, compared):
    done = compared(*OLDENBURG, "--region", "Bremen, Germany", *TWO, "--json")

    runs = [run for run in done.facts["runs"] if run["region"] == "Oldenburg, Germany"]
    by_name = {run["strategy"]: run for run in runs}
    assert done.status == 0
    assert by_name["breadth"]["harvest"] == pytest.approx(1 / 3)
    assert by_name["oracle"]["recall"] == 1
    regions = {run["region"] for run in done.facts["runs"]}
    assert regions == {"Oldenburg, Germany", "Bremen, Germany"}
    files = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"report.html", "results.json"} <= files
    assert any(name.startswith("harvest") for name in files)
    assert any(name.startswith("recall") for name in files)


def test_finished_runs_are_not_run_again(tmp_path, compared):
    compared(*OLDENBURG, *TWO)
    runs = sorted((tmp_path / "out" / "runs").iterdir())
    before = {file: file.stat().st_mtime_ns for file in runs}
    runs[0].unlink()  # as if it had been stopped before this one
    compared(*OLDENBURG, *TWO)

    after = {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / "runs").iterdir()}
    assert after.keys() == before.keys()
    assert [file for file in runs if after[file] != before[file]] == [runs[0]]


def test_experiment_with_runs_of_its_own_shows_its_figures(compared):
    more = ("--experiment", "gao2006", "--strategies", "hash,url", "--budget", "3")

    head, *rows = compared(*OLDENBURG, *more).out.splitlines()

    assert head.split()[:4] == ["strategy", "pages", "coverage", "focus"]
    assert [row.split()[0] for row in rows[:2]] == ["hash", "url"]
    assert float(rows[0].split()[1]) > 0


@pytest.mark.slow
@pytest.mark.usefixtures("own_home")
def test_synthetic_webs_are_compared_in_processes(tmp_path, typed):
    done = typed(
        "compare", "--out", tmp_path / "out", "--profile", "ahlers2009", "--webs", "2",
        "--pages", "3000", "--budget", "300", "--set", "workers=2", "--json",
    )  # fmt: skip

    assert done.status == 0
    assert {run["web"] for run in done.facts["runs"]} == {"ahlers2009-1", "ahlers2009-2"}
    for run in done.facts["runs"]:
        assert 0 <= run["harvest"] <= 1
        assert run["oracle_share"] <= 1.01


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (("--strategies", "guess"), "no strategy is called 'guess'"),
        (("--budget", "much"), "a budget is"),
        (("--experiment", "none2000"), "no experiment is called"),
        (("--region", "Nowhereville-on-Sea"), "no place is called"),
    ],
)
def test_what_the_user_can_fix_is_said_in_a_line(compared, more, complaint):
    done = compared(*more)

    assert (done.status, complaint in done.err, done.out) == (2, True, "")


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("page", ["evaluation.md", "synthweb.md"])
def test_example_of_the_docs_runs_as_it_stands(page, tmp_path, monkeypatch, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", (PROJECT / "docs" / page).read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)

    exec(code, {})  # our own documentation

    assert capsys.readouterr().out.count("\n") >= 1
