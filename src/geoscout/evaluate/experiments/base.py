"""What a published experiment consists of, and how it is found."""

from __future__ import annotations

import pkgutil
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from typing import Any

from geoscout.errors import UsageError
from geoscout.evaluate.simulate import Plan
from geoscout.evaluate.world import World
from geoscout.strategy import Aim

_PACKAGE = "geoscout.evaluate.experiments"
_NOT_EXPERIMENTS = {"base"}

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
class Task:
    """One strategy in one world."""

    world: World
    strategy: str  # as given in --strategies
    plan: Plan
    aim: Aim  # the region, a gazetteer, and chance from the plan's random seed


@dataclass(frozen=True, slots=True)
class Experiment:
    """A published experiment as `geoscout compare --experiment` repeats it."""

    name: str
    title: str
    source: str  # who published it, and where
    profile: str  # of the synthetic web, and how much of it where the user does not say
    pages: int
    webs: int
    budget: str
    strategies: tuple[str, ...]
    tables: Callable[[Sequence[Run]], Sequence[Table]]  # ours beside theirs
    # Does one strategy in one world and returns further keys for its run; None: a simulated crawl
    # of the strategy of that name. It must be a function of a module: it goes to other processes.
    run: Callable[[Task], Mapping[str, Any]] | None = None
    # Of runs of its own, what the table in the terminal shows, with the titles.
    figures: Mapping[str, str] = field(default_factory=dict)
    published_ends: Mapping[str, float] | None = None  # harvest by name, drawn beside the curves


def experiment_names() -> tuple[str, ...]:
    """Every experiment there is."""
    package = import_module(_PACKAGE)
    found = [module.name for module in pkgutil.iter_modules(package.__path__)]
    return tuple(sorted(name for name in found if name not in _NOT_EXPERIMENTS and _is_one(name)))


def load_experiment(name: str) -> Experiment:
    """The experiment of a name.

    Raises:
        UsageError: there is none.
    """
    if name not in experiment_names():
        known = ", ".join(experiment_names())
        raise UsageError(f"no experiment is called {name!r}; there are: {known}")
    experiment: Experiment = import_module(f"{_PACKAGE}.{name}").EXPERIMENT
    return experiment


def published(name: str) -> Mapping[str, Any]:
    """What a paper printed, from the table beside its experiment."""
    return tomllib.loads(files(_PACKAGE).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def _is_one(name: str) -> bool:
    return hasattr(import_module(f"{_PACKAGE}.{name}"), "EXPERIMENT")
