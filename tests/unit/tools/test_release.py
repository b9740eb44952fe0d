"""A release is prepared as a whole or not at all."""

import subprocess
import tomllib
from datetime import date
from pathlib import Path

import pytest
from tools import release

from tests.conftest import PROJECT

TODAY = date(2030, 1, 2)
NAMES = ("CHANGELOG.md", "CITATION.cff", "src/geoscout/__init__.py")
PROJECTS = [f"packaging/{name}/pyproject.toml" for name in ("geoscout", "geoscout-lab")]


def git(root: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=root, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture
def clone(tmp_path):
    """A repository with what a release changes, as it is here."""
    for name in (*NAMES, *PROJECTS):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((PROJECT / name).read_text())
    changes = (tmp_path / "CHANGELOG.md").read_text()
    changes = changes.replace("## Unreleased\n", "## Unreleased\n\n- Finds lakes.\n", 1)
    (tmp_path / "CHANGELOG.md").write_text(changes)
    git(tmp_path, "init", "-q")
    git(tmp_path, "config", "user.name", "A. Tester")
    git(tmp_path, "config", "user.email", "tester@example.org")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    return tmp_path


def test_a_release_is_a_commit_and_a_tag(clone):
    release.main(["7.8.9"], clone, TODAY)

    changelog, citation, package = ((clone / name).read_text() for name in NAMES)
    assert "## Unreleased\n\n## 7.8.9 (2030-01-02)\n\n- Finds lakes." in changelog
    assert "\nversion: 7.8.9\ndate-released: 2030-01-02\n" in citation
    assert '__version__ = "7.8.9"' in package
    product, lab = (tomllib.loads((clone / name).read_text())["project"] for name in PROJECTS)
    assert (product["version"], lab["version"]) == ("7.8.9", "7.8.9")
    assert "geoscout-places==7.8.9" in product["dependencies"]
    assert "geoscout==7.8.9" in lab["dependencies"]
    assert git(clone, "status", "--porcelain") == ""
    assert git(clone, "log", "-1", "--format=%s %D").startswith("Release 7.8.9 HEAD")
    assert git(clone, "cat-file", "-t", "v7.8.9") == "tag\n"
    assert "- Finds lakes." in git(clone, "tag", "-l", "--format=%(contents)", "v7.8.9")


@pytest.mark.parametrize("words", [[], ["seven"], ["1.2"], ["v1.2.3"], ["1.2.3", "4.5.6"]])
def test_what_is_no_version_is_refused(clone, words):
    with pytest.raises(SystemExit, match="three numbers"):
        release.main(words, clone, TODAY)


def test_a_release_is_made_once_of_what_is_committed_and_says_something(clone):
    (clone / "new").touch()
    with pytest.raises(SystemExit, match="not committed"):
        release.main(["7.8.9"], clone, TODAY)
    assert git(clone, "tag") == ""
    (clone / "new").unlink()
    release.main(["7.8.9"], clone, TODAY)
    before = git(clone, "rev-parse", "HEAD")

    with pytest.raises(SystemExit, match=r"7\.8\.9 already"):
        release.main(["7.8.9"], clone, TODAY)
    with pytest.raises(SystemExit, match="nothing under Unreleased"):
        release.main(["7.9.0"], clone, TODAY)

    assert git(clone, "rev-parse", "HEAD") == before
    with (clone / "CHANGELOG.md").open("r+") as file:
        text = file.read().replace("## Unreleased\n", "## Unreleased\n\n- Finds seas.\n")
        file.seek(0)
        file.write(text)
    git(clone, "commit", "-q", "-a", "-m", "Find seas")
    release.main(["8.0.0"], clone, TODAY.replace(year=2031))
    citation = (clone / "CITATION.cff").read_text()
    assert citation.count("date-released: 2031-01-02") == 1
    assert "2030" not in citation.partition("references")[0]
