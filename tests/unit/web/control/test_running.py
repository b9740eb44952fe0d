import subprocess
import time
from pathlib import Path

import pytest

from geoscout.crawling.options import NOTE, CrawlOptions, to_note
from geoscout.crawling.steering import read_wishes
from geoscout.settings import Settings
from geoscout.state.sqlite import SqliteState
from geoscout.web.control.running import (
    Launcher,
    SteeredCrawl,
    clear_away,
    has_begun,
    last_lines,
    standing_json,
)
from geoscout.web.problems import RefusedError
from geoscout.web.site import ServedCrawl
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import SqliteGazetteer


def test_a_command_that_fails_is_told_with_its_last_line(tmp_path):
    (tmp_path / "crawl.log").write_text("of an earlier run\n")

    with pytest.raises(RefusedError, match="there is no crawl in"):
        Launcher().start(["status", str(tmp_path / "none")], tmp_path, lambda: False)


def test_what_a_command_says_is_kept_in_the_folder(tmp_path):
    has_run, said = Launcher().start(["--version"], tmp_path, lambda: False)

    assert has_run
    assert said.startswith("geoscout ")
    assert last_lines(tmp_path) == said


def test_what_is_said_cannot_act(tmp_path):
    odd = "x'\"`$(touch PWNED)\n touch PWNED\x1b]0;title\x07\r\u202e\\"
    with pytest.raises(RefusedError, match=r"u202e") as caught:
        Launcher().start(["status", f"{tmp_path}/{odd}"], tmp_path, bool)

    log = (tmp_path / "crawl.log").read_text()
    assert log.isprintable() or not set(log) & set("\x1b\x07\r\u202e'\"`$")
    assert all(line.startswith("# ") for line in log.splitlines())
    assert "\x1b" not in str(caught.value)
    subprocess.run(["sh", tmp_path / "crawl.log"], cwd=tmp_path, check=True)
    assert [file.name for file in tmp_path.iterdir()] == ["crawl.log"]


@pytest.mark.parametrize("target", ["there", "missing"])
def test_a_log_that_is_a_link_is_not_written_to(tmp_path, target):
    (tmp_path / "there").write_text("precious")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "crawl.log").symlink_to(tmp_path / target)

    with pytest.raises((RefusedError, UsageError), match="link"):
        Launcher().start(["--version"], tmp_path / "folder", bool)
    assert (tmp_path / "there").read_text() == "precious"
    assert not (tmp_path / "missing").exists()
    assert last_lines(tmp_path / "folder") == ""


def test_words_are_never_read_by_a_shell(tmp_path):
    with pytest.raises(RefusedError):
        Launcher().start(["status", f"$(touch {tmp_path}/x); touch {tmp_path}/y"], tmp_path, bool)

    assert [file.name for file in tmp_path.iterdir()] == ["crawl.log"]


def test_a_module_of_the_working_directory_is_not_run(tmp_path, monkeypatch):
    (tmp_path / "geoscout.py").write_text("print('hijacked')")
    monkeypatch.chdir(tmp_path)

    _, said = Launcher().start(["--version"], tmp_path, lambda: False)

    assert "hijacked" not in said


def test_few_are_started_in_a_minute(tmp_path):
    launcher = Launcher(in_a_minute=2)
    for _ in range(2):
        launcher.start(["--version"], tmp_path, lambda: False)

    with pytest.raises(RefusedError, match="in this minute") as caught:
        launcher.start(["--version"], tmp_path, lambda: False)
    assert caught.value.status == 429


def test_few_run_at_a_time(tmp_path):
    # Each runs for as long as Python takes to start, which is longer than we take here.
    launcher = Launcher(most_running=1)
    launcher.start(["--version"], tmp_path, lambda: True)
    with pytest.raises(RefusedError, match="stop one first"):
        launcher.start(["--version"], tmp_path, lambda: True)
    while launcher.running:
        time.sleep(0.05)

    launcher.start(["--version"], tmp_path, lambda: True)


def test_only_what_a_crawl_left_is_cleared_away(tmp_path):
    for name in ("began", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "crawl.log").write_text("no")
    (tmp_path / "other" / "mine.txt").write_text("keep")
    for name in ("began", "other"):
        clear_away(tmp_path / name)

    assert not (tmp_path / "began").exists()
    assert (tmp_path / "other" / "mine.txt").exists()


def served(where: Path | str, gazetteer: SqliteGazetteer) -> ServedCrawl:
    return ServedCrawl("crawl", str(where), gazetteer, Settings())


def make_crawl(folder: Path, options: CrawlOptions) -> None:
    state = SqliteState(folder)
    state.writer.set_note(NOTE, to_note(options))
    state.save()
    state.close()


def test_a_run_that_does_not_end_is_told(tmp_path, gazetteer, monkeypatch):
    monkeypatch.setattr("geoscout.web.control.running._STOP_SECONDS", 0.3)
    state = SqliteState(tmp_path)  # a run that looks at nothing

    is_over = SteeredCrawl(served(tmp_path, gazetteer)).stop()

    assert not is_over
    assert read_wishes(tmp_path).stop
    state.close()


def test_more_counts_from_the_limit_or_from_what_was_had(tmp_path, gazetteer):
    make_crawl(tmp_path, CrawlOptions(max_pages=100))
    standing = SteeredCrawl(served(tmp_path, gazetteer))

    limits = [standing.limit(more=50), standing.limit(more=50), standing.limit(max_pages=10)]

    assert limits == [150, 200, 10]
    assert standing_json(standing.crawl, "", with_log=False).max_pages == 10


@pytest.mark.parametrize(
    ("options", "contact", "needs"),
    [
        (CrawlOptions(), "", True),
        (CrawlOptions(), "you@example.org", False),
        (CrawlOptions(allow_private=True), "", False),
        (CrawlOptions(replay=("pages.warc.gz",)), "", False),
    ],
)
def test_a_live_crawl_needs_a_contact_to_go_on(tmp_path, gazetteer, options, contact, needs):
    make_crawl(tmp_path, options)

    found = standing_json(served(tmp_path, gazetteer), contact, with_log=True)

    assert (found.needs_contact, found.process, found.trouble) == (needs, None, "")


def test_a_crawl_has_begun_when_it_has_what_it_was_asked_for(tmp_path):
    empty = has_begun(tmp_path)
    SqliteState(tmp_path).close()
    without = has_begun(tmp_path)
    make_crawl(tmp_path, CrawlOptions(region=("Lisbon",)))

    assert (empty, without, has_begun(tmp_path)) == (False, False, True)
