import shutil
import subprocess
import sys

import pytest

from geoscout.cli.commands.completion import SHELLS, whole_parser
from geoscout.cli.main import command_names, main

_ASK_BASH = """
source "$1"
COMP_WORDS=({words} "") COMP_CWORD={position} COMP_TYPE=9
_shtab_geoscout
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    file = tmp_path_factory.mktemp("completion") / "geoscout.bash"
    with pytest.MonkeyPatch.context() as patch, file.open("w") as stream:
        patch.setattr("sys.stdout", stream)
        assert main(["completion", "bash"]) == 0
    return file


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_is_in_the_script(shell, capsys):
    status = main(["completion", shell])

    shown = capsys.readouterr().out
    assert status == 0
    assert [name for name in command_names() if name not in shown] == []
    assert "max-pages" in shown
    assert main(["completion", "ksh"]) == 2
    assert "bash" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["geoscout"], {"crawl", "search", "export", "compare"}),
        (["geoscout", "export", "x", "--format"], {"csv", "geojson", "wacz"}),
        (["geoscout", "export", "x", "--what"], {"pages", "places"}),
        (["geoscout", "cluster"], {"work", "start"}),
    ],
)
def test_bash_offers_what_fits(script, words, offered):
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("there is no bash")
    ask = _ASK_BASH.format(words=" ".join(words), position=len(words))

    command = [bash, "-c", ask, "-", str(script)]
    run = subprocess.run(command, check=False, capture_output=True, text=True)

    assert offered <= set(run.stdout.split()), run.stderr


def test_folders_and_files_are_completed():
    parser = whole_parser()
    export = parser._subparsers._group_actions[0].choices["export"]
    folder = next(action for action in export._actions if action.metavar == "DIR")
    out = next(action for action in export._actions if action.dest == "out")

    assert "bash" in folder.complete
    assert folder.complete != out.complete


def test_a_command_without_its_extra_is_completed_by_name(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "geoscout_cluster.command", raising=False)
    monkeypatch.setitem(sys.modules, "geoscout_cluster.command", None)

    assert main(["completion", "bash"]) == 0
    shown = capsys.readouterr().out
    assert "cluster" in shown
    assert "--partitions" not in shown.partition("_cluster_option_strings")[2].partition("\n")[0]
