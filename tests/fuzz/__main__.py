"""Drives the targets: `python -m tests.fuzz --help`."""

import argparse
import gc
import importlib
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from tests.fuzz.growth import inputs, slow_input
from tests.fuzz.targets import TARGETS, Target

_MOST_WORDS = 1500  # of a dictionary; libFuzzer is slow with more
_TOGETHER = 300  # examples between two looks at the clock


def main() -> int:
    """Run the targets for a while; 1 if something was found."""
    parser = argparse.ArgumentParser(description="Fuzz the parsers of hostile bytes.")
    parser.add_argument("--only", default="", help="targets, with commas between")
    parser.add_argument("--minutes", type=float, default=1.0, help="for each target (default: 1)")
    parser.add_argument("--seed", type=int, help="of all chance (default: a new one)")
    parser.add_argument("--growth", action="store_true", help="only look for slow inputs")
    parser.add_argument("--atheris", metavar="TARGET", help="one target with atheris, by coverage")
    words, rest = parser.parse_known_args()
    if words.atheris:
        _atheris(words.atheris, [sys.argv[0], *rest])
    seed = int(time.time()) % 100_000 if words.seed is None else words.seed
    print(f"seed {seed}, repeat with --seed {seed}", flush=True)
    wanted = [t for t in TARGETS if not words.only or t.name in words.only.split(",")]
    found = [one for target in wanted for one in _fuzz(target, seed, words)]
    print(f"{len(found)} found in {len(wanted)} targets")
    return int(bool(found))


def _fuzz(target: Target, seed: int, words: argparse.Namespace) -> list[str]:
    found = [] if words.growth else examples(target, seed, 60 * words.minutes)
    found += growth(target, seed, 60 * words.minutes) if target.grows_to else []
    print(f"{target.name}: {len(found)} found", flush=True)
    for one in found:
        print(f"  {one}", flush=True)
    return found


def examples(target: Target, seed: int, seconds: float) -> list[str]:
    """Inputs of words and bytes that break something, made small."""
    end, turn = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        failing = failure_of(target, seed + 1000 * turn, _TOGETHER)
        if failing is not None:
            return [failing]
        turn += 1
    return []


def failure_of(target: Target, seed: int, count: int) -> str | None:
    """The smallest of some inputs on which a target fails, with its error; None if none does."""
    last: list[bytes] = []
    piece = st.sampled_from(target.words) | st.binary(max_size=6)

    @seeded(seed)
    @settings(
        max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink), report_multiple_bugs=False,
    )  # fmt: skip
    @given(st.lists(piece, max_size=80).map(b"".join))
    def run(data: bytes) -> None:
        last[:] = [data]
        target.run(data)

    return _error_of(run, target, last)


def _error_of(run: Callable[[], None], target: Target, last: list[bytes]) -> str | None:
    try:
        run()
    except Exception as error:  # whatever a parser may raise is what we look for
        return f"{type(error).__name__}: {error}; keep ({target.name!r}, {last[0]!r})"
    return None


def growth(target: Target, seed: int, seconds: float) -> list[str]:
    """Inputs whose time grows faster than their size."""
    end, chance = time.monotonic() + seconds, random.Random(seed)
    for made in inputs(target, chance):
        if time.monotonic() > end:
            return []
        slow = slow_input(target, made)
        if slow is not None:
            return [str(slow)]
    return []


def _atheris(name: str, arguments: list[str]) -> None:
    """Run one target for ever, or as its options say (`-max_total_time=60`)."""
    atheris = importlib.import_module("atheris")  # optional: few systems have it
    (target,) = (one for one in TARGETS if one.name == name)
    target.run(b"")  # what is loaded once is loaded
    for function in _ours():  # instrumenting all that Python has takes minutes
        atheris.instrument_func(function)
    atheris.Setup([*arguments, f"-dict={_dictionary(target)}"], target.run)
    atheris.Fuzz()


def _ours() -> list[FunctionType]:
    """The functions of geoscout that are loaded."""
    functions = (one for one in gc.get_objects() if isinstance(one, FunctionType))
    return [one for one in functions if (one.__module__ or "").startswith("geoscout.")]


def _dictionary(target: Target) -> Path:
    """The words of a target, as libFuzzer reads them."""
    file = Path(tempfile.mkdtemp(prefix="geoscout-fuzz-")) / "words"
    lines = ("".join(f"\\x{byte:02x}" for byte in word) for word in target.words[:_MOST_WORDS])
    file.write_text("".join(f'"{line}"\n' for line in lines), encoding="ascii")
    return file


if __name__ == "__main__":
    sys.exit(main())
