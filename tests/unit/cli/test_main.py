from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from geoscout import __version__
from geoscout.cli.command import COMMANDS as GROUP
from geoscout.cli.main import COMMANDS, listed_commands, main
from tests.conftest import PROJECT
from tests.plugins import PluginFolder, plugin_folder


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


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PluginFolder]:
    folder = plugin_folder(tmp_path / "plugins", monkeypatch)
    yield folder
    folder.forget()


def example() -> str:
    """The command that docs/extend/command.md shows."""
    page = (PROJECT / "docs" / "extend" / "command.md").read_text()
    return page.split("```python\n")[1].split("```")[0]


def test_command_of_another_package_is_listed_and_run(
    plugins: PluginFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    plugins.add(GROUP, "greet", example())

    listed = list(listed_commands().items())

    assert listed[listed.index(("greet", "greet somebody")) + 1][0] == "crawl"
    assert main(["greet", "Ada"]) == 0
    assert capsys.readouterr().out == "hello Ada\n"


def test_command_that_says_no_known_place_comes_last(plugins: PluginFolder) -> None:
    plugins.add(GROUP, "greet", example().replace('"crawl"', '"nothing"'))

    assert list(listed_commands())[-1] == "greet"
