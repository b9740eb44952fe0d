"""Every command line in deploy/ is one that geoscout takes."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from geoscout.cli.commands.serve import PORT
from geoscout.cli.main import command_parser, load_command
from tests.conftest import PROJECT

DEPLOY = PROJECT / "deploy"
FOLLOWS = {"begin": ["--region", "Lisbon", "--seeds", "https://example.org/"]}  # what the user adds


def compose_lines(path: Path) -> Iterator[list[str]]:
    """What the services run, with what a user is told to add."""
    services = yaml.safe_load(path.read_text(encoding="utf-8"))["services"]
    for name, service in services.items():
        words = service.get("entrypoint", ["geoscout"]) + service.get("command", [])
        if service["image"].startswith("geoscout"):
            yield words[1:] + FOLLOWS.get(name, [])


def kubernetes_lines(path: Path) -> Iterator[list[str]]:
    for manifest in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        pod: dict[str, Any] = manifest["spec"].get("template", {}).get("spec", {})
        for container in pod.get("containers", ()):
            yield container["args"]


def written_lines(path: Path) -> Iterator[list[str]]:
    """Lines of units and Containerfiles that call the program."""
    call = re.compile(r"^(?:ExecStart=\S*|RUN )geoscout (.*?)(?: >.*)?$", re.MULTILINE)
    for line in call.findall(path.read_text(encoding="utf-8")):
        yield shlex.split(line)


def command_lines() -> Iterator[tuple[str, list[str]]]:
    for path in sorted(DEPLOY.iterdir()):
        read = {"compose.yaml": compose_lines, "kubernetes.yaml": kubernetes_lines}
        for words in read.get(path.name, written_lines)(path):
            yield path.name, words


LINES = list(command_lines())


@pytest.mark.parametrize(("file", "words"), LINES, ids=[f"{f} {w[0]}" for f, w in LINES])
def test_the_command_line_is_one_that_geoscout_takes(file, words):
    command_parser(words[0], load_command(words[0])).parse_args(words[1:])

    assert file in {"compose.yaml", "kubernetes.yaml", "Containerfile", "geoscout-worker@.service"}


def test_every_file_has_a_command_line():
    found = [(file, words[0]) for file, words in LINES]

    assert sorted(found) == [
        ("Containerfile", "place"), ("compose.yaml", "cluster"), ("compose.yaml", "crawl"),
        ("compose.yaml", "serve"), ("geoscout-worker@.service", "cluster"),
        ("kubernetes.yaml", "cluster"), ("kubernetes.yaml", "crawl"), ("kubernetes.yaml", "serve"),
    ]  # fmt: skip


def test_no_command_line_contains_a_password():
    password = re.compile(r"://[^@/\s]*:[^@/\s]*@")

    assert [words for _, words in LINES if password.search(" ".join(words))] == []


def test_the_port_that_is_let_through_is_the_one_that_serve_listens_on():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))

    assert compose["services"]["serve"]["ports"] == [f"127.0.0.1:{PORT}:{PORT}"]
    assert f"containerPort: {PORT}" in (DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8")


def test_an_image_is_built_from_all_that_its_build_reads():
    """What `.dockerignore` leaves out is not there when the image is built."""
    let_through = re.findall(r"^!(\S+)", (PROJECT / ".dockerignore").read_text(), re.MULTILINE)
    read = re.findall(r"tools/[\w./-]+", (DEPLOY / "Containerfile").read_text(encoding="utf-8"))
    read += ["pyproject.toml", "hatch_build.py", "requirements.lock", "README.md", "LICENSE"]

    assert [name for name in read if not (PROJECT / name).exists()] == []
    assert [name for name in read if not name.startswith(tuple(let_through))] == []
