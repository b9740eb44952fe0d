"""Train the model that `crawl --collaboration classifier` needs.

It learns from the pages of earlier crawls, which the geoparser has labelled with a city, or from a
file of labelled texts. Prints how often the model is right about every fifth page, held back for
that.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from geoscout.cli.command import Command, add_option
from geoscout.cli.show.terminal import gazetteer_for, print_json, print_table
from geoscout.crawling.nodes import partition_of
from geoscout.settings import Settings
from geoscout_places.errors import UsageError

if TYPE_CHECKING:
    from geoscout.collaborate import Partition
    from geoscout.collaborate.classifier import Labelled, Training

EXAMPLE = (
    "  geoscout classifier cities.npz --nodes gao2006 --crawl earlier\n"
    "  geoscout classifier towns.npz --nodes towns.toml --texts labelled.jsonl"
)
_OF_NONE = "none of them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "out", type=Path, metavar="OUT", help="file to write the model to; must not exist"
    )
    parser.add_argument(
        "--nodes",
        default="",
        metavar="FILE",
        help="partition whose cities are told apart, as in `crawl`",
    )
    parser.add_argument(
        "--region",
        action="append",
        default=[],
        metavar="R",
        help="a city to tell apart; repeatable, instead of --nodes",
    )
    parser.add_argument(
        "--crawl", nargs="+", default=[], metavar="DIR", help="crawls to learn from"
    )
    parser.add_argument(
        "--texts",
        nargs="+",
        type=Path,
        default=[],
        metavar="FILE",
        help='lines {"text": "…", "place": "Mesa, AZ"}; null for no place',
    )
    add_option(parser, "classes", str, "cities, or nodes: one class for all cities of a node")
    add_option(parser, "of_city", int, "most pages of a city (default: 500)")
    add_option(parser, "of_none", int, "most pages of no city (default: 2000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.collaborate import classifier  # noqa: PLC0415 - imports numpy
    from geoscout_places.gazetteer import Region  # noqa: PLC0415

    if not (arguments.crawl or arguments.texts):
        raise UsageError("there is nothing to learn from: give --crawl DIR or --texts FILE")
    if arguments.out.exists():
        raise UsageError(f"{arguments.out} is there already; give a new file")
    gazetteer = gazetteer_for(settings)
    region = Region.parse(arguments.region, gazetteer)
    partition = partition_of(arguments.nodes, region, gazetteer)
    files = (
        classifier.read_labelled(_lines(file), partition, gazetteer) for file in arguments.texts
    )
    crawls = (_pages(folder, partition) for folder in arguments.crawl)
    chosen = classifier.choose_pages(
        chain(*files, *crawls),
        classifier.PAGES_A_CITY if arguments.of_city is None else arguments.of_city,
        classifier.PAGES_OF_NONE if arguments.of_none is None else arguments.of_none,
    )
    if arguments.classes not in (None, "cities", "nodes"):
        raise UsageError(f"classes is cities or nodes, not {arguments.classes!r}")
    if arguments.classes == "nodes":
        chosen = classifier.of_nodes(chosen, partition)
    training = classifier.train_and_test(chosen)
    arguments.out.write_bytes(training.model.save())
    _show(training, partition, as_json=arguments.json)
    return 0


def _lines(file: Path) -> Iterator[str]:
    try:
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from error


def _pages(crawl: str, partition: Partition) -> Iterator[Labelled]:
    """The texts of a crawl's pages, with the city the geoparser found each to be about."""
    from geoscout.crawling.nodes import city_of  # noqa: PLC0415
    from geoscout.state.base import open_state  # noqa: PLC0415
    from geoscout.state.changes import read_pages  # noqa: PLC0415

    with open_state(crawl).reader as store:
        visits = {visit.n: visit for visit in store.pages()}
        for n, read in read_pages(store, visits):
            yield read.page.text, city_of(store, visits[n], partition)


def _show(training: Training, partition: Partition, *, as_json: bool) -> None:
    names = {place: city.name for place, city in partition.targets.items()}
    counts = {names.get(place, _OF_NONE): pages for place, pages in training.pages.items()}
    if as_json:
        facts = {"accuracy": training.accuracy, "held_back": training.held_back, "pages": counts}
        print_json(facts)
        return
    rows = sorted(counts.items(), key=lambda item: -item[1])
    print_table("", ("city", "pages>"), [(name, str(pages)) for name, pages in rows])
    missing = len(names) - sum(place in names for place in training.pages)
    if missing:
        print(f"\nno page of {missing} of {len(names)} cities: they will never be recognised")
    if training.accuracy is not None:
        print(f"\nright about {training.accuracy:.1%} of {training.held_back} pages held back")


COMMANDS = {"classifier": Command(__doc__ or "", EXAMPLE, add_arguments, run)}
