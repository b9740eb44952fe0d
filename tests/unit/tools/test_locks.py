"""What is pinned is whole, nothing else is installed, and a lock is never resolved again."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import PROJECT

PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text())
MAIN, RUNTIME = PROJECT / "requirements.lock", PROJECT / "tools/locks/runtime.lock"
LOCKS = [MAIN, *sorted((PROJECT / "tools/locks").glob("*.lock"))]
PLATFORMS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64"},
    "darwin": {"sys_platform": "darwin", "platform_system": "Darwin", "platform_machine": "arm64"},
}
MINORS = ("3.11", "3.12", "3.13", "3.14")


def pins(lock: Path, environment: dict[str, str]) -> dict[str, str]:
    """The versions by package that a lock installs there."""
    lines = re.findall(r"^[\w.-]+==[^\\\n]*", lock.read_text(), re.MULTILINE)
    pinned = [Requirement(line) for line in lines]
    return {
        canonicalize_name(one.name): str(one.specifier).removeprefix("==")
        for one in pinned
        if one.marker is None or one.marker.evaluate(environment)
    }


def missing(wanted: Iterable[str], pinned: dict[str, str], environment: dict[str, str]) -> set[str]:
    """What these requirements, and all that follow from them with their extras, lack in a lock.

    The metadata is that of the packages that are installed here; what another system needs in
    addition must be pinned, but is not followed further.
    """
    lacking, seen, waiting = set(), set(), [(Requirement(one), "") for one in wanted]
    while waiting:
        requirement, extra = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate(environment | {"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        if name != "geoscout" and not (
            name in pinned and requirement.specifier.contains(pinned[name], prereleases=True)
        ):
            lacking.add(str(requirement))
        for more in {"", *requirement.extras}:
            if (name, more) not in seen:
                seen.add((name, more))
                waiting += [(Requirement(one), more) for one in needs(name)]
    return lacking


def needs(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:
        return []


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        (MAIN, ["geoscout[dev]", *PYPROJECT["build-system"]["requires"]]),
        (RUNTIME, ["geoscout[parquet,postgres]"]),
    ],
    ids=["all", "runtime"],
)
def test_a_lock_lacks_nothing_that_its_packages_require(lock, wanted, minor, platform):
    versions = {"python_version": minor, "python_full_version": f"{minor}.0"}
    environment = {**default_environment(), **PLATFORMS[platform], **versions, "extra": ""}

    assert missing(wanted, pins(lock, environment), environment) == set()


def test_the_image_has_the_versions_that_are_tested():
    environment = {**default_environment(), "extra": ""}

    assert pins(RUNTIME, environment).items() <= pins(MAIN, environment).items()


def test_a_hole_is_seen_also_behind_an_extra():
    environment = {**default_environment(), "extra": ""}
    pinned = pins(MAIN, environment)
    without = {name: version for name, version in pinned.items() if name != "psycopg-binary"}

    assert any("psycopg-binary" in one for one in missing(["geoscout[dev]"], without, environment))
    assert missing(["geoscout[dev]"], pinned | {"anyio": "3.0"}, environment) >= {"anyio>=4"}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_pins_one_version_with_hashes_and_names_no_index(lock):
    entries = re.split(r"^(?=\S)", lock.read_text(), flags=re.MULTILINE)[1:]

    assert [e for e in entries if not re.match(r"[\w.-]+==[\w.]+[ \\]", e)] == []
    assert [e for e in entries if "--hash=sha256:" not in e] == []


# --- nothing is installed by name without a pin

INSTALLS = re.compile(
    r"(?<![\w-])(?:pip3? (?:install|download|wheel)|pipx (?:install|inject|run)|npm install"
    r"|uv tool (?:install|run)|uvx|npx)(?=\s)([^`;&|#()<>\n]*)"
)
TAKE_A_VALUE = {"-r", "-c", "-w", "-e", "-d", "--find-links", "--progress-bar", "--prefix"}
TAKE_A_VALUE |= {"--python", "--target", "@"}
# `make lock` asks for the newest releases, and `make fresh` tries today's pip: that is their task.
UNPINNED = {("Makefile", "uv"), ("tools/fresh.py", "*PIPS[pip")}


def texts() -> Iterator[tuple[str, str]]:
    """What installs something or tells a reader to, with lines that go on put together."""
    rooms = (".ci/", ".github/", "tools/", "deploy/", "benchmarks/", "Makefile")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        path = PROJECT / name
        is_program = name.startswith(rooms) and path.suffix in ("", ".py", ".sh", ".yml", ".yaml")
        if path.exists() and (is_program or path.suffix == ".md") and name != "CHANGELOG.md":
            text = path.read_text(encoding="utf-8")
            yield name, text.replace("\\\n", " ").replace('", "', " ")


def unpinned(words: str) -> list[str]:
    """The packages that an installer is told to take from an index in the version it likes."""
    found, is_value = [], False
    own = re.split(r"\]+,|\"\]", words)[0]  # until the end of a list of words in Python
    for word in re.findall(r"[^\s'\"…,]+", own):
        is_package = not (is_value or word.startswith(("-", "@")) or word.isdigit())
        is_value = word in TAKE_A_VALUE
        if is_package and not re.match(r"[./$\[]|geoscout\b|.*(==|\w@)|.*\.whl$", word):
            found.append(word)
    return found


def test_only_what_is_pinned_is_installed():
    found = {
        (name, package)
        for name, text in texts()
        for words in INSTALLS.findall(text)
        for package in unpinned(words)
    }

    assert found == UNPINNED


def test_a_lock_is_never_resolved():
    lines = [line for _, text in texts() for line in text.splitlines()]
    installing = [line for line in lines if re.search(r" -r \S*lock", line)]

    assert len(installing) >= 3
    assert [line for line in installing if "--require-hashes" not in line] == []
    assert [
        words
        for line in installing
        for words in INSTALLS.findall(line)
        if " -r " in words and "--no-deps" not in words
    ] == []


# --- what installs a lock, tried with packages of our own

BACKEND = """
import shutil
def build_editable(folder, settings=None, metadata=None):
    return shutil.copy("../index/project-1-py3-none-any.whl", folder).rpartition("/")[2]
