"""What editors, hooks and templates say is what the project does."""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from geoscout.cli.main import command_names
from tests.conftest import PROJECT

MAKEFILE = (PROJECT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
GITHUB = PROJECT / ".github"
TEMPLATES = [*GITHUB.glob("ISSUE_TEMPLATE/*.md"), GITHUB / "PULL_REQUEST_TEMPLATE.md"]
NO_TEXT = {".png", ".xz", ".tsv", ".ico"}


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return [PROJECT / name for name in listed.stdout.splitlines()]


def test_the_hooks_run_what_make_check_runs():
    (check,) = re.findall(r"^check:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    recipe = [line.strip().replace("$(BIN)", ".venv/bin") for line in check.splitlines()]

    (local,) = yaml.safe_load((PROJECT / ".pre-commit-config.yaml").read_text())["repos"]

    assert local["repo"] == "local"
    assert [hook["entry"] for hook in local["hooks"]] == recipe


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.stem)
def test_a_template_is_short_and_names_commands_that_exist(template):
    text = template.read_text()
    if template.parent.name == "ISSUE_TEMPLATE":
        assert yaml.safe_load(text.split("---")[1]).keys() == {"name", "about"}

    assert text.count("\n") <= 12
    assert set(re.findall(r"`geoscout ([a-z]\w*)", text)) <= set(command_names())


def test_targets_of_make_that_are_named_exist():
    documents = [*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md"), *TEMPLATES]
    named = {
        target
        for one in documents
        for target in re.findall(r"[`$ ]make ([a-z]+)`", one.read_text())
    }

    assert len(named) > 10
    assert named - TARGETS == set()


def test_newer_releases_are_offered_for_every_lock():
    settings = json.loads((GITHUB / "renovate.json").read_text())
    patterns = [p.strip("/") for p in settings["pip_requirements"]["managerFilePatterns"]]
    locks = [str(one.relative_to(PROJECT)) for one in tracked() if one.suffix == ".lock"]

    assert len(locks) > 4
    assert [lock for lock in locks if not any(re.search(p, lock) for p in patterns)] == []


def test_texts_are_written_as_editors_are_told():
    wrong = []
    for path in tracked():
        if path.suffix in NO_TEXT or "vendor" in path.parts or not path.is_file():
            continue
        text = path.read_bytes().decode()
        if "\r" in text or re.search(r"[ \t]+$", text, re.MULTILINE) or text[-1:] not in ("", "\n"):
            wrong.append(str(path.relative_to(PROJECT)))

    assert wrong == []


@pytest.mark.parametrize("workflow", [*GITHUB.glob("workflows/*.yml")], ids=lambda path: path.stem)
def test_a_workflow_runs_pinned_actions_and_targets_that_exist(workflow):
    jobs = yaml.safe_load(workflow.read_text())["jobs"].values()
    steps = [step for job in jobs for step in job["steps"]]
    lines = [step["run"] for step in steps if "run" in step]
    targets = {line.split()[1] for line in lines if line.startswith("make ")}
    actions = [step["uses"] for step in steps if "uses" in step]

    assert targets
    assert targets <= TARGETS | {".cache/dist/venv/.installed"}
    assert [one for one in actions if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", one)] == []


def test_the_tests_run_on_the_oldest_and_the_newest_python():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    named = [one.rpartition(" ")[2] for one in project["classifiers"] if ":: 3." in one]
    test = yaml.safe_load((GITHUB / "workflows/test.yml").read_text())["jobs"]["test"]

    assert test["strategy"]["matrix"]["python"] == [named[0], named[-1]]
    assert project["requires-python"] == f">={named[0]}"
