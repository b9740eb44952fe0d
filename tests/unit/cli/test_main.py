from __future__ import annotations

from pathlib import Path

import pytest

from geoscout import __version__
from geoscout.cli.main import COMMANDS, listed_commands, main


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])

    assert capsys.readouterr().out == f"geoscout {__version__}\n"


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])

    shown = capsys.readouterr().out
    assert [command for command in COMMANDS if command not in shown] == []


def test_unknown_command_gets_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["plaice"])

    shown = capsys.readouterr().err
    assert status == 2
    assert shown == "geoscout: no command is called 'plaice'; did you mean 'place'?\n"


def test_bad_flag_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["place", "Lisbon", "--colour"])

    shown = capsys.readouterr().err
    assert status == 2
    assert shown.count("\n") == 1
    assert "--colour" in shown


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "geoscout COMMAND" in capsys.readouterr().out


def test_demo_comes_first_and_every_command_has_a_summary() -> None:
    listed = listed_commands()

    assert list(listed)[:2] == ["demo", "place"]
    assert set(listed) >= {*COMMANDS, "compare", "synthweb"}
    assert all(summary and len(summary) < 70 for summary in listed.values())


COMMAND = '''"""Greet somebody."""
EXAMPLE = "  geoscout greet"
LISTED_BEFORE = {before!r}


def add_arguments(parser):
    parser.add_argument("name")


def run(arguments, settings):
    print("hello", arguments.name)
    return 0
'''


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that packages can be put into."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def install(site: Path, module: str, before: str) -> None:
    (site / f"{module}.py").write_text(COMMAND.format(before=before))
    about = site / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[geoscout.commands]\ngreet = {module}\n")


def test_command_of_another_package_is_listed_and_run(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(site, "greeting", before="crawl")

    listed = list(listed_commands().items())

    assert listed[listed.index(("greet", "Greet somebody.")) + 1][0] == "crawl"
    assert main(["greet", "Ada"]) == 0
    assert capsys.readouterr().out == "hello Ada\n"


def test_command_that_says_no_known_place_comes_last(site: Path) -> None:
    install(site, "late_greeting", before="nothing")

    assert list(listed_commands())[-1] == "greet"
