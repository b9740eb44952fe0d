"""What a page costs a crawler, in processor time, next to Scrapy, Crawlee and the lower limit.

    python benchmarks/speed.py                     ours, and the lower limit where there is cc
    python benchmarks/speed.py --peers DIR         with Scrapy and Crawlee, installed into DIR

One site on loopback (speed_parts/website.py), served from the second core; every contender is a
process of its own on the first, with as many requests at a time as the others. Each must find every
page once, or its figure is not shown. The figure is user and system time of the process for a page,
the best of the rounds, which alternate: other work on the machine only adds. Ratios hold from one
machine to the next, times do not.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PARTS = Path(__file__).parent / "speed_parts"
PACKAGES = ("scrapy", "crawlee", "selectolax", "uvloop")
OURS, PAGES, CRAWL = "geoscout links", "geoscout pages", "geoscout crawl"
CRAWL_2, UNSCORED = "… 2 workers", "… breadth first"
DOCUMENTED, EXTRACTOR, BEST = "scrapy documented", "scrapy extractor", "scrapy best"
CRAWLEE, FLOOR = "crawlee", "lower limit in C"
MEANINGS = {
    FLOOR: "sockets and memmem, nothing else",
    OURS: "our fetcher, URLs and frontier; links only, as the peers do",
    PAGES: "the same with parse_html: text, parts, what is around links",
    CRAWL: "the whole pipeline, pages read by another process, one core",
    CRAWL_2: "the whole pipeline, pages read by two processes, two cores",
    UNSCORED: "the same without a score for links",
    DOCUMENTED: "LinkExtractor, default settings",
    EXTRACTOR: "LinkExtractor, tuned, only new links become requests",
    BEST: "lexbor, tuned, only new links become requests",
    CRAWLEE: "its HTTP crawler and Rust client, lexbor",
}
WORKERS_GAIN = 1.6


@dataclass(frozen=True, slots=True)
class Limit:
    """What is promised: one contender takes at most this share of another's time."""

    ours: str
    other: str
    share: float


# The promises name neither how Scrapy's LinkExtractor is set up nor how much of a page we read, so
# each is held against both readings: the kind one first.
LIMITS = (
    Limit(OURS, DOCUMENTED, 1 / 8),
    Limit(OURS, EXTRACTOR, 1 / 8),
    Limit(OURS, BEST, 1 / 2.5),
    Limit(OURS, CRAWLEE, 1.0),
    Limit(PAGES, DOCUMENTED, 1 / 8),
    Limit(PAGES, EXTRACTOR, 1 / 8),
    Limit(PAGES, BEST, 1 / 2.5),
    Limit(PAGES, CRAWLEE, 1.0),
    Limit(CRAWL, DOCUMENTED, 1 / 2),
    Limit(CRAWL, EXTRACTOR, 1 / 2),
)

Result = dict[str, float]


def commands(peers: Path | None, built: Path | None) -> dict[str, list[str]]:
    """How each contender is started, but for seeds and concurrency."""
    ours = {
        OURS: [sys.executable, str(PARTS / "geoscout_parts.py"), "links"],
        PAGES: [sys.executable, str(PARTS / "geoscout_parts.py"), "pages"],
        CRAWL: [sys.executable, str(PARTS / "geoscout_crawl.py"), "1", "hybrid"],
        CRAWL_2: [sys.executable, str(PARTS / "geoscout_crawl.py"), "2", "hybrid"],
        UNSCORED: [sys.executable, str(PARTS / "geoscout_crawl.py"), "1", "breadth"],
    }
    floor = {FLOOR: [str(built)]} if built else {}
    if peers is None:
        return floor | ours
    python = str(peers / "bin" / "python")
    scrapy = [python, str(PARTS / "scrapy_peer.py")]
    return floor | ours | {
        DOCUMENTED: [*scrapy, "documented"],
        EXTRACTOR: [*scrapy, "extractor"],
        BEST: [*scrapy, "best"],
        CRAWLEE: [python, str(PARTS / "crawlee_peer.py")],
    }  # fmt: skip


def install(folder: Path) -> None:
    """Make a virtual environment with the peers, unless it is there."""
    if not (folder / "bin" / "scrapy").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-q"]
        subprocess.run([*pip, *PACKAGES], check=True)


def build_floor(folder: Path) -> Path | None:
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    target = folder / "floor"
    subprocess.run([compiler, "-O2", "-o", target, PARTS / "floor.c"], check=True)
    return target


def cores() -> tuple[set[int], set[int]]:
    """The core of the contenders and that of the server; the same where there is only one."""
    usable = sorted(os.sched_getaffinity(0))
    return {usable[0]}, {usable[-1]}


