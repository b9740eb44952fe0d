"""Finds the command, hands it its arguments, and turns errors into exit statuses.

argparse and a table of names, because `geoscout --help` must not pay for importing every command:
one import a call, 40 ms in all, where the usual frameworks take 100 ms and more.

Ours are in the table; the others, those of the laboratory too, are found by their entry points and
made by `create()`. The help imports the modules of the latter, so these should import what is slow
only when they run.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import logging
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any

from geoscout import __version__
from geoscout.cli.command import COMMANDS as GROUP
from geoscout.cli.command import (
    OPTIONS,
    RARE,
    SHARED_FLAGS,
    Command,
    add_shared,
    given_settings,
    take_options,
)
from geoscout.cli.commands import ELSEWHERE, GROUPS, MODULES, SUMMARIES
from geoscout.cli.show.logs import show_log, tell
from geoscout.machine import is_interrupted, machine_failure
from geoscout.settings import Settings, load_settings
from geoscout_places.errors import GeoscoutError, Mistakes, UsageError
from geoscout_places.plugins import check_installed, load_plugin, plugin_names

DONE, FAILED, USAGE = 0, 1, 2
_LONGEST_ODD = 300  # letters of an error that is not ours
_MOST_IN_USAGE = 14  # options that the first lines of a help list

_log = logging.getLogger(__name__)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 done, 1 it failed, 2 the user can fix it."""
    words = list(sys.argv[1:] if argv is None else argv)
    if argv is None:  # this is a process of ours
        gc.disable()
    show_log()
    _allow_any_text()
    try:
        with _ended_by_signal():
            status = _run(words)
            sys.stdout.flush()  # here a full disk and a closed pipe can still be told
            return status
    except KeyboardInterrupt:
        tell("stopped", logging.WARNING)
        return 130
    except BrokenPipeError:  # the reader of our output has gone: `geoscout … | head`
        _drop_output()
        return DONE
    except Exception as error:
        status, lines = _explained(error, words)
        for line in lines:
            tell(line, logging.ERROR)
        _drop_output()
        return status


def _explained(error: Exception, words: Sequence[str]) -> tuple[int, Sequence[str]]:
    """The exit status for an error, and what people are told.

    Raises:
        Exception: the error, if it is ours: the traceback is what a report needs.
    """
    if isinstance(error, GeoscoutError):
        return USAGE if isinstance(error, UsageError) else FAILED, str(error).splitlines()
    if isinstance(error, UnicodeEncodeError) and any(map(_is_undecoded, " ".join(words))):
        return USAGE, ["a word is not in the encoding of your terminal: see the variable LANG"]
    if line := machine_failure(error):
        return FAILED, [line]
    if folder := _from_elsewhere(words):
        _log.debug("what a crawl holds cannot be used", exc_info=error)
        odd = f"{type(error).__name__}: {error}".rstrip(": ")[:_LONGEST_ODD]
        told = (
            "it was copied or comes from elsewhere, and what it holds is not what geoscout writes"
        )
        return FAILED, [f"the crawl in {folder} cannot be used ({odd}): {told}"]
    raise error


def _from_elsewhere(words: Sequence[str]) -> str:
    """The folder of a crawl in the words of a command that somebody else may have made; or "".

    Whoever makes one can put anything into any row of it. What is not refused where it is read is
    told here, since it is no mistake of ours.
    """
    from geoscout.crawl_folder import is_made_here  # noqa: PLC0415 - only for an error

    folders = (word for word in words if (Path(word) / "crawl.sqlite").is_file())
    return next((folder for folder in folders if not is_made_here(Path(folder))), "")


def _is_undecoded(letter: str) -> bool:
    """Whether it stands for a byte that is not a letter in the encoding of the terminal."""
    return "\udc80" <= letter <= "\udcff"


def _allow_any_text() -> None:
    """Show letters that the terminal's encoding lacks by their numbers, instead of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Let what is still to be written go nowhere: Python would complain about it at its end."""
    with suppress(OSError, ValueError):  # it has no file, as in tests
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    """Leave in order when the process is asked to end, unless a command does that itself.

    What is closed at the end is then closed: the PostgreSQL server that it has started, for one.
    """
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    heard: list[int] = []

    def leave(number: int, _: object) -> None:
        heard.append(number)
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, leave)
    try:
        yield
    except Exception as error:
        if heard:  # SQLite ends a query in which a signal came, with an error of its own
            sys.exit(128 + heard[0])
        if is_interrupted(error):
            raise KeyboardInterrupt from error
        raise
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(words: list[str]) -> int:
    words = _with_command_first(words)
    if words and (words[0] in SUMMARIES or words[0] in plugin_names(GROUP)):
        command = load_command(words[0])
        _collect_from_now_on()
        arguments = _arguments(words, command)
        settings = load_settings(arguments.settings, flags=_flags(arguments))
        show_log(settings)
        return command.run(arguments, settings)
    parser = _main_parser()
    parser.parse_args(words)  # --help and --version leave here
    if words:
        raise UsageError(f"no command is called {words[0]!r}; {_nearest(words[0])}")
    parser.print_help()
    return USAGE


