"""Score lists of URLs, in the order in which a crawler fetched them, against GeoFocus tasks.

    python score.py TASK LIST...       a task, and files of URLs
    python score.py TASKS FOLDER...    a folder of tasks, and folders with a list TASK.txt for each

It needs Python alone, and no other file of the project, so that it can be copied next to a task and
read in one sitting. A list has a URL on each line, every request that was made: what brought
nothing was spent, too. A line `# training N` says that N pages were fetched before the first line.
Numbers in place of URLs are rows of truth.tsv.gz, from 0. A list may end in .gz or .xz.
"""

import argparse
import gzip
import hashlib
import json
import lzma
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from statistics import fmean
from typing import Any

POINTS = ("5%", "10%", "20%")  # of the pages that can be reached
FIGURES = ("harvest", "recall", "domains", "greedy", "one_step")
_LONGEST = 8192  # bytes of a line
_MOST = 1 << 28  # bytes that are read for the lines that count, and 100 more for each line
_LOOKED_AT = 100  # first lines, of which one must be a page of the task
_RESAMPLES = 2000
_NOTHING, _AGAIN = -1, -2  # in place of a row: a URL that is none of the task, one that came before


class ScoreError(ValueError):
    """What is wrong with a task or a list, and what would have been right."""


@dataclass(frozen=True)
class Task:
    about: Mapping[str, Any]  # task.json
    urls: Sequence[str]
    relevant: Sequence[bool]
    domains: Sequence[str]
    numbers: Mapping[str, int]  # by URL, and by what is left of it without scheme and port

    def number(self, url: str) -> int:
        """The row of a URL, of one that differs by scheme or port, or of a number; -1 if none."""
        if url.isdecimal() and len(url) < 10:
            return int(url) if int(url) < len(self.urls) else _NOTHING
        return self.numbers.get(url, self.numbers.get(_bare(url), _NOTHING))

    def visits(self, point: str) -> int:
        return max(1, round(float(point[:-1]) / 100 * len(self.urls)))


def _bare(url: str) -> str:
    host, slash, path = re.sub(r"^\w+://", "", url.partition("#")[0]).partition("/")
    return re.sub(r":\d+$", "", host.lower()) + (slash or "/") + path


def read_task(folder: Path) -> Task:
    """Raises: ScoreError: the folder is no task, or its truth is not what its checksum says."""
    try:
        about = json.loads((folder / "task.json").read_text(encoding="utf-8"))
        truth = gzip.decompress((folder / "truth.tsv.gz").read_bytes())
        expected, rows = about["sha256"]["truth.tsv"], truth.decode().splitlines()
        itemgetter("name", "web", "relevant", "domains", "oracles")(about)  # all are there
        urls, marks, domains = zip(*(row.split("\t") for row in rows), strict=True)
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise ScoreError(f"{folder} is no task: {error}") from error
    if hashlib.sha256(truth).hexdigest() != expected:
        raise ScoreError(f"{folder}/truth.tsv.gz is not what task.json says; make the task again")
    numbers = {_bare(url): number for number, url in reversed(list(enumerate(urls)))}
    numbers |= {url: number for number, url in enumerate(urls)}
    return Task(about, urls, [mark == "1" for mark in marks], domains, numbers)


def read_order(file: Path, task: Task) -> tuple[list[int], int]:
    """A row of the truth for each page that was spent, and how many of them were training.

    Of a list of gigabytes no more is read than counts, and one line.

    Raises:
        ScoreError: it cannot be read, is no list of URLs, or none of this task.
    """
    most, training = task.visits(POINTS[-1]), 0
    rows: list[int] = []
    seen: set[int] = set()
    for text in _lines(file):
        if text.startswith("#"):
            if (told := re.fullmatch(r"#\s*training:?\s+(\d{1,9})", text)) and not rows:
                training = min(int(told[1]), most)
                rows += [_NOTHING] * training
            continue
        if len(rows) == most:
            break
        row = task.number(text)
        rows.append(_AGAIN if row in seen else row)
        seen |= {row} - {_NOTHING}
        if len(rows) - training == _LOOKED_AT and not seen:
            break
    if not seen and training < most:
        raise ScoreError(
            f"{file}: none of the first {len(rows) - training} lines is a page of"
            f" {task.about['name']}, which has such as {task.urls[0]}"
        )
    return rows, training


def _lines(file: Path) -> Iterator[str]:
    """The lines with something on them."""
    number = read = 0
    opener: Any = {".gz": gzip.open, ".xz": lzma.open}.get(file.suffix, open)
    try:
        with opener(file, "rb") as stream:
            while line := stream.readline(_LONGEST):
                number, read = number + 1, read + len(line) + 100
                if len(line) == _LONGEST or read > _MOST:
                    raise ScoreError(f"{file}, line {number}: too long; a list has a URL a line")
                if text := line.decode("utf-8-sig" if number == 1 else "utf-8").strip():
                    yield text
    except UnicodeDecodeError as error:
        raise ScoreError(f"{file}, line {number}: not UTF-8; save the list as UTF-8") from error
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise ScoreError(f"cannot read the list {file}: {error}") from error


