"""What a command of geoscout is, ours or a plug-in's, and what a view of `geoscout status` is.

Our own commands are the `COMMANDS` of modules in `commands/`, listed there for speed. Those of
other houses and packages are found by their entry points and made by `create()`, as every plug-in
is: docs/extend/command.md.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

from geoscout.settings import Settings
from geoscout_places.errors import UsageError
from geoscout_places.plugins import coerce

COMMANDS = "geoscout.commands"  # the group of the entry points
OPTIONS = "options_by_set"  # where a parser has them, by name
Parser = argparse.ArgumentParser | argparse._ArgumentGroup  # noqa: SLF001 - it has no other name
# Groups of options that only --help-all and docs/commands.md show.
BY_NODES, IN_DATABASE, SELDOM = "shared by nodes", "in a database, with --on", "rarely needed"
RARE = (BY_NODES, IN_DATABASE, SELDOM)
SHARED_FLAGS = ("--home", "--settings", "--set")  # of every command


@dataclass(frozen=True, slots=True)
class StatusView:
    """Another view of a crawl, with flags of its own in `geoscout status`."""

    add_arguments: Callable[[argparse.ArgumentParser], None]
    is_asked_for: Callable[[argparse.Namespace], bool]  # whether one of its flags was given
    run: Callable[[argparse.Namespace, Settings], None]


@dataclass(frozen=True, slots=True)
class Command:
    """A command, such as `geoscout crawl`."""

    description: str  # for its own `--help`
    example: str  # at the end of its help, indented by two blanks
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Settings], int]  # returns the exit status
    _: KW_ONLY
    summary: str = ""  # one line, for `geoscout --help`; ours have theirs in `commands`
    # Of its arguments those that cannot be read are in `mistakes`, and it tells them with others.
    tells_all_mistakes: bool = False
    listed_before: str = ""  # the command it comes before in the help; "": it comes last
    status_views: Sequence[StatusView] = ()  # that come with it


def add_shared(parser: argparse.ArgumentParser, *, is_part: bool = False) -> None:
    """Add the flags of every command; `is_part` for `geoscout cluster work`, part of another.

    A part says nothing where it was given nothing, so that what stands before it counts.
    """
    default = argparse.SUPPRESS if is_part else None
    shared = parser.add_argument_group("for every command")
    shared.add_argument(
        "--home",
        metavar="DIR",
        default=default,
        help="folder for compiled gazetteers (or GEOSCOUT_HOME)",
    )
    shared.add_argument(
        "--settings",
        metavar="FILE",
        type=Path,
        default=default,
        help="settings file (default: geoscout.toml)",
    )
    here = ", ".join(parser.get_default(OPTIONS) or ())
    shared.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=default,
        help="any setting, such as log_level=debug; repeatable; see docs/settings.md"
        + (f"; here also, see docs/commands.md: {here}" if here else ""),
    )


def add_option(parser: Parser, name: str, kind: Any, about: str, *, default: object = None) -> None:
    """Something that is rarely asked for: `--set NAME=VALUE` gives it, and it has no flag.

    `kind` is a type, or the values that it may have.
    """
    known = dict(parser.get_default(OPTIONS) or {})
    parser.set_defaults(**{name: default, OPTIONS: {**known, name: (kind, about)}})


def take_options(arguments: argparse.Namespace) -> None:
    """Take from `--set` what belongs to the command itself; what is left are settings."""
    options = getattr(arguments, OPTIONS, None) or {}
    for name, value in given_settings(arguments).items():
        if name in options:
            setattr(arguments, name, _value(name, value, options[name][0]))
    given = getattr(arguments, "set", None) or ()
    arguments.set = [text for text in given if _name(text) not in options]


def _value(name: str, text: str, kind: Any) -> object:
    if isinstance(kind, type):
        return coerce(name, text, kind(), "--set")
    if text not in kind:
        raise UsageError(f"--set {name}={text}: there are: {', '.join(kind)}")
    return text


def _name(text: str) -> str:
    return text.partition("=")[0].strip().replace("-", "_")


def given_settings(arguments: argparse.Namespace) -> dict[str, str]:
    """The settings that were given by `--set`."""
    given = {}
    for text in getattr(arguments, "set", None) or ():
        _, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set {text} should be a setting and its value: log_level=debug")
        given[_name(text)] = value
    return given
