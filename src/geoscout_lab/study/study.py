"""What is compared with what, and which file each finished run goes to.

A run is finished when its file exists. The name has a digest of everything the run depends on,
also the code of strategies and simulation. So an interrupted study continues, strategies can be
added to a study, and nothing out of date is taken for a result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path

from geoscout_lab.code_digest import code_digest
from geoscout_lab.study.figures import ONE_STEP, ORACLE
from geoscout_lab.worlds.units import Unit
from geoscout_places.errors import UsageError

RUNS = "runs"  # the folder of finished runs
# What results depend on; the gazetteer is not among it, and should not change within a study.
_CODE = (
    "geoscout/collaborate",
    "geoscout/crawling/requests.py",
    "geoscout/strategy",
    "geoscout_lab",
    "geoscout_places/language",
    "geoscout_places/toponyms",
)
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Study:
    """Strategies, the webs they run on, and how far."""

    units: tuple[Unit, ...]
    strategies: tuple[str, ...]
    budget: str  # visits, or a share of the pages that can be reached: "10%"
    repeats: int = 1  # with other random seeds
    experiment: str = ""
    first_come: bool = False
    # Of the code when the study began: a worker that starts later may find the code changed.
    code: str = field(default_factory=lambda: code_digest(*_CODE))

    @property
    def baseline(self) -> str:
        """The strategy that the others are compared with: breadth first, or else the first one."""
        return "breadth" if "breadth" in self.strategies else self.strategies[0]

    def jobs(self) -> Iterator[Job]:
        """Every run, unit by unit; those of a random seed together, as they share training."""
        for unit in self.units:
            for repeat in range(self.repeats):
                for strategy in self.strategies:
                    yield Job(unit, strategy, repeat)
            if not self.experiment_runs_itself:
                yield Job(unit, ORACLE, 0)
                yield Job(unit, ONE_STEP, 0)

    @property
    def experiment_runs_itself(self) -> bool:
        """Whether its runs are not plain crawls, so that the oracles would mean nothing."""
        from geoscout_lab.experiments import load_experiment  # noqa: PLC0415 - it imports us

        return bool(self.experiment) and load_experiment(self.experiment).run is not None

    def file(self, job: Job, folder: Path) -> Path:
        """Where a run is kept."""
        told = {
            "unit": asdict(job.unit),
            "strategy": job.strategy,
            "repeat": job.repeat,
            "budget": self.budget,
            "experiment": self.experiment if self.experiment_runs_itself else "",
            "first_come": self.first_come,
            "code": self.code,
        }
        key = blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=8).hexdigest()
        name = re.sub(r"[^\w.=]+", "-", f"{job.unit.web}-{job.strategy}")[:_LONGEST_NAME]
        return folder / RUNS / f"{name}-{job.repeat}-{key}.json"


@dataclass(frozen=True, slots=True)
class Job:
    """One strategy, or an oracle, on one unit."""

    unit: Unit
    strategy: str
    repeat: int


def read_budget(text: str, reachable: int) -> int:
    """The visits a budget allows.

    >>> read_budget("10%", 5000), read_budget("300", 5000)
    (500, 300)

    Raises:
        UsageError: it is neither a number of visits nor a share.
    """
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(%?)", text.strip().replace("_", ""))
    if not found or not float(found[1]) or (not found[2] and "." in found[1]):
        raise UsageError(f"a budget is a number of visits or a share such as 10%, not {text!r}")
    if not found[2]:
        return int(found[1])
    return max(1, round(float(found[1]) / 100 * reachable))
