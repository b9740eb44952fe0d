import gc
import io
import json
import subprocess
import sys
from importlib.metadata import EntryPoints
from pathlib import Path

import pytest

from geoscout import __version__
from geoscout.cli.command import COMMANDS as GROUP
from geoscout.cli.command import Command
from geoscout.cli.commands import ELSEWHERE, GROUPS, MODULES, SUMMARIES
from geoscout.cli.main import by_set, command_parser, listed_commands, load_command, main
from geoscout.cli.show.terminal import print_json
from tests.conftest import PROJECT


def test_version_is_printed(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])

    assert capsys.readouterr().out == f"geoscout {__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("plaice", "no command is called 'plaice'; did you mean 'place'?\n"),
        ("place Lisbon --colour", "--colour"),
        ("--settings none.toml place Lisbon", "cannot read settings file none.toml"),
        ("--settings=none.toml place Lisbon", "cannot read settings file none.toml"),
        ("completion bash --set hone=x", "the command line: no setting is called 'hone'"),
        ("completion bash --set home", "--set home should be a setting and its value"),
        ("completion bash --log-level", "it needs a value: --set log_level=VALUE"),
    ],
)
def test_a_mistake_is_one_line(capsys, words, said):
    status = main(words.split())

    told = capsys.readouterr().err
    assert (status, told.count("\n"), said in told) == (2, 1, True)


def test_all_bad_values_are_told_at_once(capsys):
    status = main(["crawl", "--max-pages", "ten", "--policy", "C", "--max-depth", "x"])

    lines = capsys.readouterr().err.splitlines()
    assert status == 2
    wrong = ("--max-pages", "--policy", "--max-depth", "arguments are required")
    assert [part for part, line in zip(wrong, lines, strict=True) if part not in line] == []


def test_no_command_shows_the_help(capsys):
    assert main([]) == 2
    assert "geoscout COMMAND" in capsys.readouterr().out


def test_demo_comes_first_and_every_command_has_a_summary():
    listed = listed_commands()

    assert list(listed)[:2] == ["demo", "place"]
    assert set(listed) >= {*SUMMARIES, "compare", "synthweb"}
    assert all(summary and len(summary) < 70 for summary in listed.values())


@pytest.mark.parametrize("name", SUMMARIES)
def test_every_command_has_a_description_and_an_example(name):
    command = load_command(name)

    assert command.description
    assert f"geoscout {name}" in command.example


def test_every_module_of_a_command_is_in_the_table():
    folder = PROJECT / "src" / "geoscout" / "cli" / "commands"

    modules = {MODULES.get(name, name) for name in SUMMARIES if name not in ELSEWHERE}
    assert {file.stem for file in folder.glob("*.py")} == {*modules, "__init__"}


def test_missing_entry_points_are_told_with_what_to_do(monkeypatch, capsys):
    monkeypatch.setattr("geoscout_places.plugins._installed", lambda group: EntryPoints())

    assert main(["compare"]) == 2
    assert "geoscout is not installed completely" in capsys.readouterr().err


def example() -> str:
    """The command that docs/extend/command.md shows."""
    page = (PROJECT / "docs" / "extend" / "command.md").read_text()
    return page.split("```python\n")[1].split("```")[0]


def test_command_of_another_package_is_listed_and_run(plugins, capsys):
    plugins.add(GROUP, "greet", example())

    listed = list(listed_commands().items())

    assert listed[listed.index(("greet", "greet somebody")) + 1][0] == "crawl"
    assert main(["greet", "Ada"]) == 0
    assert capsys.readouterr().out == "hello Ada\n"


def test_command_that_says_no_known_place_comes_last(plugins):
    plugins.add(GROUP, "greet", example().replace('"crawl"', '"nothing"'))

    assert list(listed_commands())[-1] == "greet"


@pytest.mark.parametrize(
    "words",
    [
        ["cluster", "--home", "here", "work"],
        ["cluster", "work", "--home", "here"],
        ["gazetteer", "info", "--home", "here"],
    ],
)
def test_flags_of_every_command_stand_before_or_after_its_part(words):
    parsed = command_parser(words[0], load_command(words[0])).parse_args(words[1:])

    assert parsed.home == "here"
    assert parsed.settings is None


def test_full_disk_is_one_line(tmp_path):
    (tmp_path / "robots.txt").write_text("User-agent: *")
    words = [sys.executable, "-m", "geoscout", "robots", "robots.txt", "geoscout", "http://a.test/"]

    with Path("/dev/full").open("w") as full:
        done = subprocess.run(words, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False)

    assert done.returncode == 1
    assert done.stderr.startswith(b"geoscout: the disk is full")
    assert done.stderr.count(b"\n") == 1