def _collect_from_now_on() -> None:
    """Look for garbage again, but not among what was imported.

    Modules keep nearly all that they make. To look through it while they are imported, and again
    later, would take a tenth of the start.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()


def _with_command_first(words: list[str]) -> list[str]:
    """`geoscout --settings FILE place Lisbon` means the same as with the flag after `place`.

    >>> _with_command_first(["--home", "here", "place", "Lisbon"])
    ['place', '--home', 'here', 'Lisbon']
    """
    at = 0
    while at < len(words) and words[at].partition("=")[0] in SHARED_FLAGS:
        at += 1 if "=" in words[at] else 2
    return [*words[at : at + 1], *words[:at], *words[at + 1 :]]


def _arguments(words: Sequence[str], command: Command) -> argparse.Namespace:
    """The arguments of a command.

    Raises:
        UsageError: some cannot be read; with a line for each.
    """
    parser = command_parser(words[0], command)
    arguments = parser.parse_args(words[1:])
    if not command.tells_all_mistakes:
        parser.mistakes.complain()
    arguments.mistakes = parser.mistakes.lines
    take_options(arguments)
    return arguments


def _flags(arguments: argparse.Namespace) -> dict[str, object]:
    """The flags that are settings."""
    names = [field.name for field in fields(Settings)]
    flags = {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}
    given = {name: value for name, value in flags.items() if value is not None}
    return {**given_settings(arguments), **given}


def _nearest(word: str) -> str:
    import difflib  # noqa: PLC0415 - only when a command was mistyped

    check_installed(GROUP)
    names = command_names()
    near = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"


def load_command(name: str) -> Command:
    """The command of a name."""
    module = _import(name)
    command: Command = module.COMMANDS[name] if _is_ours(name) else module.create()
    return command


def _is_ours(name: str) -> bool:
    return name in SUMMARIES and name not in ELSEWHERE


def _import(name: str) -> ModuleType:
    try:
        if not _is_ours(name):
            return load_plugin(GROUP, name, "command")
        return importlib.import_module(f"geoscout.cli.commands.{MODULES.get(name, name)}")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"`geoscout {name}` needs an extra, which has {error.name!r}: see docs/install.md"
        ) from error


def command_names() -> tuple[str, ...]:
    """Every command, those of other packages last."""
    return (*SUMMARIES, *(name for name in plugin_names(GROUP) if name not in SUMMARIES))


def _main_parser() -> argparse.ArgumentParser:
    summaries = listed_commands()
    width = max(map(len, summaries))
    grouped = {name for names in GROUPS.values() for name in names}
    groups = {**GROUPS, "other": [name for name in summaries if name not in grouped]}
    listing = "\n\n".join(
        "\n".join([f"{title}:", *(f"  {name:<{width}}  {summaries[name]}" for name in there)])
        for title, names in groups.items()
        if (there := [name for name in names if name in summaries])
    )
    parser = argparse.ArgumentParser(
        prog="geoscout",
        usage="geoscout COMMAND …",
        description="geoscout finds the web pages that are about a place.",
        epilog=f"{listing}\n\n`geoscout COMMAND --help` has options and an example.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=True,
    )
    parser.add_argument("--version", action="version", version=f"geoscout {__version__}")
    parser.add_argument("command", nargs="*", help=argparse.SUPPRESS)
    return parser


def listed_commands() -> dict[str, str]:
    """Every command and what it does, in the order of the help."""
    listed = list(SUMMARIES.items())
    for name in command_names()[len(SUMMARIES) :]:
        command = load_command(name)
        known = [other for other, _ in listed]
        before = command.listed_before
        place = known.index(before) if before in known else len(listed)
        listed.insert(place, (name, command.summary))
    return dict(listed)


def command_parser(name: str, command: Command) -> OneLineParser:
    parser = OneLineParser(
        prog=f"geoscout {name}",
        description=command.description,
        epilog=f"example:\n{command.example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.takes_all = True
    command.add_arguments(parser)
    if parser.rare_groups():
        parser.add_argument("--help-all", action=_HelpAll, nargs=0, help="all options")
    add_shared(parser)
    return parser


class _HelpAll(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        if isinstance(parser, OneLineParser):
            parser.shows_all = True
        parser.print_help()
        parser.exit()


class OneLineParser(argparse.ArgumentParser):
    """A parser whose complaints are one line each, as those of every `UsageError`.

    With `takes_all`, values that cannot be read are noted in `mistakes` and taken as not given, so
    that one complaint does not hide the next; whoever parses has to look there.
    """

    takes_all = False
    shows_all = False  # in its help, also what is rarely asked for

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.mistakes = Mistakes()

    def rare_groups(self) -> list[Any]:
        """The groups of options that the help leaves to `--help-all`."""
        return [group for group in self._action_groups if group.title in RARE]

    def format_help(self) -> str:
        """The help; where there are many options, its usage has only those that must be given."""
        groups = [g for g in self._action_groups if self.shows_all or g.title not in RARE]
        actions = [action for group in groups for action in group._group_actions]  # noqa: SLF001
        formatter = self._get_formatter()
        if len(actions) > _MOST_IN_USAGE:
            ways = self._mutually_exclusive_groups
            must = {id(a) for way in ways if way.required for a in way._group_actions}  # noqa: SLF001
            needed = [a for a in actions if a.required or id(a) in must or not a.option_strings]
            usage = self._get_formatter()._format_usage(None, needed, ways, "").strip()  # noqa: SLF001
            formatter.add_usage(f"{usage} [option …]", [], [])
        else:
            formatter.add_usage(self.usage, actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for group in groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            formatter.add_arguments(group._group_actions)  # noqa: SLF001
            formatter.end_section()
        formatter.add_text(self.epilog)
        return formatter.format_help()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Also what only `--set` takes may be written like a flag: --render auto."""
        return super().parse_known_args(args and by_set(args, self), namespace)

    def _get_value(self, action: argparse.Action, arg_string: str) -> object:
        with self._noted():
            return super()._get_value(action, arg_string)
        return None

    def _check_value(self, action: argparse.Action, value: object) -> None:
        with self._noted():
            if value is not None or not self.takes_all:
                super()._check_value(action, value)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        try:
            yield
        except argparse.ArgumentError as error:
            if not self.takes_all:
                raise
            self.mistakes.lines.append(self._line(str(error)))

    def error(self, message: str) -> None:  # type: ignore[override]  # raises instead of exiting
        self.mistakes.lines.append(self._line(message))
        self.mistakes.complain()

    def _line(self, message: str) -> str:
        if message.startswith("unrecognized arguments: --"):
            flag = message.split()[2].partition("=")[0].removeprefix("--").replace("-", "_")
            if flag in settable(self):
                message += f" (it needs a value: --set {flag}=VALUE)"
        return f"{message}; see `{self.prog} --help`"


