"""Our own rows, lists of strategies by the simulation of `geoscout compare`, and a page of all."""

import json
import random
import re
import runpy
from collections.abc import Sequence
from html import escape
from pathlib import Path

from geoscout.settings import Settings
from geoscout.strategy import Strategy, StrategyAim
from geoscout_lab.geofocus.score import POINTS, table
from geoscout_lab.geofocus.task import open_task
from geoscout_lab.simulation.collaborative import create_for
from geoscout_lab.simulation.simulate import SimulationPlan, TrainingCrawls, simulate
from geoscout_lab.worlds.truth import World
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region, open_gazetteer


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