@contextmanager
def website(pages: int, hosts: int) -> Iterator[dict[str, Any]]:
    command = [sys.executable, str(PARTS / "website.py"), "--pages", str(pages)]
    command += ["--hosts", str(hosts)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        os.sched_setaffinity(server.pid, cores()[1])
        try:
            yield json.loads(server.stdout.readline())
        finally:
            server.terminate()


def measure(name: str, command: Sequence[str]) -> Result | None:
    """One run; None when it failed."""
    where = cores()[0] | cores()[1] if name == CRAWL_2 else cores()[0]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.sched_setaffinity(process.pid, where)
        output, errors = process.communicate()
    if process.returncode:
        print(f"{name} failed: {errors.decode()[-300:]}", file=sys.stderr)
        return None
    return dict(json.loads(output.splitlines()[-1]))


def best_of(rounds: int, runs: dict[str, list[str]], pages: int) -> dict[str, Result]:
    """The best run of each contender that found every page, and only those."""
    results: dict[str, Result] = {}
    for _ in range(rounds):
        for name, command in runs.items():
            result = measure(name, command)
            if result is None or (result["pages"], result["known"]) != (pages, pages):
                print(f"{name}: not every page once: {result}", file=sys.stderr)
            elif name not in results or result["cpu"] < results[name]["cpu"]:
                rate = max(result.get("rate", 0), results.get(name, {}).get("rate", 0))
                results[name] = {**result, "rate": rate}
    return results


def show(results: dict[str, Result]) -> None:
    print(f"\n{'':18} {'ms a page':>9} {'of links':>9} {'of crawl':>9}")
    for name, meaning in MEANINGS.items():
        if name in results:
            shares = " ".join(_share(results, name, other) for other in (OURS, CRAWL))
            print(f"{name:18} {_cost(results[name]):>9.2f} {shares}  {meaning}")


def _share(results: dict[str, Result], name: str, other: str) -> str:
    """How many times our time it takes."""
    return f"{_cost(results[name]) / _cost(results[other]):>9.2f}" if other in results else " " * 9


def _cost(result: Result) -> float:
    return result["cpu"] / result["pages"] * 1000


def judge(results: dict[str, Result]) -> None:
    """Say of each promise whether it is kept."""
    print()
    for limit in LIMITS:
        if limit.ours in results and limit.other in results:
            share = _cost(results[limit.ours]) / _cost(results[limit.other])
            verdict = "kept" if share <= limit.share else "SHORT"
            print(
                f"{limit.ours} takes {share:.3f} of {limit.other}; at most {limit.share:.3f}"
                f" is promised: {verdict}"
            )
    if CRAWL in results and CRAWL_2 in results:
        judge_workers(results[CRAWL], results[CRAWL_2])


def judge_workers(one: Result, two: Result) -> None:
    """Say what a second worker brought, and what it could on a machine with nothing else to do.

    There the slower of two bounds holds: the main process, or half of all the work.
    """
    gain = two["rate"] / one["rate"]
    verdict = "kept" if gain >= WORKERS_GAIN else "SHORT"
    print(
        f"two workers on two cores bring {gain:.2f} times the pages a second"
        f" ({two['rate']:.0f} to {one['rate']:.0f}); {WORKERS_GAIN} is promised: {verdict}"
    )
    most = one["cpu"] / max(two["own"], two["cpu"] / 2)
    print(
        f"the main process has {two['own'] / two['cpu']:.0%} of the processor time;"
        f" two idle cores could bring {most:.2f} times the pages a second"
    )


def main() -> None:
    """Run all contenders and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", type=Path, metavar="DIR", help="where peers are or will be")
    parser.add_argument("--pages", type=int, default=1500)
    parser.add_argument("--hosts", type=int, default=128, help="each with an address of its own")
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="+", default=[""], help="contenders whose name has this")
    options = parser.parse_args()
    if options.peers:
        install(options.peers)
    with tempfile.TemporaryDirectory() as name, website(options.pages, options.hosts) as site:
        seeds = Path(name) / "seeds.txt"
        seeds.write_text("\n".join(site["seeds"]))
        print(f"{site['pages']} pages of {site['bytes'] / site['pages'] / 1000:.0f} KB")
        runs = {
            contender: [*command, str(seeds), str(options.concurrency)]
            for contender, command in commands(options.peers, build_floor(Path(name))).items()
            if any(part in contender for part in options.only)
        }
        results = best_of(options.rounds, runs, options.pages)
    show(results)
    judge(results)


if __name__ == "__main__":
    main()
