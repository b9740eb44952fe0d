"""Print a script that completes commands and flags in your shell.

The script names every command of this installation, so print it again after an update.
"""

import argparse
from contextlib import suppress

from geoscout.cli.command import Command, add_shared
from geoscout.settings import Settings
from geoscout_places.errors import UsageError

EXAMPLE = (
    "  geoscout completion bash > ~/.local/share/bash-completion/completions/geoscout\n"
    "  geoscout completion zsh > ~/.zfunc/_geoscout      # with fpath+=~/.zfunc before compinit\n"
    "  geoscout completion fish > ~/.config/fish/completions/geoscout.fish"
)
SHELLS = ("bash", "zsh", "fish")
_FOLDERS = {"DIR", "OUT"}
_FILES = {"FILE", "WARC", "URL|FILE"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell it is for")


def run(arguments: argparse.Namespace, _settings: Settings) -> int:
    import shtab  # noqa: PLC0415 - only here

    print(shtab.complete(whole_parser(), arguments.shell))
    return 0


def whole_parser() -> argparse.ArgumentParser:
    """One parser with all commands, those of other packages too.

    No other command needs it: it imports every one of them.
    """
    from geoscout.cli.main import listed_commands, load_command  # noqa: PLC0415 - it imports us

    parser = argparse.ArgumentParser(prog="geoscout")
    parser.add_argument("--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command")
    for name, summary in listed_commands().items():
        part = commands.add_parser(name, help=summary, description=summary)
        with suppress(UsageError):  # it needs an extra; its name is completed, its flags are not
            load_command(name).add_arguments(part)
        add_shared(part)
    _complete_paths(parser)
    return parser


def _complete_paths(parser: argparse.ArgumentParser) -> None:
    """Have folders and files completed where an argument is one, by the name it has in the help."""
    import shtab  # noqa: PLC0415 - only here

    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to list them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for part in action.choices.values():
                _complete_paths(part)
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # where shtab looks
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]


COMMANDS = {"completion": Command(__doc__ or "", EXAMPLE, add_arguments, run)}
