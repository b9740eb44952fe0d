"""Documented or not done: what a user can use must be where a user would look."""

from __future__ import annotations

import ast
import re
from dataclasses import fields

import pytest

from geoscout.cli.main import command_names, command_parser, load_command
from geoscout.settings import Settings
from tests.conftest import PROJECT

DOCS = PROJECT / "docs"
COMMANDS = command_names()


@pytest.mark.parametrize("command", command_names())
def test_command_is_documented(command: str) -> None:
    assert f"## `geoscout {command}" in (DOCS / "commands.md").read_text()


@pytest.mark.parametrize("command", command_names())
def test_flag_is_documented_where_its_command_is(command: str) -> None:
    text = (DOCS / "commands.md").read_text()
    section = re.split(r"^## ", text.split(f"## `geoscout {command}")[1], flags=re.MULTILINE)[0]

    parser = command_parser(command, load_command(command))
    flags = [o for a in parser._actions for o in a.option_strings if o.startswith("--")]
    missing = [f for f in flags if f not in section and f not in ("--help", "--home", "--settings")]

    assert missing == []


@pytest.mark.parametrize("command", command_names())
def test_help_has_an_example(command: str) -> None:
    text = command_parser(command, load_command(command)).format_help()

    assert f"geoscout {command}" in text.split("example:")[1]


@pytest.mark.parametrize("setting", [field.name for field in fields(Settings)])
def test_setting_is_documented(setting: str) -> None:
    assert f"`{setting}`" in (DOCS / "settings.md").read_text()


def test_every_setting_gives_its_reason() -> None:
    assert [f.name for f in fields(Settings) if not f.metadata.get("reason")] == []


def test_every_module_says_why_it_exists() -> None:
    modules = [*PROJECT.glob("src/**/*.py"), *PROJECT.glob("tools/**/*.py")]

    silent = [m.name for m in modules if not ast.get_docstring(ast.parse(m.read_text()))]

    assert silent == []


def test_links_between_the_documents_lead_somewhere() -> None:
    documents = [*PROJECT.glob("*.md"), *DOCS.glob("**/*.md")]

    broken = [
        f"{document.name}: {target}"
        for document in documents
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
        if not (document.parent / target).exists()
    ]

    assert broken == []


TEXTS = [p for top in ("src", "docs", "benchmarks") for p in PROJECT.glob(f"{top}/**/*.[pm][yd]")]
READING = r"^\| ([AGK]-\d+(?:, [AGK]-\d+)*) \|"  # the row of one, or of several


def test_every_code_of_a_reading_has_its_row() -> None:
    """Comments name readings of the papers by codes such as G-15; a reader must find them."""
    rows = {
        code
        for document in DOCS.glob("**/*.md")
        for row in re.findall(READING, document.read_text(), re.MULTILINE)
        for code in row.split(", ")
    }
    cited = {code for p in TEXTS for code in re.findall(r"\b[AGK]-\d{1,2}\b", p.read_text())}

    assert sorted(cited - rows) == []


def test_nothing_cites_documents_that_readers_do_not_have() -> None:
    citing = [p.name for p in TEXTS if re.search(r"\b(SPEC|EVALUATION)\b(?!\.)", p.read_text())]

    assert citing == []