def test_letters_that_the_terminal_lacks_are_numbers(monkeypatch):
    def show(words: list[str]) -> int:
        print(*words)
        print_json({"name": "𝔐ünchen"})
        return 0

    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    monkeypatch.setattr("geoscout.cli.main._run", show)

    assert main(["Łódź"]) == 0
    line, document = written.getvalue().decode("ascii").split("\n", 1)
    assert line == "\\u0141\\xf3d\\u017a"
    assert json.loads(document) == {"name": "𝔐ünchen"}


@pytest.mark.parametrize("is_odd", [True, False])
def test_word_in_another_encoding_is_told_and_other_errors_are_ours(is_odd, monkeypatch, capsys):
    def fail(words: list[str]) -> int:
        raise UnicodeEncodeError("utf-8", words[0], 0, 1, "surrogates not allowed")

    monkeypatch.setattr("geoscout.cli.main._run", fail)
    if is_odd:
        assert main(["caf\udce9"]) == 2
        assert "not in the encoding of your terminal" in capsys.readouterr().err
    else:
        with pytest.raises(UnicodeEncodeError):
            main(["place"])


@pytest.mark.parametrize("is_program", [True, False])
def test_garbage_is_collected_when_a_command_runs(monkeypatch, is_program):
    seen: list[tuple[bool, bool]] = []

    def run(*_: object) -> int:
        seen.append((gc.isenabled(), gc.get_freeze_count() > 0))
        return 0

    command = Command(summary="", description="", example="", add_arguments=lambda _: None, run=run)
    monkeypatch.setattr("geoscout.cli.main.load_command", lambda _: command)
    monkeypatch.setattr("sys.argv", ["geoscout", "place"])
    gc.unfreeze()

    assert main(None if is_program else ["place"]) == 0
    assert seen == [(True, is_program)]
    gc.unfreeze()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("limit=3", "no setting is called 'limit'"),  # that one is a flag
        ("offset=x", "--set: offset must be int"),
        ("model=best", "--set model=best: there are: bm25, cosine"),
        ("offset=-1", "--offset not below 0"),
    ],
)
def test_what_has_no_flag_is_given_by_set(tmp_path, typed, given, said):
    done = typed("search", tmp_path, "pizza", "--set", given)

    assert (done.status, said in done.err) == (2, True)


@pytest.mark.parametrize(
    ("command", "words", "expected"),
    [
        ("crawl", ["--render", "auto", "--out", "x"], ["--set", "render=auto", "--out", "x"]),
        ("crawl", ["--log-level=debug"], ["--set", "log_level=debug"]),
        ("crawl", ["--stop-when-barren", "--pdf"], ["--set", "stop_when_barren=yes", "--pdf"]),
        ("crawl", ["--stop-when-barren", "no"], ["--set", "stop_when_barren=no"]),
        ("cluster", ["start", "--max-depth", "3"], ["start", "--set", "max_depth=3"]),
        ("search", ["--no-entries", "pizza"], ["--set", "entries=no", "pizza"]),
        ("crawl", ["--render", "--out", "x"], ["--render", "--out", "x"]),
        ("crawl", ["--colour", "red"], ["--colour", "red"]),
    ],
)
def test_what_set_takes_may_be_written_like_a_flag(command, words, expected):
    assert by_set(words, command_parser(command, load_command(command))) == expected


def test_help_of_crawl_leaves_rare_options_to_help_all(capsys):
    with pytest.raises(SystemExit):
        main(["crawl", "--help"])
    short = capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["crawl", "--help-all"])
    full = capsys.readouterr().out

    assert short.startswith(
        "usage: geoscout crawl --region R (--out DIR | --on URL) [option …]\n\n"
    )
    assert "--partitions" not in short
    assert "--collaboration" not in short
    assert {"--partitions", "--collaboration", "--random-seed"} <= set(full.split())
    assert {"--region", "--out", "--max-pages", "--include"} <= set(short.split())


def test_help_begins_with_six_everyday_commands(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])

    told = capsys.readouterr().out
    first = told.partition("every day:\n")[2].partition("\n\n")[0]
    assert [line.split()[0] for line in first.splitlines()] == list(GROUPS["every day"])
    assert all(f"\n  {name} " in told for name in SUMMARIES)