def by_set(words: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """Words in which a setting or a rare option, written like a flag, is given by `--set`."""
    kinds, flags = settable(parser), flags_of(parser)
    found, waiting = [], deque(words)
    while waiting:
        word = waiting.popleft()
        flag, equals, value = word.partition("=")
        name = flag.removeprefix("--").replace("-", "_")
        if kinds.get(name.removeprefix("no_")) is bool and name not in kinds:
            found += ["--set", f"{name.removeprefix('no_')}=no"]
            continue
        if name not in kinds or flag == name or any(one.startswith(flag) for one in flags):
            found.append(word)
            continue
        if not equals:
            told = waiting[0] if waiting else "--"
            if kinds[name] is bool:
                value = waiting.popleft() if told in ("yes", "no", "true", "false") else "yes"
            elif told.startswith("--"):
                found.append(word)
                continue
            else:
                value = waiting.popleft()
        found += ["--set", f"{name}={value}"]
    return found


def flags_of(parser: argparse.ArgumentParser) -> set[str]:
    found = {flag for action in parser._actions for flag in action.option_strings}  # noqa: SLF001
    for part in _parts(parser):
        found |= flags_of(part)
    return found


def settable(parser: argparse.ArgumentParser) -> dict[str, Any]:
    """What `--set` takes: settings, and the options of a command and of its parts, by name.

    With each its type, or the values it may have.
    """
    found: dict[str, Any] = {field.name: type(field.default) for field in fields(Settings)}
    for name, (kind, _) in (parser.get_default(OPTIONS) or {}).items():
        found[name] = kind
    for part in _parts(parser):
        found |= settable(part)
    return found


def _parts(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to list them
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            yield from action.choices.values()
