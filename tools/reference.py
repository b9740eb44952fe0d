"""Writes docs/commands.md and docs/settings.md from what `--help` and `Settings` say.

    make reference

So a flag or a setting is explained once, where it is made; a test fails when the pages are stale.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path

from geoscout.cli.command import OPTIONS, SHARED_FLAGS, Command
from geoscout.cli.main import command_parser, listed_commands, load_command
from geoscout.settings import Settings

DOCS = Path(__file__).parents[1] / "docs"
COMMANDS = """\
# Commands

*Made by `make reference` from `geoscout COMMAND --help`.*

Commands print tables for people; with `--json`, which nearly all take, they print one JSON document
on standard output, and nothing else there. `DIR` is the folder or address of a crawl. The exit
status is 0 for success, 1 for a failure, and 2 for a mistake you can fix: then one line says what
would have been right. `crawl` and `resume` exit with status 3 if the crawl has ended without a
single page. Ctrl-C stops cleanly.

Every command also takes `--home DIR`, the folder for compiled gazetteers, `--settings FILE`, and
`--set NAME=VALUE` for any [setting](settings.md), such as `workers=4` or `log_level=debug`. What is
asked for rarely is listed with its command, and `--set` gives it, too. All of it may be written
like a flag: `--log-level debug`.
"""
SETTINGS = """\
# Settings

*Made by `make reference` from `Settings`.*

This file, saved as `geoscout.toml` in the working directory, moves the gazetteer and leaves out the
optional data packages:

```toml
home = "/srv/geoscout"
extras = false
```

Every setting has a default. You can set it in three places; later ones win:

1. a TOML file: `geoscout.toml` in the working directory, or `--settings FILE`;
2. the environment: `GEOSCOUT_` and the setting's name in capitals, such as `GEOSCOUT_HOME`, with
   commas between the values of a list;
3. the command line: `--set NAME=VALUE`, or a flag of the command.

geoscout refuses a key it does not know, and suggests the nearest name.

