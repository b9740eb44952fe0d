"""Find the addresses, place names and scope of texts and web pages.

Reads files or standard input (-): text, PDF, or HTML with --html. With --jsonl each line of input
is a document {"id", "text"} or {"id", "html", "url"}, and each line of output is its result.

With --warc it reads whole archives (WARC, and WET of Common Crawl) and writes a file for each to
the folder --out, with a row for each page. The same command continues a batch that was stopped.
"""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any

from geoscout.cli.command import Command, add_option
from geoscout.cli.show.terminal import gazetteer_for
from geoscout.settings import Settings
from geoscout_places.command import (
    add_text_arguments,
    filled,
    opened,
    results_of_lines,
    write_lines,
)
from geoscout_places.errors import UsageError

EXAMPLE = (
    "  geoscout geoparse --html --url https://www.example.de/ page.html\n"
    "  echo 'Pizza in Lisbon' | geoscout geoparse -\n"
    "  geoscout geoparse --jsonl documents.jsonl > places.jsonl\n"
    "  geoscout geoparse --warc archives/ --out places --region Munich --workers 8"
)
_SHOWN = ("table", "json", "html")  # formats of texts, the default first
_WRITTEN = ("parquet", "jsonl")  # formats of archives


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_text_arguments(parser)
    parser.add_argument(
        "--region",
        action="append",
        metavar="R",
        help="mark what is inside a region: a place, lat,lon,radius_km, a box or a GeoJSON file;"
        " with --warc, judge whether pages are about it",
    )
    parser.add_argument(
        "--format",
        choices=(*_SHOWN, *_WRITTEN),
        help="html shows the text with its places highlighted and a map (default: table);"
        " with --warc: parquet or jsonl (default: parquet)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="the same as --format json; with --warc, print the counts as one JSON document",
    )
    about = (
        "yes, with --jsonl and --warc: read each page with what the other pages of its site name"
        " and repeat; takes twice the time"
    )
    add_option(parser, "sites", bool, about, default=False)
    _add_batch_arguments(parser)


def _add_batch_arguments(parser: argparse.ArgumentParser) -> None:
    batch = parser.add_argument_group("whole archives")
    batch.add_argument(
        "--warc",
        nargs="+",
        metavar="FILE",
        help="WARC or WET files, folders, patterns in quotes, or @LIST with one of these on a line",
    )
    batch.add_argument("--out", type=Path, metavar="DIR", help="folder for the results")
    batch.add_argument(
        "--workers", type=int, help="processes that read pages (default: one for each processor)"
    )
    batch.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="run on a Ray cluster: host:port, auto, or local for one of this machine alone",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    if arguments.warc:
        return _run_batch(arguments, settings)
    if arguments.out or arguments.ray or arguments.format in _WRITTEN:
        raise UsageError(
            "--out, --ray and --format parquet or jsonl are for archives: --warc FILES"
        )
    return _run_texts(arguments, settings)


def _run_batch(arguments: argparse.Namespace, settings: Settings) -> int:

    if arguments.out is None:
        raise UsageError("--warc needs a folder for the results: --out DIR")
    if arguments.files or arguments.html or arguments.jsonl or arguments.url:
        raise UsageError("--warc does not go with FILE, --html, --url or --jsonl")
    if arguments.format in _SHOWN:
        raise UsageError("--warc writes files: --format parquet or jsonl")
    from geoscout.cli.show.batch_view import run_shown  # noqa: PLC0415 - slow to import, and rare

    return run_shown(arguments, settings)


def _run_texts(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.show.readings import TextReader  # noqa: PLC0415 - loads the geoparser

    reader = TextReader(
        gazetteer_for(settings), arguments.region or (), strict_streets=settings.strict_streets
    )
    if arguments.jsonl:
        _convert_lines(reader, arguments.files, with_sites=arguments.sites)
        return 0
    if arguments.sites:
        raise UsageError("sites is for many pages: --jsonl or --warc")
    shape = "json" if arguments.json else arguments.format or _SHOWN[0]
    for name in arguments.files or ["-"]:
        with opened(name) as stream:
            document = reader.document(stream.read(), arguments.url, html=arguments.html)
        reader.show(document, shape)
    return 0


def _convert_lines(reader: Any, names: Sequence[str], *, with_sites: bool) -> None:
    with ExitStack() as stack:
        streams = [stack.enter_context(opened(name)) for name in names or ["-"]]
        if with_sites:  # a site is known only after its last page, so all are read twice
            copy = stack.enter_context(TemporaryFile())
            for stream in streams:
                copyfileobj(stream, copy)
                copy.write(b"\n")
            copy.seek(0)
            for _ in results_of_lines(filled(copy), reader.learn_line):
                pass
            copy.seek(0)
            streams = [copy]
        lines = chain.from_iterable(map(filled, streams))
        write_lines(results_of_lines(lines, reader.read_line))


COMMANDS = {"geoparse": Command(__doc__ or "", EXAMPLE, add_arguments, run)}
