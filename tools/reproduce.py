"""Repeats the three published experiments from nothing, and says what differs: `make reproduce`.

    python -m tools.reproduce [--size night] [--only NAME ...] [--out DIR] [--accept]

Every run (a strategy on a web) is compared with the committed one, figure by figure, and the exit
status is 1 where one differs. The short size is a part of the runs of the night, on the same webs,
so both are compared with the same file. `--accept` keeps what was computed in `RAW/NAME.json.xz`:
every run, and the commit, versions, webs and processor time that made it. The tables in
docs/results come from there alone (`tools/experiment_tables.py`). An interrupted night goes on
where it was. `--skip N` leaves out the first webs of a part; what is committed of them is kept.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import platform
import resource
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from geoscout.machine import processor_count
from geoscout.settings import Settings, load_settings
from geoscout_lab.commands.compare_run import conduct
from geoscout_lab.experiments import Run, load_experiment
from geoscout_lab.gao2006.streets import WAYS
from geoscout_lab.study.study import Study
from geoscout_lab.worlds.synthetic.profile import numbers_of
from geoscout_lab.worlds.truth import SyntheticUnit
from geoscout_places.gazetteer import open_gazetteer

PROJECT = Path(__file__).parent.parent
RAW = PROJECT / "docs/results/raw"
_DIGITS = 12  # that count; another machine may add in another order
_NEARLY = 1e-9
_OF_THE_MACHINE = {
    "cpu_milliseconds_per_visit",
    "cpu_seconds",
    "finished_at",
    "peak_megabytes",
}
_DRAWN_ONLY = {"upper_bound_curve"}  # in the report of a fresh run
_MOST_SHOWN = 20
_SPENT = "processor_seconds"  # a file
_PACKAGES = ("numpy", "scipy", "lxml", "geoscout")

Key = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A study that is repeated; what it does not say is as in its experiment."""

    name: str
    experiment: str
    first_web: int
    webs: int
    short: int = 0  # webs of the short size
    profiles: tuple[str, ...] = ()
    pages: int = 0
    budget: str = ""
    strategies: tuple[str, ...] = ()
    repeats: int = 1

    def study(self, webs: int, skipped: int = 0) -> Study:
        """What is run on so many webs of each profile, without the first ones."""
        paper = load_experiment(self.experiment)
        units = (
            SyntheticUnit(profile, self.pages or paper.pages, seed)
            for profile in self.profiles or (paper.profile,)
            for seed in range(self.first_web + skipped, self.first_web + webs)
        )
        names = self.strategies or paper.strategies
        budget = self.budget or paper.budget
        return Study(tuple(units), names, budget, self.repeats, self.experiment)


_SEEDS = ("seeds=5", "seeds=80", "seeds_elsewhere=0.5", "seeds_elsewhere=1", "popular_seeds=1")
_SIX = ("hash", "url", "anchor", "content", "classifier", "ip")


_NOT_FITTED = {"pages", "seeds"}


def fitted_numbers() -> dict[str, float]:
    """The numbers of the profile made for Gao that are not those of the one that was not."""
    others = numbers_of("usa2006")
    return {
        name: value
        for name, value in numbers_of("gao2006").items()
        if value != others.get(name) and not isinstance(value, bool) and name not in _NOT_FITTED
    }


def _changed(profile: str, share: float) -> Iterator[str]:
    """The profile, then with each number that was fitted less and more by that share."""
    yield profile
    for name, value in fitted_numbers().items():
        for factor in (1 - share, 1 + share):
            changed = min(value * factor, 1.0) if value <= 1 else value * factor
            yield f"{profile}:{name}={round(changed, 6):g}"


