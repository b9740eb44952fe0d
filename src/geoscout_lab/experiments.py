"""What a published experiment consists of, and how it is found.

Results are named by a digest of the code they depend on: what other code has read or measured must
not be taken for a result of this code, and a version number is easily forgotten. The code is read
when a process first asks, so what a long study writes is named by the code it began with.
"""

import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from statistics import fmean
from typing import Any

from geoscout.settings import Settings
from geoscout.strategy import StrategyAim
from geoscout_lab.measures.harvest import ratio_interval
from geoscout_lab.simulation.simulate import SimulationPlan
from geoscout_lab.worlds.truth import World
from geoscout_places.errors import UsageError

EXPERIMENTS = ("ahlers2009", "gao2006", "kozanidis2009")  # each has a folder next to this module

Run = Mapping[str, Any]  # one run as `results.json` has it
Cell = str | float | int | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the report; numbers are shown with a fitting count of digits, None as a dash."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class ExperimentTask:
    """One strategy in one world."""

    world: World
    strategy: str  # as given in --strategies
    plan: SimulationPlan
    aim: StrategyAim  # the region, a gazetteer, and chance from the plan's random seed
    settings: Settings = field(default_factory=Settings)  # for runs that start processes


@dataclass(frozen=True, slots=True)
class Experiment:
    """A published experiment as `geoscout compare --experiment` repeats it."""

    name: str
    title: str
    source: str  # who published it, and where
    # How it is run if the user does not say otherwise; `profile` is that of the synthetic web.
    profile: str
    pages: int
    webs: int
    budget: str
    strategies: tuple[str, ...]
    tables: Callable[[Sequence[Run]], Sequence[Table]]  # ours next to theirs
    # Does one strategy in one world and returns further keys for its run; None: a simulated crawl
    # of the strategy of that name. It must be a function of a module: it goes to other processes.
    run: Callable[[ExperimentTask], Mapping[str, Any]] | None = None
    # For runs of its own: the figures that the table in the terminal shows, with their titles.
    figures: Mapping[str, str] = field(default_factory=dict)
    published_ends: Mapping[str, float] | None = None  # harvest by name, drawn with the curves
    repeats: int = 1  # random seeds for each web
    country: str = ""  # of the region, if links are filtered by it, by file type, and for traps


def load_experiment(name: str) -> Experiment:
    """The experiment of a name."""
    if name not in EXPERIMENTS:
        raise UsageError(f"no experiment is called {name!r}; there are: {', '.join(EXPERIMENTS)}")
    experiment: Experiment = import_module(f"geoscout_lab.{name}.experiment").create()
    return experiment


def number(value: float | None) -> str:
    """A number with three digits that count.

    >>> [number(value) for value in (0.03912, 1234, 12.345, 2e-5, None, float("nan"))]
    ['0.0391', '1,234', '12.3', '0.00002', '–', '–']
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if math.isinf(value):
        return "∞"
    if value == 0 or abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if digits > 3 else f"{value:.{digits}f}"


def interval_text(above: Sequence[float], below: Sequence[float] = ()) -> str:
    """A mean over webs, or the ratio of two, with its interval.

    >>> interval_text([2.0, 4.0, 3.0, 3.0]), interval_text([2.0]), interval_text([1.0], [4.0])
    ('3.00 (2.25–3.75)', '2.00', '0.250')
    """
    if not above:
        return number(None)
    middle = fmean(above) / fmean(below) if below else fmean(above)
    if len(above) < 2 or not middle:
        return number(middle)
    low, high = ratio_interval(above, below)
    return f"{number(middle)} ({number(low)}–{number(high)})"


def published(name: str) -> Mapping[str, Any]:
    """The published numbers of a paper, from the table in its folder."""
    table = files(f"geoscout_lab.{name}").joinpath("published.toml")
    return tomllib.loads(table.read_text(encoding="utf-8"))


_SUFFIXES = {".py", ".toml", ".tsv", ".xz"}


@cache
def code_digest(*parts: str) -> str:
    """The digest of folders and files, given by their paths where geoscout is installed.

    Raises:
        FileNotFoundError: a part is not there; a digest without it would hide its changes.
    """
    packages = Path(str(files("geoscout"))).parent
    digest = blake2b(digest_size=8)
    for part in parts:
        for file in _files(packages / part):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if not path.exists():
        raise FileNotFoundError(path)
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    return (file for file in found if file.suffix in _SUFFIXES)
