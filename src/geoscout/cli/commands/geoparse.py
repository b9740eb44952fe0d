"""Find the addresses, place names and scope of texts and web pages.

Reads files or standard input (-): text, or HTML with --html. With --jsonl each line of input is a
document {"id", "text"} or {"id", "html", "url"}, and each line of output is its result.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.places import gazetteer_for
from geoscout.errors import UsageError
from geoscout.settings import Settings

EXAMPLE = (
    "  geoscout geoparse --html --url https://www.example.de/ page.html\n"
    "  echo 'Pizza in Lisbon' | geoscout geoparse -\n"
    "  geoscout geoparse --jsonl < documents.jsonl > places.jsonl"
)


def create() -> Command:
    """The command `geoparse`."""
    return Command(
        summary=SUMMARIES["geoparse"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files to read; - or none reads standard input"
    )
    parser.add_argument("--html", action="store_true", help="the files are HTML, not text")
    parser.add_argument("--url", default="", help="address of the page; its country is a clue")
    parser.add_argument("--jsonl", action="store_true", help="read and write JSON lines")
    parser.add_argument(
        "--region",
        action="append",
        metavar="R",
        help="mark what is inside a region: a place, lat,lon,radius_km, a box or a GeoJSON file",
    )
    parser.add_argument(
        "--format",
        choices=("table", "json", "html"),
        default="table",
        help="html shows the text with its places highlighted and a map (default: table)",
    )
    parser.add_argument("--json", action="store_true", help="the same as --format json")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.show.readings import TextReader  # noqa: PLC0415 - loads the geoparser

    reader = TextReader(gazetteer_for(settings), arguments.region or ())
    if arguments.jsonl:
        _convert_lines(reader)
        return 0
    shape = "json" if arguments.json else arguments.format
    for name in arguments.files or ["-"]:
        content = _read(name)
        document = reader.document(content, arguments.url, html=arguments.html)
        reader.show(document, shape)
    return 0


def _convert_lines(reader: Any) -> None:
    import orjson  # noqa: PLC0415

    for number, line in enumerate(_lines(), start=1):
        try:
            given = orjson.loads(line)
            found = {"id": given.get("id"), **reader.read_line(given)}
        except (orjson.JSONDecodeError, AttributeError, TypeError) as error:
            raise UsageError(
                f'line {number} is not {{"id", "text"}} or {{"id", "html", "url"}}: {error}'
            ) from error
        sys.stdout.buffer.write(orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.buffer.flush()


def _lines() -> Iterator[bytes]:
    return (line for line in sys.stdin.buffer if line.strip())


def _read(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error