_ADAPTIVE = "adaptive:depth=3:training_pages=30000:counted=no:smoothing=laplace"
# Webs from 801 on were never looked at while profiles and strategies were made.
PARTS = (
    Part(
        "gao2006",
        "gao2006",
        801,
        20,
        short=2,
        strategies=(*_SIX, "ip:server=target"),
    ),
    Part("gao2006-control", "gao2006", 801, 10, profiles=("usa2006",), strategies=_SIX),
    Part(
        "gao2006-sensitivity",
        "gao2006",
        801,
        3,
        profiles=tuple(_changed("gao2006", 0.25)),
        pages=20_000,
        budget="1000",
        strategies=_SIX,
    ),
    Part(
        "gao2006-streets",
        "gao2006",
        801,
        5,
        profiles=("gao2006:false_addresses=0.005", "gao2006:false_addresses=0.1"),
        pages=40_000,
        budget="2000",
        strategies=tuple(
            f"{name}:{way}".rstrip(":") for name in ("hash", "url", "content") for way in WAYS
        ),
    ),
    Part(
        "gao2006-order",
        "gao2006",
        801,
        5,
        strategies=tuple(
            f"{name}{order}"
            for name in ("hash", "url", "content")
            for order in ("", ":order=inlinks+every=500", ":order=inlinks+by=scope+every=500")
        ),
    ),
    Part(
        "gao2006-policies",
        "gao2006",
        801,
        5,
        pages=60_000,
        budget="3000",
        strategies=tuple(f"{name}{policy}" for name in _SIX[1:5] for policy in ("", ":policy=B")),
    ),
    Part("kozanidis2009", "kozanidis2009", 801, 10, short=1),
    Part("kozanidis2009-sparse", "kozanidis2009", 801, 10, profiles=("usa2006",)),
    Part(
        "kozanidis2009-large",
        "kozanidis2009",
        801,
        3,
        pages=100_000,
        strategies=("rank:gazetteer=geowordnet", "rank:gazetteer=geowordnet:order=fifo", "breadth"),
    ),
    Part("ahlers2009", "ahlers2009", 801, 20, short=1),
    Part(
        "ahlers2009-depth",
        "ahlers2009",
        801,
        40,
        strategies=tuple(_ADAPTIVE.replace("depth=3", f"depth={n}") for n in (1, 2, 3)),
    ),
    Part(
        "ahlers2009-large",
        "ahlers2009",
        801,
        3,
        pages=400_000,
        budget="20000",
        strategies=("breadth", "distance", _ADAPTIVE, _ADAPTIVE.replace("30000", "100000")),
    ),
    Part(
        "ahlers2009-classifiers",
        "ahlers2009",
        801,
        5,
        strategies=tuple(
            f"adaptive:depth=3:training_pages=10000:counted=no{classifier}"
            for classifier in (
                ":smoothing=laplace",
                "",
                ":model=multinomial",
                ":model=centroid",
                ":model=logistic",
            )
        ),
    ),
    Part(
        "ahlers2009-seeds",
        "ahlers2009",
        801,
        5,
        profiles=("ahlers2009", *(f"ahlers2009:{seeds}" for seeds in _SEEDS)),
        strategies=("breadth", "distance", _ADAPTIVE.replace("30000", "3000")),
    ),
)


