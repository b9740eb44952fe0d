"""Export what a crawl found: pages, addresses, places, links, visits, or its archive.

Each format and column is explained in docs/export.md.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from geoscout.cli.command import Command
from geoscout.settings import Settings
from geoscout.state.base import open_state
from geoscout.store.export import (
    KINDS,
    ExportSource,
    crawl_source,
    format_names,
    load_format,
    read_since,
)
from geoscout_places.command import opened
from geoscout_places.errors import UsageError


def write_export(source: ExportSource, format: str, out: Path | None) -> None:
    """Write rows in the format of a name; half a file is not left behind."""
    written = load_format(format)
    with opened_for_export(out) as stream:
        written.write(source, stream)


@contextmanager
def opened_for_export(out: Path | None) -> Iterator[BinaryIO]:
    """A stream to a file, or to standard output for None; half a file is not left behind."""
    if out is None:
        yield sys.stdout.buffer
        return
    try:
        stream = out.open("wb")
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror}") from error
    try:
        with stream:
            yield stream
    except BaseException:
        if out.is_file():  # not a device or a pipe
            out.unlink(missing_ok=True)
        raise


EXAMPLE = (
    "  geoscout export oldenburg --format csv > pages.csv\n"
    "  geoscout export oldenburg --what places --since 2d --format jsonl\n"
    "  geoscout export oldenburg --format wacz --out oldenburg.wacz\n"
    "  geoscout export oldenburg --what addresses --format geojson --out addresses.geojson"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument("--format", choices=format_names(), required=True, help="file format")
    parser.add_argument(
        "--what", choices=tuple(KINDS), default="pages", help="what to export (default: pages)"
    )
    parser.add_argument(
        "--since",
        metavar="TIME",
        help="only what was stored or read again since: 2026-03-01, 2026-03-01T08:30:00Z, or how"
        " long ago, such as 12h, 2d or 1w",
    )
    parser.add_argument(
        "--distinct",
        action="store_true",
        help="with --what addresses: each address once, with the number of its pages and sites",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="file to write (default: standard output)"
    )


def run(arguments: argparse.Namespace, _settings: Settings) -> int:
    since = read_since(arguments.since, time.time()) if arguments.since else 0.0
    with open_state(arguments.folder).reader as store:
        source = crawl_source(store, arguments.what, since, distinct=arguments.distinct)
        write_export(source, arguments.format, arguments.out)
    return 0


READ = """\
Print a page as Markdown: headings, lists, tables and links, without the menus of its site.

The page is a file, or the archived copy of a page of a crawl.
"""
READ_EXAMPLE = (
    "  geoscout read page.html\n"
    "  geoscout read oldenburg http://museum.example/visit\n"
    "  geoscout read --url http://museum.example/ - < page.html"
)


def add_read_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", metavar="FILE|DIR", help="a page or PDF (- is standard input), or a crawl"
    )
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help="with DIR: a URL, or the number of a visit"
    )
    parser.add_argument("--url", default="", help="with FILE: its address, for its links")


def run_read(arguments: argparse.Namespace, _settings: Settings) -> int:
    from geoscout_places.parse.markdown import to_markdown  # noqa: PLC0415 - loads the parser

    if arguments.page is not None:
        text = _archived(arguments.what, arguments.page)
    elif Path(arguments.what).is_dir():
        raise UsageError(
            f"{arguments.what} is a folder: name a page of the crawl in it, by URL or number"
        )
    else:
        with opened(arguments.what) as stream:
            text = to_markdown(stream.read(), arguments.url)
    sys.stdout.write(text)
    return 0


def _archived(where: str, page: str) -> str:
    from geoscout.web.api.pages import named_visit, visit_as_markdown  # noqa: PLC0415

    with open_state(where) as crawl:
        return visit_as_markdown(crawl.reader, named_visit(crawl.reader, page))


COMMANDS = {
    "export": Command(__doc__ or "", EXAMPLE, add_arguments, run),
    "read": Command(READ, READ_EXAMPLE, add_read_arguments, run_read),
}
