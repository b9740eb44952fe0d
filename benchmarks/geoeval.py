"""Scores the geoparser on labelled texts, next to published systems, against pinned floors.

    python -m benchmarks.geoeval [--corpora DIR] [--only NAME] [--sites]

The texts are not part of the project: they are looked for in --corpora, GEOSCOUT_CORPORA or
../shared/corpora, each folder with `geoeval/*.jsonl` and their `score.py`. Where they are missing
this says so and ends well. Exit status 1 when a score falls below its floor in
`benchmarks/geoeval_floors.json`; --lower writes new floors, and shows in the difference. With
--sites each text is read with what the others of its site tell, and no floor counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FLOORS = Path(__file__).with_name("geoeval_floors.json")
SLACK = 0.005  # below the score reached: rounding, not a licence to lose quality


@dataclass(frozen=True)
class Task:
    """One measure of one labelled set."""

    name: str
    gold: str
    arguments: tuple[str, ...]
    measure: str
    peer: str
    wanted: float


TOPONYMS = ("toponyms",)
TASKS = (
    Task("LGL", "lgl", ("toponyms", "--demonyms"), "e2e_f1", "CamCoder 0.47", wanted=0.62),
    Task("GeoVirus", "geovirus", TOPONYMS, "e2e_f1", "CamCoder 0.67", wanted=0.72),
    Task("TUD-Loc", "tudloc2013", TOPONYMS, "e2e_f1", "naive 0.67", wanted=0.80),
    Task(
        "WikToR", "wiktor", ("toponyms", "--recall-only"), "e2e_recall", "DBpedia 0.33", wanted=0.45
    ),
    Task("MobIE (German)", "mobie_de_dev", TOPONYMS, "e2e_f1", "naive 0.49", wanted=0.65),
    Task("GeoCorpora (tweets)", "geocorpora", TOPONYMS, "e2e_f1", "GeoTxt 0.58", wanted=0.0),
    Task(
        "US addresses, restaurants",
        "swde_us_restaurants",
        ("addresses", "--country", "US"),
        "f1",
        "pyap2 0.84",
        wanted=0.95,
    ),
    Task(
        "US addresses, general",
        "webpages_multi",
        ("addresses", "--country", "US"),
        "f1",
        "pyap 0.51",
        wanted=0.90,
    ),
    Task(
        "DE/AT/CH addresses",
        "webpages_multi",
        ("addresses", "--country", "DE,AT,CH"),
        "f1",
        "regex 0.875",
        wanted=0.95,
    ),
    Task(
        "scope: main place",
        "scope_tudloc_main",
        ("scope",),
        "accuracy",
        "frequency 0.65",
        wanted=0.78,
    ),
    Task("scope: country", "scope_reuters21578", ("scope",), "accuracy", "naive 0.44", wanted=0.82),
    Task("scope: state", "scope_swde_jobs", ("scope",), "accuracy", "0.73", wanted=0.88),
)


def find_corpora(given: str | None) -> Path | None:
    """The folder with the labelled texts; None when there is none."""
    for folder in (given, os.environ.get("GEOSCOUT_CORPORA"), "../shared/corpora"):
        if folder and (Path(folder) / "geoeval" / "score.py").is_file():
            return Path(folder) / "geoeval"
    return None


def predict(folder: Path, gold: str, out: Path, options: Sequence[str] = ()) -> Path:
    """Run `geoscout geoparse --jsonl` over a set; once for all tasks of that set."""
    prediction = out / f"{gold}.jsonl"
    if not prediction.exists():
        documents = run([sys.executable, folder / "score.py", "input", folder / f"{gold}.jsonl"])
        command = [Path(sys.executable).with_name("geoscout"), "geoparse", "--jsonl", *options]
        prediction.write_bytes(run(command, documents))
    return prediction


def run(command: Sequence[object], stdin: bytes = b"") -> bytes:
    words = [str(word) for word in command]
    return subprocess.run(words, input=stdin, check=True, stdout=subprocess.PIPE).stdout


def score(folder: Path, task: Task, prediction: Path) -> dict[str, float]:
    kind, *options = task.arguments
    command = [sys.executable, folder / "score.py", kind, folder / f"{task.gold}.jsonl"]
    answer: dict[str, float] = json.loads(run([*command, prediction, *options]))
    return answer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpora", help="folder with geoeval/ in it")
    parser.add_argument("--only", help="only the tasks whose name has this in it")
    parser.add_argument("--sites", action="store_true", help="read with what other texts tell")
    parser.add_argument("--lower", action="store_true", help="write new floors")
    arguments = parser.parse_args()
    folder = find_corpora(arguments.corpora)
    if folder is None:
        print("no labelled texts here: set GEOSCOUT_CORPORA or --corpora; nothing was scored")
        return 0
    has_floors = FLOORS.exists() and not arguments.sites
    floors: dict[str, float] = json.loads(FLOORS.read_text()) if has_floors else {}
    fallen = []
    print(f"{'measure':<28}{'ours':>8}{'floor':>8}{'aim':>7}   peer")
    with tempfile.TemporaryDirectory() as scratch:
        for task in TASKS:
            if arguments.only and arguments.only not in task.name:
                continue
            options = ["--set", "sites=yes"] if arguments.sites else []
            result = score(folder, task, predict(folder, task.gold, Path(scratch), options))
            ours = result[task.measure]
            floor = floors.get(task.name, 0.0)
            more = result.get("false_per_1000_pages")
            note = f"   {more:.1f} false per 1,000 pages" if more is not None else ""
            figures = f"{ours:>8.3f}{floor:>8.3f}{task.wanted or '':>7}"
            print(f"{task.name:<28}{figures}   {task.peer}{note}", flush=True)
            fallen += [task.name] if ours < floor else []
            if arguments.lower:
                floors[task.name] = round(ours - SLACK, 3)
    if arguments.lower:
        FLOORS.write_text(json.dumps(floors, indent=2) + "\n")
        return 0
    if fallen:
        print(f"below the floor: {', '.join(fallen)}", file=sys.stderr)
    return 1 if fallen else 0


if __name__ == "__main__":
    sys.exit(main())