def main() -> int:
    """Run what is asked for, and compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", choices=("short", "night"), default="short")
    parser.add_argument("--only", nargs="+", choices=[part.name for part in PARTS], metavar="NAME")
    parser.add_argument("--out", type=Path, default=PROJECT / ".cache/reproduce")
    parser.add_argument("--workers", type=int, default=processor_count())
    parser.add_argument("--webs", type=int, default=100, help="of each part, at the most")
    parser.add_argument("--skip", type=int, default=0, help="the first webs of each part")
    parser.add_argument("--accept", action="store_true", help="keep what was computed")
    arguments = parser.parse_args()
    if arguments.accept and arguments.size == "short":
        parser.error("--accept needs --size night")
    settings = replace(load_settings(), workers=arguments.workers)
    differences: list[str] = []
    for part in PARTS:
        webs = min(arguments.webs, part.short if arguments.size == "short" else part.webs)
        if webs > arguments.skip and part.name in (arguments.only or [part.name]):
            study, folder = part.study(webs, arguments.skip), arguments.out / part.name
            file = RAW / f"{part.name}.json.xz"
            skips, accepts = bool(arguments.skip), arguments.accept
            differences += repeat(study, folder, settings, file, accept=accepts, skipped=skips)
    shown = differences[:_MOST_SHOWN]
    print("\n".join([*shown, f"{len(differences)} figures differ"] if shown else ["all is equal"]))
    return bool(differences)


def repeat(  # noqa: PLR0913 - two of them by keyword
    study: Study,
    folder: Path,
    settings: Settings,
    file: Path,
    *,
    accept: bool,
    skipped: bool = False,
) -> list[str]:
    """Run a study, and compare or accept its runs; `file` has the committed ones.

    Accepted runs take the place of all, or where webs were `skipped`, of those of the same webs.
    """
    before = _processor_seconds()
    try:
        results = conduct(study, folder, settings, ["make", "reproduce"])
    finally:
        seconds = _spent(folder, _processor_seconds() - before)
    runs = [plain(run) for run in results.runs]
    name = folder.name
    minutes = f"{seconds / 60:.1f} minutes of processor time, {_megabytes():,} MB"
    print(f"{name}: {len(runs)} runs, {minutes}, {folder}")
    kept = unpack(file) if file.exists() else {"runs": [], "made": {}}
    committed = kept["runs"]
    if accept:
        made, webs = _made(study, settings, seconds), {unit.web for unit in study.units}
        if others := [run for run in committed if skipped and run["web"] not in webs]:
            made["earlier"] = kept["made"]
        pack(file, {"made": made, "runs": [*others, *runs]})
        (folder / _SPENT).unlink()  # what comes later spends its own
        return []
    known = set(map(_key, committed))
    if new := sum(_key(run) not in known for run in runs):
        print(f"{name}: {new} of the runs are not committed, so nothing is said of them")
    return [f"{name}: {one}" for one in differences_of(runs, committed)]


def _spent(folder: Path, seconds: float) -> float:
    """The processor time of all calls for these runs: an interrupted one has spent some, too."""
    file = folder / _SPENT
    total = seconds + (float(file.read_text(encoding="utf-8")) if file.exists() else 0.0)
    file.write_text(f"{total:.1f}", encoding="utf-8")
    return total


def plain(value: Any) -> Any:
    """Runs without what hangs on the machine, and numbers with the digits that do not."""
    if isinstance(value, Mapping):
        left_out = _OF_THE_MACHINE | _DRAWN_ONLY
        return {key: plain(inner) for key, inner in value.items() if key not in left_out}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}") if math.isfinite(value) else None
    return value


def differences_of(runs: Sequence[Run], committed: Sequence[Run]) -> Iterator[str]:
    """Every figure of a run that is not the committed one, for those that were committed."""
    known = {_key(run): run for run in committed}
    for run in runs:
        before = known.get(_key(run), run)
        for name in dict.fromkeys((*before, *run)):
            old, new = before.get(name), run.get(name)
            if not _is_same(old, new):
                words = " ".join(filter(None, map(_short, _key(run))))
                yield f"{words}: {name} was {_short(old)}, is {_short(new)}"


def _key(run: Run) -> Key:
    return run["web"], run["region"], run["strategy"], run["random_seed"]


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_is_same(one[k], other[k]) for k in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, float) and isinstance(other, float | int):
        return math.isclose(one, other, rel_tol=_NEARLY)
    return bool(one == other)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def pack(file: Path, content: Mapping[str, Any]) -> None:
    """Write what was computed, small."""
    file.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    file.write_bytes(lzma.compress(text.encode(), preset=9))


def unpack(file: Path) -> dict[str, Any]:
    """What `pack` was given."""
    content: dict[str, Any] = json.loads(lzma.decompress(file.read_bytes()))
    return content


def _made(study: Study, settings: Settings, seconds: float) -> dict[str, Any]:
    """How the runs came about."""
    git = ("git", "-C", str(PROJECT), "rev-parse", "HEAD")
    commit = subprocess.run(git, capture_output=True, text=True, check=True)
    return {
        "experiment": study.experiment,
        "commit": commit.stdout.strip(),
        "code": study.code,
        "gazetteer": open_gazetteer(settings).identity,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in _PACKAGES},
        "machine": f"{platform.system()} {platform.machine()}, {processor_count()} processors",
        "processor_minutes": round(seconds / 60, 1),
        "megabytes": _megabytes(),
        "webs": [unit.web for unit in study.units],
        "budget": study.budget,
        "strategies": study.strategies,
    }


def _megabytes() -> int:
    """The most memory that one process has had."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return max(one.ru_maxrss for one in used) // (1024 if sys.platform == "linux" else 1024**2)


def _processor_seconds() -> float:
    """Of this process and of those that it waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    sys.exit(main())
