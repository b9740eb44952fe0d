"""Print a page as Markdown: headings, lists, tables and links, without the menus of its site.

The page is a file, or the archived copy of a page of a crawl.
"""

import argparse
import sys
from pathlib import Path

from geoscout.cli.command import Command
from geoscout.settings import Settings
from geoscout_places.errors import UsageError

EXAMPLE = (
    "  geoscout read page.html\n"
    "  geoscout read oldenburg http://museum.example/visit\n"
    "  geoscout read --url http://museum.example/ - < page.html"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", metavar="FILE|DIR", help="a page or PDF (- is standard input), or a crawl"
    )
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help="with DIR: a URL, or the number of a visit"
    )
    parser.add_argument("--url", default="", help="with FILE: its address, for its links")


def run(arguments: argparse.Namespace, _settings: Settings) -> int:
    from geoscout_places.parse.markdown import to_markdown  # noqa: PLC0415 - loads the parser

    if arguments.page is not None:
        text = _archived(arguments.what, arguments.page)
    else:
        text = to_markdown(_given(arguments.what), arguments.url)
    sys.stdout.write(text)
    return 0


def _given(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read()
    if Path(name).is_dir():
        raise UsageError(f"{name} is a folder: name a page of the crawl in it, by URL or number")
    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error


def _archived(where: str, page: str) -> str:
    from geoscout.state.base import open_state  # noqa: PLC0415 - the databases
    from geoscout.web.api.pages import named_visit, visit_as_markdown  # noqa: PLC0415

    with open_state(where) as crawl:
        return visit_as_markdown(crawl.reader, named_visit(crawl.reader, page))


COMMANDS = {
    "read": Command(__doc__ or "", EXAMPLE, add_arguments, run),
}
