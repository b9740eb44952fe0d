"""Documented or not done: what a user can use must be where a user would look."""

import ast
import re
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from tools.reference import commands_page, settings_page

from geoscout.cli.main import command_names, command_parser, load_command
from geoscout.settings import Settings
from tests.conftest import PROJECT

DOCS = PROJECT / "docs"
DOCUMENTS = [*PROJECT.glob("*.md"), *DOCS.glob("**/*.md")]


def test_the_reference_says_what_the_help_and_the_settings_say():
    assert (DOCS / "commands.md").read_text() == commands_page()
    assert (DOCS / "settings.md").read_text() == settings_page()


@pytest.mark.parametrize("page", [commands_page(), settings_page()], ids=["commands", "settings"])
def test_the_reference_explains_everything(page):
    assert re.findall(r"^.*(?:: \.| \| \.)$", page, re.MULTILINE) == []


@pytest.mark.parametrize("command", command_names())
def test_help_has_an_example(command):
    text = command_parser(command, load_command(command)).format_help()

    assert f"geoscout {command}" in text.split("example:")[1]


def test_every_setting_gives_its_reason():
    assert [f.name for f in fields(Settings) if not f.metadata.get("reason")] == []


def test_every_module_says_why_it_exists():
    modules = [*PROJECT.glob("src/**/*.py"), *PROJECT.glob("tools/**/*.py")]

    silent = [m.name for m in modules if not ast.get_docstring(ast.parse(m.read_text()))]

    assert silent == []


def test_links_between_the_documents_lead_somewhere():
    broken = [
        f"{document.name}: {target}"
        for document in DOCUMENTS
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
        if not (document.parent / target).exists()
    ]

    assert broken == []


TEXTS = [p for top in ("src", "docs", "benchmarks") for p in PROJECT.glob(f"{top}/**/*.[pm][yd]")]
READING = r"^\| ([AGK]-\d+(?:, [AGK]-\d+)*) \|"  # the row of one, or of several


def test_every_code_of_a_reading_has_its_row():
    """Comments name readings of the papers by codes such as G-15; a reader must find them."""
    rows = {
        code
        for document in DOCS.glob("**/*.md")
        for row in re.findall(READING, document.read_text(), re.MULTILINE)
        for code in row.split(", ")
    }
    cited = {code for p in TEXTS for code in re.findall(r"\b[AGK]-\d{1,2}\b", p.read_text())}

    assert sorted(cited - rows) == []


def test_nothing_cites_documents_that_readers_do_not_have():
    citing = [p.name for p in TEXTS if re.search(r"\b(SPEC|EVALUATION)\b(?!\.)", p.read_text())]

    assert citing == []


# Names of files and folders that a user has or makes, not of files in this repository.
OF_USERS = {
    "archive/",
    "archives/",
    "da.toml",
    "directory/",
    "dist/",
    "geoscout.toml",
    "imports/",
    "indexes/",
    "netherlands.py",
    "runs/",
    "word_strategy.py",
}
HOUSES = tuple(f"src/{house.name}" for house in (PROJECT / "src").glob("geoscout*"))
ROOMS = (*HOUSES, "src", "tests", "tools", "benchmarks", "docs")
LOOKS_LIKE_A_PATH = re.compile(
    r"(?:src|tests|tools|benchmarks|docs)/[\w./*-]*|[\w./*-]+\.(?:py|tsv|toml)|[\w-]+(?:/[\w-]+)*/"
)
LOOKS_LIKE_A_MODULE = re.compile(r"(?:geoscout(?:_\w+)?|benchmarks|tools|tests)(?:\.\w+)+")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_paths_in_the_documents_exist(document):
    missing = []
    for line in document.read_text().splitlines():
        words = [w for code in re.findall(r"`([^`\n]+)`", line) for w in code.split()]
        # In a row of a table about a room, names are those of files in that room.
        room = words[0] if line.startswith("| `") and words[0].endswith("/") else ""
        for word in words:
            is_path = LOOKS_LIKE_A_PATH.fullmatch(word) and word not in OF_USERS
            if is_path and not (_is_file(word, document) or _is_file(room + word, document)):
                missing.append(word)
            if LOOKS_LIKE_A_MODULE.fullmatch(word) and not _is_module(word):
                missing.append(word)

    assert missing == []


def _is_file(path: str, document: Path) -> bool:
    """Whether a path is there, seen from the root, a room of the code, or the document."""
    starts = [PROJECT, document.parent, *(PROJECT / room for room in ROOMS)]
    if any(any(start.glob(path.rstrip("/"))) for start in starts):
        return True
    return "/" not in path and any(any((PROJECT / room).rglob(path)) for room in ROOMS)


def _is_module(name: str) -> bool:
    """Whether a dotted name is a module, an entry point group, or a public name of a module."""
    if name in _groups():
        return True
    parts = name.split(".")
    for root in (PROJECT / "src", PROJECT):
        at, rest = root, list(parts)
        while rest and (at / rest[0]).is_dir():
            at /= rest.pop(0)
        file = at / f"{rest[0]}.py" if rest else at / "__init__.py"
        if file.is_file() and (len(rest) < 2 or _defines(file, rest[1])):
            return True
        init = at / "__init__.py"
        if len(rest) == 1 and init.is_file() and _defines(init, rest[0]):
            return True
    return False


@cache
def _groups() -> frozenset[str]:
    """The entry point groups, as the code asks for them."""
    sources = "".join(file.read_text() for file in (PROJECT / "src").rglob("*.py"))
    return frozenset(re.findall(r'"(geoscout\.\w+)"', sources))


def _defines(file: Path, name: str) -> bool:
    return re.search(rf"\b{name}\b", file.read_text()) is not None


def test_every_way_to_plug_in_is_documented():
    declared = re.findall(r'entry-points."(.*)"', (PROJECT / "pyproject.toml").read_text())
    text = (DOCS / "extend/plugins.md").read_text()

    assert [name for name in declared if f"`{name}`" not in text] == []


def test_documents_named_in_the_code_exist():
    files = [f for room in ("src", "tools", "benchmarks") for f in (PROJECT / room).rglob("*.py")]
    named = {name for f in files for name in re.findall(r"\bdocs/[\w/-]+\.md", f.read_text())}

    assert [name for name in sorted(named) if not (PROJECT / name).is_file()] == []
