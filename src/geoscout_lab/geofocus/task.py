"""What a task is, how it is made of a unit of `geoscout compare`, and how its world is opened.

A task has no page in it: a synthetic web is made again from its profile and random seed, and one of
archives is a list of captures, so a task can be passed on where its pages cannot. What was true
when it was made is in `truth.tsv.gz`, and counts from then on, whatever later readers would say.

Our own rows are lists of strategies, by the simulation of `geoscout compare`; a page has all rows.
"""

import asyncio
import gzip
import hashlib
import json
import random
import re
import runpy
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from geoscout.fetch.archive import ArchiveFetcher
from geoscout.fetch.archive_index import is_served
from geoscout.settings import Settings
from geoscout.store.export_archives import capture_line
from geoscout.strategy import Strategy, StrategyAim
from geoscout_lab.geofocus import score
from geoscout_lab.geofocus.score import POINTS, table
from geoscout_lab.simulation.collaborative import create_for
from geoscout_lab.simulation.oracles import greedy_oracle, one_step_oracle
from geoscout_lab.simulation.simulate import SimulationPlan, TrainingCrawls, simulate
from geoscout_lab.worlds.truth import (
    UNREACHABLE,
    ArchiveUnit,
    OpenUnit,
    SyntheticUnit,
    Unit,
    World,
    WorldFacts,
    facts_of,
)
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region, open_gazetteer
from geoscout_places.urls import host_of, normalise, registrable_domain

TRUTH, SEEDS, CAPTURES, LINKS = "truth.tsv.gz", "seeds.txt", "captures.cdxj.gz", "links.tsv.gz"


def make_task(unit: Unit, folder: Path, settings: Settings) -> Mapping[str, Any]:
    """Write the task of a unit into a new folder; returns what its `task.json` says."""
    opened = unit.open(settings)
    facts, url = facts_of(opened.world), opened.world.url
    pages, lines = _reached(facts)
    rows = {page: row for row, page in enumerate(pages)}
    folder.mkdir(parents=True)
    (folder / SEEDS).write_text("".join(f"{url(page)}\n" for page in facts.world.seeds))
    about = {
        "format": "geofocus/1",
        "name": folder.name,
        "web": unit.web,  # tasks of the same one are not independent
        "region": opened.region,
        "pages": len(pages),
        "relevant": len(facts.targets),
        "domains": len({registrable_domain(host_of(url(n))) for n in facts.targets.tolist()}),
        "sha256": {"truth.tsv": _pack(folder / TRUTH, lines)},
        "oracles": {},  # that need the task
    }
    if isinstance(unit, ArchiveUnit):
        about["made"] = {"captures": CAPTURES}
        about["judged_by"] = "labels" if unit.truth else f"the geoparser by {unit.relevance}"
        about["reach"] = f"with the archives of {CAPTURES} next to it: --replay {CAPTURES}"
        _pack(folder / CAPTURES, _captures(unit, {url(page) for page in pages}))
        linked = (facts.truth.graph.of(page).tolist() for page in pages)
        _pack(folder / LINKS, ("\t".join(str(rows[n]) for n in targets) for targets in linked))
    else:
        about["made"] = made = asdict(unit)
        words = " ".join(f"--{key.replace('_', '-')} {value}" for key, value in made.items())
        about["judged_by"] = "construction"
        about["reach"] = f"geoscout synthweb WEB {words}; --replay WEB, or --serve to any crawler"
    _write(folder / "task.json", about)
    about["oracles"] = _oracles(score.read_task(folder), facts, rows)
    _write(folder / "task.json", about)
    return about


def _reached(facts: WorldFacts) -> tuple[list[int], list[str]]:
    """The pages that can be reached, and the line of each in the truth."""
    depths = facts.truth.graph.depths(facts.world.seeds)
    pages: list[int] = np.flatnonzero(depths != UNREACHABLE).tolist()
    named, relevant = ((page, facts.world.url(page)) for page in pages), facts.truth.relevant
    lines = [f"{url}\t{relevant[n]:d}\t{registrable_domain(host_of(url))}" for n, url in named]
    return pages, lines


def _oracles(task: score.Task, facts: WorldFacts, rows: Mapping[int, int]) -> dict[str, Any]:
    budget = task.visits(score.POINTS[-1])
    orders = {
        "greedy": greedy_oracle(facts.truth, budget),
        "one_step": one_step_oracle(facts.truth, budget, random.Random(0)),
    }
    return {
        name: {p: score.counted(task, [rows[page] for page in order], p) for p in score.POINTS}
        for name, order in orders.items()
    }


def _captures(unit: ArchiveUnit, urls: set[str]) -> Iterator[str]:
    """The lines of the records behind the pages that can be reached."""
    fetcher = ArchiveFetcher([Path(file) for file in unit.files])
    for path, found in fetcher.records():
        url = normalise(found.record.target) if is_served(found.record) else None
        if url and fetcher.known_as(url) in urls:
            yield capture_line(path.name, found).decode().rstrip("\n")
    asyncio.run(fetcher.close())