| setting | default | meaning |
|---|---|---|
"""
# What the beginning of the page says of every command.
SAID = {
    "`DIR`": "the crawl's folder or address.",
    "`--json`": "print one JSON object.",
}
# Where more is said of a command or a setting.
GUIDES = {
    "geoparse": "geoparsing.md", "seeds": "how-to/seeds.md", "crawl": "first-crawl.md",
    "watch": "how-to/watch.md", "cluster": "cluster.md", "export": "export.md",
    "directory": "directory.md", "forget": "privacy.md#forgetting-a-host", "search": "search.md",
    "serve": "web.md", "classifier": "collaboration.md", "gazetteer": "gazetteer-import.md",
    "completion": "install.md#completion-in-your-shell", "compare": "evaluation.md",
    "synthweb": "synthweb.md", "place": "gazetteer.md",
    "robots": "why/robots.md", "relevance": "relevance.md", "log_level": "logging.md",
    "geocoder": "geoparsing.md#a-geocoding-service-for-houses", "control": "control.md",
    "registrations": "rank.md#registrants", "sites_remembered": "geoparsing.md#the-site-of-a-page",
    "include": "how-to/scope-rules.md", "hosts": "how-to/scope-rules.md#single-hosts",
    "proxy": "how-to/scope-rules.md#proxies", "render": "how-to/render.md", "pdf": "how-to/pdf.md",
    "entries": "directory.md", "strict_streets": "gazetteer-import.md",
    "tiles": "web.md#streets-on-the-map",
}  # fmt: skip


def main() -> None:
    """Write both pages."""
    (DOCS / "commands.md").write_text(commands_page(), encoding="utf-8")
    (DOCS / "settings.md").write_text(settings_page(), encoding="utf-8")


def commands_page() -> str:
    """Every command with its flags."""
    of_crawl = _flags_by_name(command_parser("crawl", load_command("crawl")))
    sections = (
        _section(name, load_command(name), {} if name == "crawl" else of_crawl)
        for name in listed_commands()
    )
    return re.sub(r"\n{3,}", "\n\n", "\n".join([COMMANDS, *sections])).rstrip() + "\n"


def settings_page() -> str:
    """Every setting with its default and its reason."""
    rows = []
    for field in fields(Settings):
        reason = field.metadata["reason"]
        default = f"{_shown(field.default)} {field.metadata['unit']}".strip()
        text = f"{reason[:1].upper()}{reason[1:]}.{_guide(field.name)}".replace("|", "\\|")
        rows.append(f"| `{field.name}` | {default} | {text} |")
    return SETTINGS + "\n".join(rows) + "\n"


def _section(name: str, command: Command, known: Mapping[str, str]) -> str:
    parser = command_parser(name, command)
    example = "\n".join(line.strip() for line in command.example.splitlines())
    about = f"## `geoscout {name}`\n\n{_linked(command.description.strip())}{_guide(name)}"
    return "\n".join([about, f"\n```sh\n{example}\n```\n", *_flags(parser, known)])


def _flags(
    parser: argparse.ArgumentParser, known: Mapping[str, str], known_from: str = "for `crawl`"
) -> Iterator[str]:
    """The lines about a parser's flags, group by group; those of its parts last.

    Of those that are known already only the names are told, and where they are explained.
    """
    for group in parser._action_groups:  # noqa: SLF001 - argparse has no public way to list them
        lines = {_names(a): _help(a, parser) for a in group._group_actions if _is_told(a)}  # noqa: SLF001
        lines = {names: text for names, text in lines.items() if SAID.get(names) != text}
        same = [names for names, text in lines.items() if known.get(names) == text]
        title = "" if group.title in ("options", "positional arguments") else group.title or ""
        if not lines or title.startswith("log"):
            continue
        yield f"\n{title[:1].upper()}{title[1:]}:\n" if title else ""
        yield from (f"- {names}: {text}" for names, text in lines.items() if names not in same)
        if same:
            yield f"- as {known_from}: {', '.join(same)}."
    yield ""
    if options := _set_options(parser):
        same = [names for names, text in options.items() if known.get(names) == text]
        yield "By `--set NAME=VALUE`:\n"
        yield from (f"- {names}: {text}" for names, text in options.items() if names not in same)
        if same:
            yield f"- as {known_from}: {', '.join(same)}."
    yield ""
    for name, part, text in _parts(parser):
        yield f"### `geoscout {parser.prog.split()[-1]} {name}`\n\n{text.capitalize()}."
        yield from _flags(part, known, "above")
        known = {**known, **_flags_by_name(part)}


def _flags_by_name(parser: argparse.ArgumentParser) -> dict[str, str]:
    """What is told of a command: its flags, and what `--set` gives it; all flags that way, too."""
    flags = {_names(a): _help(a, parser) for a in parser._actions if _is_told(a)}  # noqa: SLF001
    by_set = {_as_option(names): text for names, text in flags.items()}
    return {**by_set, **flags, **_set_options(parser)}


def _as_option(names: str) -> str:
    """How `--set` names a flag: `max_depth` for `--max-depth N`."""
    return f"`{names.strip('`').split()[0].lstrip('-').replace('-', '_')}`"


def _set_options(parser: argparse.ArgumentParser) -> dict[str, str]:
    options = parser.get_default(OPTIONS) or {}
    return {f"`{name}`": f"{_linked(about)}." for name, (_, about) in options.items()}


def _parts(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    """The parsers below a parser, with their names and helps."""
    for action in parser._actions:  # noqa: SLF001
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            helps = {part.dest: part.help or "" for part in action._choices_actions}  # noqa: SLF001
            yield from ((name, part, helps[name]) for name, part in action.choices.items())


def _is_told(action: argparse.Action) -> bool:
    is_shared = bool(set(action.option_strings) & {*SHARED_FLAGS, "--help"})
    is_parts = isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
    return not (is_shared or is_parts or action.help == argparse.SUPPRESS)


def _names(action: argparse.Action) -> str:
    value = ""
    if action.nargs != 0:
        choices = "|".join(map(str, action.choices)) if action.choices else ""
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        value = metavar or choices or action.dest.rpartition("_")[2].upper()
        value += "…" if action.nargs in ("+", "*") else ""
    return f"`{' '.join([', '.join(action.option_strings), value]).strip()}`"


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    return _linked((action.help or "") % {**vars(action), "prog": parser.prog}) + "."


def _linked(text: str) -> str:
    """The text of a help with links to the documents that it names."""
    return re.sub(r"docs/([\w/-]+)\.md", r"[\1](\1.md)", text)


def _guide(name: str) -> str:
    guide = GUIDES.get(name)
    return f" ([more]({guide}))" if guide else ""


def _shown(default: object) -> str:
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    if default in ("", ()):
        return "empty"
    return f"`{default}`" if isinstance(default, str) else str(default)


if __name__ == "__main__":
    main()
