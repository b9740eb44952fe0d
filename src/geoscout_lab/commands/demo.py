"""Show what geoscout does, offline: a focused crawl next to a plain one, searches, and the map.

Generates a synthetic web, serves it on loopback, and crawls it twice over HTTP for the pages about
one city: breadth first and focused, with the same number of pages. Then it runs three searches and
serves both crawls in the browser until Ctrl-C.
"""

import argparse
import shutil
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from geoscout.cli.command import Command, add_option
from geoscout.settings import Settings

EXAMPLE = "  geoscout demo\n  geoscout demo --no-serve --json"
PROFILE, RANDOM_SEED, PAGES, BUDGET = "ahlers2009", 7, 100_000, 2000
QUESTIONS = ("Restaurant in {city}", "Kontakt nahe {city}", "{city}")


@dataclass(frozen=True, slots=True)
class Result:
    """How one of the two crawls went."""

    strategy: str
    folder: Path
    pages: int
    relevant: int

    @property
    def harvest(self) -> float:
        return self.relevant / self.pages if self.pages else 0.0


def create() -> Command:
    return Command(
        __doc__ or "",
        EXAMPLE,
        add_arguments,
        run,
        summary="show what geoscout does, offline",
        listed_before="place",
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-serve", action="store_true", help="do not start the web page")
    add_option(parser, "pages", int, f"pages in the web (default: {PAGES})", default=PAGES)
    add_option(parser, "budget", int, f"pages for each crawl (default: {BUDGET})", default=BUDGET)
    add_option(parser, "port", int, "port of the web page (default: any free one)", default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.show.terminal import gazetteer_for, print_json  # noqa: PLC0415
    from geoscout_lab.commands.demo_crawls import crawl_twice  # noqa: PLC0415
    from geoscout_lab.worlds.synthetic import WebPlan, make_web  # noqa: PLC0415
    from geoscout_places.gazetteer.home import home_folder  # noqa: PLC0415
    from geoscout_places.parse import parse_html  # noqa: PLC0415

    gazetteer = gazetteer_for(settings)
    settings = replace(settings, workers=max(settings.workers, 2))
    web = make_web(WebPlan(PROFILE, RANDOM_SEED, arguments.pages), gazetteer, parse_html)
    folder = home_folder(settings) / "demo"
    shutil.rmtree(folder, ignore_errors=True)
    _say(f"a synthetic web of {web.size:,} pages; which are about {web.region}?")
    results = crawl_twice(web, folder, arguments.budget, settings)
    for result in results:
        _say(f"{result.strategy:>8}: {result.relevant:,} of {result.pages:,} pages are relevant")
    breadth, focused = results
    ratio = focused.harvest / breadth.harvest if breadth.harvest else float("inf")
    _say(
        f"harvest {breadth.harvest:.1%} breadth first, {focused.harvest:.1%} focused: ×{ratio:.1f}"
    )
    answers = _search(focused.folder, web.region, settings, quiet=arguments.json)
    if arguments.json:
        print_json({**_document(breadth, focused, ratio), "searches": answers})
    if arguments.no_serve:
        return 0
    from geoscout.cli.commands.serve import serve  # noqa: PLC0415 - slow to import

    _say("both crawls in the browser, Ctrl-C ends it:")
    serve([focused.folder, breadth.folder], "127.0.0.1", arguments.port, settings)
    return 0


def _document(breadth: Result, focused: Result, ratio: float) -> dict[str, Any]:
    def facts(result: Result) -> dict[str, Any]:
        counts = {"pages": result.pages, "relevant": result.relevant}
        return {"strategy": result.strategy, "harvest": round(result.harvest, 4), **counts}

    return {"breadth": facts(breadth), "focused": facts(focused), "ratio": round(ratio, 2)}


def _search(folder: Path, region: str, settings: Settings, *, quiet: bool) -> list[dict[str, Any]]:
    """Ask the questions of what the focused crawl has found."""
    from geoscout.cli.commands.search import print_answer, update  # noqa: PLC0415
    from geoscout.cli.show.terminal import gazetteer_for  # noqa: PLC0415
    from geoscout.search import open_engine  # noqa: PLC0415
    from geoscout.search.base import Question  # noqa: PLC0415

    gazetteer = gazetteer_for(settings)
    update(folder, gazetteer, settings)
    engine = open_engine(folder, gazetteer, settings)
    asked = []
    for question in QUESTIONS:
        text = question.format(city=region.partition(",")[0])
        answer = engine.answer(Question(text=text, limit=3))
        asked.append({"query": text, "pages": answer.total, "reading": answer.interpretation.label})
        if not quiet:
            print(f"\n$ geoscout search {folder.name} {text!r} --limit 3")
            print_answer(answer)
    return asked


def _say(text: str) -> None:
    print(f"geoscout: {text}", file=sys.stderr, flush=True)
