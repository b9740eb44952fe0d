"""The large set, on archives of real pages: `make golden`."""

from __future__ import annotations

import csv
import gzip
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from tools.experiment_tables import tables_of

from golden import steps
from golden.doors import command, gazetteer_key, served
from golden.masters import PROJECT, Fact, Masters
from golden.plain import Plain
from golden.slices import cut
from golden.steps import Piece

BENCHMARKS = PROJECT / "benchmarks"
QUERIES = ("everyday_queries.tsv", "judged_queries.tsv")
_AT_A_TIME = 2
_ASKED = 90  # pages of an archive that are only read
_SIZES = ("--pages", 2000, "--webs", 1, "--budget", 300, "--set", "repeats=1", "--set", "workers=1")
STRATEGIES = ("adaptive", "anchors", "breadth", "distance", "rank")
REGIONS = {
    "munich": "Munich",
    "philde": "Germany",
    "schoolswiki": "London",
    "usdirs": "California",
    "webkb": "Austin, TX",
}
CRAWLED = {"munich": 300, "usdirs": 350, "webkb": 350}
KNOWN = {
    "q": "biergarten near Marienplatz",
    "text": "museum",
    "within": "Munich",
    "bbox": "11,48,12,49",
    "view": "11,48,12,49",
    "limit": 20,
}


class Task(NamedTuple):
    """Something that a process of its own computes."""

    kinds: tuple[str, ...]  # of pieces: what their names begin with
    subject: str
    pieces: Callable[[Work], Iterator[Piece]]


class Work(NamedTuple):
    """What a task is handed."""

    folder: Path
    archive: Path
    plain: Plain
    wants: Callable[..., bool]


def corpora() -> Path:
    """Where the archives lie."""
    return Path(os.environ.get("GEOSCOUT_CORPORA", PROJECT.parent / "shared/corpora")) / "archives"


def missing() -> list[str]:
    """The archives that are not there."""
    return [name for name in REGIONS if not _file(name).exists()]


def compute(masters: Masters) -> tuple[dict[str, Fact], str]:
    """Every piece that is wanted, and the gazetteer that they were computed with."""
    key = gazetteer_key()
    chosen = [n for n, t in enumerate(TASKS) if any(masters.wants(k, t.subject) for k in t.kinds)]
    with ProcessPoolExecutor(
        _AT_A_TIME, mp_context=get_context("spawn"), max_tasks_per_child=1
    ) as pool:
        found = pool.map(partial(_compute, masters), chosen)
        return {name: fact for facts in found for name, fact in facts.items()}, key


def _compute(masters: Masters, number: int) -> dict[str, Fact]:
    task = TASKS[number]
    archive = _file(task.subject).parent
    with tempfile.TemporaryDirectory() as folder:
        plain = Plain(Path(folder), archive.parent)
        work = Work(Path(folder), archive, plain, masters.wants)
        found = (
            (name, text) for name, text in task.pieces(work) if masters.wants(*name.split("/"))
        )
        return {name: masters.keep(name, text) for name, text in found}


def _file(archive: str) -> Path:
    return corpora() / archive / f"{archive}-00.warc.gz"


def _crawled(work: Work) -> Iterator[Piece]:
    """A crawl, and all that follows from it."""
    name = work.archive.name
    crawl = work.folder / name
    steps.crawl(crawl, work.archive, REGIONS[name], CRAWLED[name])
    yield f"orders/{name}", steps.order(crawl)
    if work.wants("exports", name):
        for format, text in steps.exports(crawl, work.plain):
            yield f"exports/{name}/{format}", text
    if name == "munich" and work.wants("directory", "api", name):
        for format, text in steps.directory(crawl, work.plain):
            yield f"directory/{name}.{format}", text
    if name != "webkb" and work.wants("answers", "api", name):
        yield from _asked(work, crawl)


def _asked(work: Work, crawl: Path) -> Iterator[Piece]:
    command("index", crawl, "--set", "directory=no")
    report = work.folder / "first"
    command("compare", "--out", report, *_SIZES)
    with served(crawl, report) as site:
        queries = _queries(crawl.name)
        yield f"answers/{crawl.name}", steps.answers(site, crawl.name, queries, work.plain)
        if crawl.name == "munich":
            known = {**KNOWN, "crawl": crawl.name}
            for path, text in steps.api(site, known, work.plain):
                yield f"api/{crawl.name}/{path}", text


def _queries(index: str) -> list[str]:
    """What people ask an index, each once."""
    found: dict[str, None] = {}
    for name in QUERIES:
        with (BENCHMARKS / name).open(encoding="utf-8") as file:
            rows = csv.DictReader(file, delimiter="\t")
            found.update(dict.fromkeys(row["query"] for row in rows if row["index"] == index))
    return list(found)


def _read(work: Work) -> Iterator[Piece]:
    """Pages of an archive, read one by one, as a batch, and by a crawl that follows no link."""
    name = work.archive.name
    some = cut(_file(name), work.folder / "some", _ASKED)
    yield f"readings/{name}/documents", steps.readings(some, work.plain)
    out = work.folder / "rows"
    batch = ("--out", out, "--format", "jsonl", "--region", REGIONS[name], "--workers", 1)
    command("geoparse", "--warc", some.archive, *batch)
    rows = next(out.glob("*.jsonl.gz"))
    yield f"readings/{name}/batch", work.plain.lines(gzip.decompress(rows.read_bytes()).decode())
    crawl = work.folder / "crawl"
    steps.crawl(crawl, some.archive, REGIONS[name], _ASKED, "--max-depth", 0)
    for what in ("pages", "links"):
        file = work.folder / f"{what}.jsonl"
        command("export", crawl, "--what", what, "--format", "jsonl", "--out", file)
        yield f"readings/{name}/{what}", work.plain.file(file)


def _strategies(work: Work) -> Iterator[Piece]:
    """What each strategy takes first of one archive."""
    for strategy in STRATEGIES:
        crawl = work.folder / strategy
        more = ("--strategy", strategy)
        steps.crawl(crawl, corpora() / "webkb", REGIONS["webkb"], 120, *more)
        yield f"orders/webkb-{strategy}", steps.order(crawl)


def _experiment(work: Work) -> Iterator[Piece]:
    """The tables of a published experiment, at the smallest size."""
    name, out = work.archive.name, work.folder / "report"
    command("compare", "--experiment", name, "--out", out, *_SIZES)
    yield f"experiments/{name}", work.plain.text("\n".join(tables_of(out)))


TASKS = (
    Task(("orders", "exports", "answers", "directory", "api"), "munich", _crawled),
    Task(("orders", "exports", "answers"), "usdirs", _crawled),
    Task(("orders", "exports"), "webkb", _crawled),
    Task(("orders",), "strategies", _strategies),
    *(
        Task(("experiments",), name, _experiment)
        for name in ("ahlers2009", "gao2006", "kozanidis2009")
    ),
    *(Task(("readings",), name, _read) for name in REGIONS),
)