def score(task: Task, file: Path) -> dict[str, Any]:
    """The figures of a list at each point, and what a reader should know of it."""
    rows, training = read_order(file, task)
    unknown, again = rows.count(_NOTHING) - training, rows.count(_AGAIN)
    missing = task.visits(POINTS[-1]) - len(rows)
    told = {
        f"{training} pages of training counted": training,
        f"{unknown} URLs are not of this task, and count as spent": unknown,
        f"{again} URLs come again, and count as spent": again,
        f"{missing} too few for {POINTS[-1]} of the pages; it keeps what it has": missing,
    }
    return {
        "task": task.about["name"],
        "web": task.about["web"],
        "truth": task.about["sha256"]["truth.tsv"],
        "order": hashlib.sha256(" ".join(map(str, rows)).encode()).hexdigest(),
        "told": [text for text, is_so in told.items() if is_so],
        "points": {point: _figures(task, rows, point) for point in POINTS},
    }


def counted(task: Task, rows: Sequence[int], point: str) -> dict[str, int]:
    """What an order has found at a point; the area is the sum of the found after each page."""
    visits, found, area = task.visits(point), 0, 0
    domains = set()
    for row in rows[:visits]:
        if row >= 0 and task.relevant[row]:
            found += 1
            domains.add(task.domains[row])
        area += found
    area += found * (visits - len(rows[:visits]))
    return {"visits": visits, "found": found, "domains": len(domains), "area": area}


def _figures(task: Task, rows: Sequence[int], point: str) -> dict[str, float]:
    own, oracles = counted(task, rows, point), task.about["oracles"]
    parts = {
        "harvest": (own["found"], own["visits"]),
        "recall": (own["found"], task.about["relevant"]),
        "domains": (own["domains"], task.about["domains"]),
        "greedy": (own["area"], oracles["greedy"][point]["area"]),
        "one_step": (own["area"], oracles["one_step"][point]["area"]),
    }
    return {name: round(part / max(1, whole), 4) for name, (part, whole) in parts.items()}


def row_of(name: str, scores: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The mean over tasks, its interval, and the worst task of each figure."""
    figures: dict[str, dict[str, Any]] = {point: {} for point in POINTS}
    for point in POINTS:
        for figure in FIGURES:
            by_web: dict[str, list[float]] = defaultdict(list)
            for one in scores:
                by_web[one["web"]].append(one["points"][point][figure])
            values = [value for found in by_web.values() for value in found]
            low, high = interval(list(by_web.values()))
            both = {"mean": fmean(values), "low": low, "high": high, "worst": min(values)}
            figures[point][figure] = {name: round(value, 4) for name, value in both.items()}
    return {"name": name, "tasks": len(scores), "figures": figures, "scores": list(scores)}


def interval(webs: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean; webs are drawn, with all that is known of each."""
    chance = random.Random(0)  # the same draws for every list
    draws = (chance.choices(webs, k=len(webs)) for _ in range(_RESAMPLES))
    means = sorted(fmean(value for web in draw for value in web) for draw in draws)
    return means[round(0.025 * _RESAMPLES)], means[round(0.975 * _RESAMPLES) - 1]


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The rows in Markdown, the best first: means at the points, and the spread of the last."""
    head = ("list", "tasks", "harvest", "recall", "domains", "area of greedy", "area of one-step")
    lines = [" | ".join((*head, "interval", "worst task")), "---|" * (len(head) + 1) + "---"]
    for row in sorted(rows, key=lambda row: -row["figures"]["20%"]["greedy"]["mean"]):
        by_point = [row["figures"][point] for point in POINTS]
        cells = ["/".join(f"{at[figure]['mean']:.2f}" for at in by_point) for figure in FIGURES]
        last = by_point[-1]["greedy"]
        cells += [f"{last['low']:.2f} to {last['high']:.2f}", f"{last['worst']:.2f}"]
        lines.append(" | ".join([row["name"], str(row["tasks"]), *cells]))
    return "\n".join(f"| {line} |" for line in lines)


def score_lists(folder: Path, lists: Sequence[Path]) -> list[dict[str, Any]]:
    """A row for each list, or for each folder of lists.

    Raises:
        ScoreError: something cannot be scored, and why.
    """
    tasks = [read_task(file.parent) for file in sorted(folder.glob("**/task.json"))]
    if not tasks:
        raise ScoreError(f"{folder} has neither a task.json nor folders with one")
    is_one = (folder / "task.json").exists()
    return [
        row_of(one.name, [score(task, one if is_one else _list_of(one, task)) for task in tasks])
        for one in lists
    ]


def _list_of(folder: Path, task: Task) -> Path:
    """Where a folder has the list of a task; a row is of all tasks, so each must be there."""
    for file in sorted(folder.glob(f"{task.about['name']}.txt*")):
        return file
    raise ScoreError(f"{folder} has no list {task.about['name']}.txt; a row has one of each task")


def main(given: Sequence[str] | None = None) -> int:
    """Print the table, or everything as JSON."""
    parser = argparse.ArgumentParser(description="Score lists of URLs against GeoFocus tasks.")
    parser.add_argument("task", type=Path, metavar="TASK", help="a task, or a folder of tasks")
    parser.add_argument("lists", type=Path, nargs="+", metavar="LIST", help="a list of each task")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    arguments = parser.parse_args(given)
    try:
        rows = score_lists(arguments.task, arguments.lists)
    except ScoreError as error:
        print(error, file=sys.stderr)
        return 2
    for name, one in ((row["name"], one) for row in rows for one in row["scores"]):
        for told in one["told"]:
            print(f"{name}, {one['task']}: {told}", file=sys.stderr)
    print(json.dumps({"rows": rows}) if arguments.json else table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
