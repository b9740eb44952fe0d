"""Runs scenarios one after the other, and prints which promises they found kept."""

import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.faults.arena import NAMESPACE, Arena, BrokenPromiseError, NotHereError, Scenario
from tests.faults.network import NameServer

HELD, BROKEN, NOT_RUN = "held", "BROKEN", "not run"
_MOST_TIMES_USUAL = 4  # longer than this a scenario hangs
_LEAST_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a scenario."""

    scenario: Scenario
    verdict: str
    seen: str
    seconds: float
    processor: float = 0.0  # seconds, of all that has ended


@dataclass(frozen=True, slots=True)
class Campaign:
    """How scenarios are run."""

    seed: int
    minutes: float
    keeps: bool = False  # the folders of promises that are broken
    names: NameServer | None = None

    def run(self, scenarios: Sequence[Scenario]) -> list[Result]:
        """Run them in turn; those for which there is no time left are not run."""
        end = time.monotonic() + 60 * self.minutes
        results = []
        for one in scenarios:
            left = end - time.monotonic()
            result = self._run(one, left)
            results.append(result)
            times = f"{result.seconds:6.1f} s  {result.processor:6.1f} of a processor"
            figures = f"{result.verdict:8} {times}  {one.family}.{one.name}"
            print(f"{figures}: {result.seen}", file=sys.stderr, flush=True)
        return results

    def _run(self, one: Scenario, left: float) -> Result:
        if left < one.seconds * busy():
            return Result(one, NOT_RUN, "no time was left", 0.0)
        if NAMESPACE in one.needs and self.names is None:
            return Result(one, NOT_RUN, f"it needs {NAMESPACE}", 0.0)
        begin, before = time.monotonic(), sum(os.times()[:4])
        verdict, seen = self._try(one, left)
        processor = sum(os.times()[:4]) - before
        return Result(one, verdict, seen, time.monotonic() - begin, processor)

    def _try(self, one: Scenario, left: float) -> tuple[str, str]:
        folder = Path(tempfile.mkdtemp(prefix=f"geoscout-faults-{one.name}-"))
        chance = random.Random(f"{self.seed} {one.name}")
        arena = Arena(folder, chance, self.names, busy())
        try:
            usual = one.seconds * arena.slower
            with _limited(min(left, max(_LEAST_PATIENCE, usual * _MOST_TIMES_USUAL))):
                verdict = HELD, one.run(arena)
        except NotHereError as error:
            verdict = NOT_RUN, str(error)
        except BrokenPromiseError as error:
            verdict = BROKEN, str(error)
        except Exception as error:  # a scenario that fails has not shown that a promise is kept
            traceback.print_exc()
            verdict = BROKEN, f"the scenario failed: {type(error).__name__}: {error}"
        finally:
            arena.end()
        if verdict[0] != BROKEN or not self.keeps:
            shutil.rmtree(folder, ignore_errors=True)
        return verdict


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def give_up(*_: object) -> None:
        raise BrokenPromiseError(f"it took longer than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 1.0))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def busy() -> float:
    """How much longer than on an idle machine things take now, roughly."""
    return min(max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)), 4.0)


def table(results: Sequence[Result]) -> str:
    """The results as a table in Markdown."""
    lines = ["| promise | what was done | result | seen |", "|---|---|---|---|"]
    for result in results:
        cells = (result.scenario.promise, result.scenario.does, result.verdict, result.seen)
        lines.append(
            "| " + " | ".join(" ".join(cell.split()).replace("|", "/") for cell in cells) + " |"
        )
    counts = [f"{sum(r.verdict == v for r in results)} {v}" for v in (HELD, BROKEN, NOT_RUN)]
    minutes = sum(result.processor for result in results) / 60
    return "\n".join([*lines, "", f"{', '.join(counts)}; {minutes:.1f} minutes of a processor"])


_SUMMARY = re.compile(r"(<!-- campaign -->\n).*?(<!-- end -->)", re.DOTALL)


def summary(results: Sequence[Result]) -> str:
    """A line for each promise: what tried it, and what came of it."""
    by_promise: dict[str, list[Result]] = {}
    for result in results:
        by_promise.setdefault(result.scenario.promise, []).append(result)
    lines = ["| promise | scenarios | result |", "|---|---|---|"]
    for promise, tried in by_promise.items():
        worst = min((r.verdict for r in tried), key=(BROKEN, NOT_RUN, HELD).index)
        names = ", ".join(f"`{r.scenario.name}`" for r in tried)
        lines.append(f"| {promise} | {names} | {worst} |")
    return "\n".join(lines)


def write_summary(page: Path, told: str, results: Sequence[Result]) -> None:
    """Put it into a page, in place of the last one."""
    text = page.read_text(encoding="utf-8")
    made = f"{told}\n\n{summary(results)}\n"
    page.write_text(_SUMMARY.sub(lambda at: f"{at[1]}{made}{at[2]}", text), encoding="utf-8")