"""


def make_wheel(folder: Path, name: str, version: str, *more: str) -> str:
    """Writes a wheel without code; gives its line in a lock."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    about = "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *more, ""])
    tags = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    with zipfile.ZipFile(path, "w") as wheel:
        for file, text in {"METADATA": about, "WHEEL": tags, "RECORD": ""}.items():
            wheel.writestr(f"{name}-{version}.dist-info/{file}", text)
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def project(tmp_path):
    """A project whose lock was made before `dep` had its release 2."""
    index, folder = tmp_path / "index", tmp_path / "project"
    index.mkdir()
    folder.mkdir()
    extra = ("Provides-Extra: fast", 'Requires-Dist: more; extra == "fast"')
    lock = make_wheel(index, "app", "1", "Requires-Dist: dep[fast]>=1")
    lock += make_wheel(index, "dep", "1", *extra) + make_wheel(index, "more", "1")
    make_wheel(index, "dep", "2", *extra)
    make_wheel(index, "project", "1")
    (folder / "requirements.lock").write_text(lock)
    (folder / "backend.py").write_text(BACKEND)
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    )
    return folder


def call(project: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command there, with no index but ours, no settings of pip, and no uv."""
    programs = project.parent / "programs"
    programs.mkdir(exist_ok=True)
    for name in ("sh", "grep", "tail"):
        if not (programs / name).exists():
            (programs / name).symlink_to(str(shutil.which(name)))
    environment = {"PATH": str(programs), "SYSTEM_PYTHON": sys.executable, "PIP_NO_INDEX": "1"}
    environment |= {"PIP_FIND_LINKS": str(project.parent / "index"), "PIP_CONFIG_FILE": os.devnull}
    return subprocess.run(
        command, cwd=project, env=environment | more, capture_output=True, text=True, check=False
    )


INSTALL = ("sh", str(PROJECT / "tools/install.sh"), "env")


@pytest.mark.slow
def test_a_release_that_came_after_the_lock_breaks_nothing(project):
    call(project, sys.executable, "-m", "venv", "env")
    call_it_old(project / "env")
    resolved = ["env/bin/pip", "install", "--require-hashes", "-r", "requirements.lock"]

    before = call(project, *resolved)
    after = call(project, *INSTALL)

    assert before.returncode == 1
    assert re.search("hash.*dep", before.stderr, re.DOTALL)
    assert after.returncode == 0, after.stderr
    listed = call(project, "env/bin/pip", "list", "--format=freeze").stdout.split()
    # pip is what it was as well.
    assert {"app==1", "dep==1", "more==1", "project==1", "pip==1"} <= set(listed)


def call_it_old(environment: Path) -> None:
    """Let pip look older than the one that Python brings."""
    (about,) = environment.glob("lib/*/site-packages/pip-*.dist-info")
    text = re.sub(
        "^Version: .*", "Version: 1", (about / "METADATA").read_text(), flags=re.MULTILINE
    )
    (about / "METADATA").write_text(text)
    about.rename(about.with_name("pip-1.dist-info"))


@pytest.mark.slow
def test_a_file_that_is_not_the_pinned_one_is_refused(project):
    lock = project / "requirements.lock"
    lock.write_text(re.sub("sha256:.{8}", "sha256:00000000", lock.read_text(), count=1))

    done = call(project, *INSTALL)

    assert done.returncode == 1
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert "all that pip said is in env/install.log" in done.stderr


def old_python(path: Path) -> Path:
    """A Python that calls itself too old, whatever it is asked."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("old", "told"),
    [
        ("python3.9", "geoscout needs Python 3.11 or newer"),
        ("env/bin/python", "remove it (rm -r env)"),
    ],
)
def test_an_old_python_and_its_environment_are_refused_in_one_line(project, old, told):
    path = old_python(project / old)
    if old.startswith("env"):
        (project / "env/pyvenv.cfg").touch()
        path = Path(sys.executable)
    before = sorted(project.rglob("*"))

    done = call(project, *INSTALL, SYSTEM_PYTHON=str(path))

    assert (done.returncode, done.stderr.count("\n"), told in done.stderr) == (2, 1, True)
    assert sorted(project.rglob("*")) == before
