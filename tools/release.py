"""Prepares a release here and sends it nowhere: `make release VERSION=1.2.3`.

Sets the version in the package, the three projects and the citation, gives what is *Unreleased* in
the changelog that version and today's date, and makes a commit and an annotated tag.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

_VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
_HEAD = "## Unreleased\n"
_CHANGELOG, _CITATION = "CHANGELOG.md", "CITATION.cff"
_PACKAGE = "src/geoscout/__init__.py"
_PROJECTS = "packaging/*/pyproject.toml"


def main(words: list[str], root: Path, today: date) -> None:
    """Check everything first, so that a refusal leaves all as it was."""
    if len(words) != 1 or not _VERSION.fullmatch(words[0]):
        sys.exit("a version is three numbers, such as make release VERSION=1.2.3")
    version = words[0]
    if _git(root, "status", "--porcelain"):
        sys.exit("there are changes that are not committed: a release is what is committed")
    if _git(root, "tag", "--list", f"v{version}"):
        sys.exit(f"there is a release {version} already")
    projects = [str(path.relative_to(root)) for path in root.glob(_PROJECTS)]
    names = (_CHANGELOG, _CITATION, _PACKAGE, *projects)
    texts = {name: (root / name).read_text() for name in names}
    notes = notes_of(texts[_CHANGELOG])
    texts[_CHANGELOG] = texts[_CHANGELOG].replace(
        _HEAD, f"{_HEAD}\n## {version} ({today.isoformat()})\n", 1
    )
    dated = re.sub(r"^date-released: .*\n", "", texts[_CITATION], flags=re.MULTILINE)
    texts[_CITATION] = _replaced(
        r"^version: .*$", f"version: {version}\ndate-released: {today.isoformat()}", dated
    )
    texts[_PACKAGE] = _replaced(
        r'^__version__ = ".*"$', f'__version__ = "{version}"', texts[_PACKAGE]
    )
    for name in projects:
        numbered = _replaced(r'^version = "[^"]*"', f'version = "{version}"', texts[name])
        # Each needs the one below it in the same version.
        texts[name] = re.sub(r'("geoscout[a-z-]*==)[^"]*"', rf'\g<1>{version}"', numbered)
    for name, text in texts.items():
        (root / name).write_text(text)
    _git(root, "commit", "-q", "-m", f"Release {version}", *texts)
    # Lines of the changelog may begin with #, which git would leave out.
    _git(root, "tag", "--cleanup=whitespace", "-a", f"v{version}", "-m", f"{version}\n\n{notes}")
    print(f"committed and tagged v{version} here; `make dist` builds it, and nothing was sent")


def notes_of(changelog: str) -> str:
    """What the changelog says of the next version; ends where it says nothing."""
    _, head, rest = changelog.partition(_HEAD)
    notes = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip()
    if not head or not notes:
        sys.exit(f"{_CHANGELOG} has nothing under Unreleased")
    return notes


def _replaced(pattern: str, line: str, text: str) -> str:
    changed, count = re.subn(pattern, line, text, flags=re.MULTILINE)
    if count != 1:
        sys.exit(f"{pattern} is there {count} times instead of once")
    return changed


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"git {words[0]}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    main(sys.argv[1:], Path(__file__).parents[1], datetime.now(UTC).date())