def open_task(folder: Path, settings: Settings) -> tuple[score.Task, OpenUnit]:
    """A task and its world; archives are looked for next to its list of captures."""
    task = score.read_task(folder)
    unit: Unit
    if "captures" in task.about["made"]:
        seeds, truth = (folder / SEEDS).read_text().split(), str(folder / TRUTH)
        region = tuple(task.about["region"])
        archives = ArchiveUnit((str(folder / CAPTURES),), tuple(seeds), region, truth=truth)
        unit = archives.prepared(settings, lambda _done, _all: None)
    else:
        unit = SyntheticUnit(**task.about["made"])
    opened = unit.open(settings)
    lines = "".join(f"{line}\n" for line in _reached(facts_of(opened.world))[1])
    if hashlib.sha256(lines.encode()).hexdigest() != task.about["sha256"]["truth.tsv"]:
        raise UsageError(
            f"the web of {folder} comes out otherwise than when the task was made; use the"
            " version of geoscout and the gazetteer that made it, or all archives of its list"
        )
    return task, opened


def write_package(folder: Path) -> None:
    """Put the scorer next to the tasks, and describe all files in a `datapackage.json`."""
    shutil.copyfile(score.__file__, folder / "score.py")
    package = folder / "datapackage.json"
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file != package)
    resources = []
    for file in files:
        path, data = file.relative_to(folder).as_posix(), file.read_bytes()
        digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
        name = re.sub(r"[^a-z0-9.]+", "-", path.lower())
        resources.append({"name": name, "path": path, "bytes": len(data), "hash": digest})
    licenses = [
        {"name": "Apache-2.0", "title": "tasks and scorer"},
        {"name": "CC-BY-4.0", "title": "names of places in synthetic webs: GeoNames"},
    ]
    title = "GeoFocus: tasks of geographically focused crawling"
    about = {"name": "geofocus", "title": title, "licenses": licenses, "resources": resources}
    _write(package, about)


def _pack(file: Path, lines: Iterable[str]) -> str:
    """Write lines; returns the digest of their bytes, which no version of gzip changes."""
    data = "".join(f"{line}\n" for line in lines).encode()
    file.write_bytes(gzip.compress(data, mtime=0))
    return hashlib.sha256(data).hexdigest()


def _write(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_lists(folder: Path, strategies: Sequence[str], out: Path, settings: Settings) -> None:
    """Write the list that each strategy makes of a task, unless `out/STRATEGY/TASK.txt` is there.

    Pages of a training crawl come first in a list, as they were fetched first.
    """
    files = {spec: out / list_name(spec) / f"{folder.name}.txt" for spec in strategies}
    if all(file.exists() for file in files.values()):
        return
    task, opened = open_task(folder, settings)
    world, gazetteer = opened.world, open_gazetteer(settings)
    region = Region.parse(opened.region, gazetteer) if opened.region else None
    plan, crawls = SimulationPlan(task.visits(POINTS[-1])), TrainingCrawls()
    for spec in (spec for spec, file in files.items() if not file.exists()):
        aim = StrategyAim(region, gazetteer, chance=random.Random(0))
        trace = simulate(world, _strategy(spec, world, aim), plan, crawls)
        urls = map(world.url, trace.with_training(plan.budget).tolist())
        files[spec].parent.mkdir(parents=True, exist_ok=True)
        files[spec].write_text("".join(f"{url}\n" for url in urls), encoding="utf-8")


def list_name(spec: str) -> str:
    """The folder of a strategy: that of `adaptive:depth=2` is adaptive-depth=2, of mine.py mine."""
    return re.sub(r"[^\w.=]+", "-", Path(spec).stem if spec.endswith(".py") else spec)


def _strategy(spec: str, world: World, aim: StrategyAim) -> Strategy:
    """A strategy by its name, or of the `create(aim)` in a Python file of the user."""
    if not spec.endswith(".py"):
        return create_for(spec, world, aim)
    if not Path(spec).is_file():
        raise UsageError(f"there is no file {spec}; give a strategy, or a file with create(aim)")
    made: Strategy = runpy.run_path(spec, run_name=Path(spec).stem)["create"](aim)
    return made


_HEAD = """<!doctype html><html lang="en"><meta charset="utf-8"><title>GeoFocus</title>
<style>body{font:16px/1.5 system-ui,sans-serif;margin:2rem}.wide{overflow-x:auto}
table{border-collapse:collapse}th,td{padding:.3rem .6rem;border-bottom:1px solid #ddd}</style>
<h1>GeoFocus</h1><p>Means over tasks when 5, 10 and 20 % of the pages were fetched; areas are shares
of those of an oracle, with the interval of the last one.</p>
"""


def write_report(files: Sequence[Path], folder: Path) -> Path:
    """Write `index.html` and `table.md`; the last file by name comes first."""
    page, tables = _HEAD, ""
    for file in sorted(files, key=lambda file: file.stem, reverse=True):
        try:
            text = table(json.loads(file.read_text(encoding="utf-8"))["rows"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{file} is not what `geofocus score --json` printed") from error
        tables += f"## {file.stem}\n\n{text}\n\n"
        rows = [line.strip("| ").split(" | ") for line in text.splitlines() if "---" not in line]
        cells = "<tr>".join("".join(f"<td>{escape(cell)}" for cell in row) for row in rows)
        page += f'<h2>{escape(file.stem)}</h2><div class="wide"><table><tr>{cells}</table></div>'
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.md").write_text(tables, encoding="utf-8")
    (folder / "index.html").write_text(page, encoding="utf-8")
    return folder / "index.html"
