"""Tries the two commands of the README as on a machine that has nothing yet: `make fresh`.

What is committed is cloned into an empty folder. Home and caches are empty, and PATH has no uv and,
in half of the variants, no compiler. Of the machine only pip's configuration stays, because it may
be the only way to packages. Each variant prints how long it took; the first that fails leaves its
folder, with a log of each command, behind.

    python3 tools/fresh.py [--only oldest,bare] [--run demo,test] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

# What the first release of each Python brings; today's is what the index has.
OLDEST_PIP = {11: "22.3", 12: "23.2.1", 13: "24.2", 14: "25.2"}[min(sys.version_info.minor, 14)]
PIPS = {"oldest-pip": [f"pip=={OLDEST_PIP}"], "newest-pip": ["--upgrade", "pip"]}
VARIANTS = [f"{pip}+{tools}" for pip in PIPS for tools in ("compiler", "bare")]
COMPILERS = re.compile(r"(.*-)?(cc|gcc|c\+\+|g\+\+|clang|clang\+\+|tcc|c89|c99)(-[\d.]+)?")
PASSED_ON = re.compile(r"(?i)PIP_.*|LANG|LC_.*|SSL_CERT_.*|REQUESTS_CA_BUNDLE|(https?|no)_proxy")


class FailureError(Exception):
    """A command did not do what the README promises."""


def main() -> int:
    """Run the chosen variants one after the other; 1 when one fails."""
    arguments = _arguments()
    chosen = [v for v in VARIANTS if any(word in v for word in arguments.only.split(","))]
    print(f"{'variant':<22} {'pip':<8} {'what':<28} {'time':>6} processor", flush=True)
    for variant in chosen:
        folder = (
            arguments.folder.resolve()
            if arguments.folder
            else Path(tempfile.mkdtemp(prefix="geoscout-fresh-"))
        )
        try:
            _try(variant, folder / variant, arguments.run.split(","))
        except FailureError as error:
            print(f"{variant}: {error}; see {folder / variant}", file=sys.stderr)
            return 1
        if not arguments.folder:
            shutil.rmtree(folder)
    return 0 if chosen else 2


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help=f"parts of names of: {', '.join(VARIANTS)}")
    parser.add_argument(
        "--run", default="demo,test", help="targets of make, or files of tests (default: demo,test)"
    )
    parser.add_argument("--folder", type=Path, help="where to work, and to leave everything")
    return parser.parse_args()


def _try(variant: str, folder: Path, commands: list[str]) -> None:
    pip, tools = variant.split("+")
    (folder / "home").mkdir(parents=True)
    clone = folder / "geoscout"
    environment = {
        **{name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)},
        "HOME": str(folder / "home"),
        "PATH": str(_programs(folder / "bin", without_compiler=tools == "bare")),
    }
    own = Path.home() / ".config/pip/pip.conf"
    if own.exists():
        environment.setdefault("PIP_CONFIG_FILE", str(own))
    project = str(Path(__file__).parent.parent)
    _call(["git", "clone", "-q", project, str(clone)], folder, environment)
    _call(["python3", "-m", "venv", ".venv"], clone, environment)
    _call([".venv/bin/pip", "install", "-q", *PIPS[pip]], clone, environment)
    version = _call([".venv/bin/pip", "--version"], clone, environment).split()[1]
    for command in commands:
        started, used = time.time(), _processor_seconds()
        _run(command, clone, environment, folder / f"{Path(command).name}.log")
        took, used = time.time() - started, _processor_seconds() - used
        print(f"{variant:<22} {version:<8} {command:<28} {took:4.0f} s {used:7.0f} s", flush=True)
        installed = (clone / ".venv/.installed").stat().st_mtime - started
        if installed > 0:
            print(f"{variant:<22} {version:<8} {'  of it, set-up':<28} {installed:4.0f} s")


def _processor_seconds() -> float:
    """Of all that was run so far; it says more than time on a busy machine."""
    times = os.times()
    return times.children_user + times.children_system


def _programs(folder: Path, *, without_compiler: bool) -> Path:
    """A folder with links to all programs of the machine but those that a user may not have."""
    folder.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for program in Path(place).glob("*"):
            missing = program.name in ("uv", "uvx") or (
                without_compiler and COMPILERS.fullmatch(program.name)
            )
            if not missing and not (folder / program.name).is_symlink():
                (folder / program.name).symlink_to(program)
    python = folder / "python3"  # not a link, because Python looks for its library next to itself
    python.unlink(missing_ok=True)
    python.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).resolve()}" "$@"\n')
    python.chmod(0o755)
    return folder


def _call(command: list[str], folder: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise FailureError(f"{' '.join(command)} failed: {done.stderr or done.stdout}")
    return done.stdout


def _run(command: str, clone: Path, environment: dict[str, str], log: Path) -> None:
    """Run a target of make, or a file of tests. The demo ends when its page has answered."""
    words = [".venv/bin/pytest", "-q"] if command.startswith("tests/") else ["make"]
    with (
        log.open("w", buffering=1) as kept,
        subprocess.Popen(
            [*words, command],
            cwd=clone,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        has_answered = False
        for line in process.stdout or ():
            kept.write(line)
            found = re.search(r"http://127\.0\.0\.1:\d+/", line)
            if command == "demo" and found and not has_answered:
                with urllib.request.urlopen(found[0]) as answer:
                    has_answered = b"<html" in answer.read()
                os.killpg(process.pid, signal.SIGINT)
    if not has_answered if command == "demo" else process.returncode:
        raise FailureError(f"{command} failed, its log is {log}")


if __name__ == "__main__":
    sys.exit(main())
