"""What a command of geoscout is, ours or a plug-in's, and what a view of `geoscout status` is.

Both come from a module with `create()`, as every plug-in does: docs/extend/command.md. Our own
commands are modules in `commands/`, listed there for speed; those of the laboratory, and of other
packages, are found by their entry points.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from geoscout.settings import Settings
from geoscout_places.errors import UsageError

COMMANDS = "geoscout.commands"  # the group of the entry points
SHARED_FLAGS = ("--home", "--settings", "--set")  # of every command


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusView:
    """Another view of a crawl, with flags of its own in `geoscout status`."""

    add_arguments: Callable[[argparse.ArgumentParser], None]
    is_asked_for: Callable[[argparse.Namespace], bool]  # whether one of its flags was given
    run: Callable[[argparse.Namespace, Settings], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command, such as `geoscout crawl`."""

    summary: str  # one line, for `geoscout --help`
    description: str  # for its own `--help`
    example: str  # at the end of its help, indented by two blanks
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Settings], int]  # returns the exit status
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
    shared.add_argument(
        "--set",
        metavar="NAME=VALUE",
        action="append",
        default=default,
        help="any setting, such as log_level=debug; repeatable; see docs/settings.md",
    )


def given_settings(arguments: argparse.Namespace) -> dict[str, str]:
    """The settings that were given by `--set`.

    Raises:
        UsageError: one of them has no value.
    """
    given = {}
    for text in getattr(arguments, "set", None) or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--set {text} should be a setting and its value: log_level=debug")
        given[name.strip().replace("-", "_")] = value
    return given
