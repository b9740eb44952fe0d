"""Finds the command, hands it its arguments, and turns errors into exit statuses.

argparse and a table of names, because `geoscout --help` must not pay for importing every command:
one import a call, 40 ms in all, where the usual frameworks take 100 ms and more.

Each command is made by the `create()` of its module. Ours are in the table; the others, those of
the laboratory too, are found by their entry points. The help imports the modules of the latter, so
these should import what is slow only when they run.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from types import ModuleType

from geoscout import __version__
from geoscout.cli.command import COMMANDS as GROUP
from geoscout.cli.command import Command, add_shared
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.logs import show_log, tell
from geoscout.errors import GeoscoutError, UsageError
from geoscout.machine import machine_failure
from geoscout.plugins import check_installed, load_plugin, load_plugins, plugin_names
from geoscout.settings import Settings, load_settings

DONE, FAILED, USAGE = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 done, 1 it failed, 2 the user can fix it."""
    words = list(sys.argv[1:] if argv is None else argv)
    show_log()
    try:
        with _ended_by_signal():
            return _run(words)
    except UsageError as error:
        tell(str(error), logging.ERROR)
        return USAGE
    except GeoscoutError as error:
        tell(str(error), logging.ERROR)
        return FAILED
    except KeyboardInterrupt:
        tell("stopped", logging.WARNING)
        return 130
    except BrokenPipeError:  # the reader of our output has gone: `geoscout … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        line = machine_failure(error)
        if not line:
            raise  # ours: the traceback is what a report needs
        tell(line, logging.ERROR)
        return FAILED


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    """Leave in order when the process is asked to end, unless a command does that itself.

    What is closed at the end is then closed: the PostgreSQL server that it has started, for one.
    """
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(words: list[str]) -> int:
    if words and (words[0] in SUMMARIES or words[0] in plugin_names(GROUP)):
        command = load_command(words[0])
        arguments = command_parser(words[0], command).parse_args(words[1:])
        settings = load_settings(arguments.settings, flags=_flags(arguments))
        show_log(settings)
        return command.run(arguments, settings)
    parser = _main_parser()
    parser.parse_args(words)  # --help and --version leave here
    if words:
        raise UsageError(f"no command is called {words[0]!r}; {_nearest(words[0])}")
    parser.print_help()
    return USAGE


def _flags(arguments: argparse.Namespace) -> dict[str, object]:
    """The flags that are settings."""
    names = [field.name for field in fields(Settings)]
    return {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}


def _nearest(word: str) -> str:
    import difflib  # noqa: PLC0415 - only when a command was mistyped

    check_installed(GROUP)
    names = command_names()
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"


def load_command(name: str) -> Command:
    """The command of a name.

    Raises:
        UsageError: there is none, or it needs a package that is not installed.
    """
    module = _import(name) if name in SUMMARIES else load_plugin(GROUP, name, "command")
    command: Command = module.create()
    return command


def _import(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"geoscout.cli.commands.{name}")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"`geoscout {name}` needs an extra, which has {error.name!r}: see docs/install.md"
        ) from error


def command_names() -> tuple[str, ...]:
    """Every command, those of other packages last."""
    return (*SUMMARIES, *plugin_names(GROUP))


def _main_parser() -> argparse.ArgumentParser:
    summaries = listed_commands()
    width = max(map(len, summaries))
    listing = "\n".join(f"  {name:<{width}}  {summary}" for name, summary in summaries.items())
    parser = argparse.ArgumentParser(
        prog="geoscout",
        usage="geoscout COMMAND …",
        description="geoscout finds the web pages that are about a place.",
        epilog=f"commands:\n{listing}\n\n`geoscout COMMAND --help` has options and an example.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=True,
    )
    parser.add_argument("--version", action="version", version=f"geoscout {__version__}")
    parser.add_argument("command", nargs="*", help=argparse.SUPPRESS)
    return parser


def listed_commands() -> dict[str, str]:
    """Every command and what it does, in the order of the help."""
    listed = list(SUMMARIES.items())
    for name, module in load_plugins(GROUP).items():
        command: Command = module.create()
        known = [other for other, _ in listed]
        before = command.listed_before
        place = known.index(before) if before in known else len(listed)
        listed.insert(place, (name, command.summary))
    return dict(listed)


def command_parser(name: str, command: Command) -> argparse.ArgumentParser:
    """The parser of one command, with what all commands share."""
    parser = _OneLineParser(
        prog=f"geoscout {name}",
        description=command.description,
        epilog=f"example:\n{command.example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    add_shared(parser)
    return parser


class _OneLineParser(argparse.ArgumentParser):
    """A parser whose complaints are one line, as every `UsageError` is."""

    def error(self, message: str) -> None:  # type: ignore[override]  # raises instead of exiting
        raise UsageError(f"{message}; see `{self.prog} --help`")
