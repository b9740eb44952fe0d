from __future__ import annotations

import pytest

from geoscout import __version__
from geoscout.cli.main import COMMANDS, main


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
