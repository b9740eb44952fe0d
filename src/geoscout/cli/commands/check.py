"""Compare all responses of a crawl with what the crawl knows of them.

Reads the whole archive, the database and the index, and says what is damaged or missing. A crawl
notices by itself when the end of its archive is damaged; this also finds damage further back. Also
works while the crawl is running, without --repair. The exit status is 1 if there is any damage.

--repair copies damaged bytes to archive/*.damaged and puts an empty record in their place; a file
that is too short is cut after its last whole record; a damaged index is deleted and made again by
the next search. The segments of a crawl in PostgreSQL are left as they are.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from msgspec.structs import replace

from geoscout.cli.command import Command
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.terminal import checking, print_json
from geoscout.crawl_folder import mark_made_here
from geoscout.index.files import damage_of_index
from geoscout.search.updating import erase_index
from geoscout.settings import Settings
from geoscout.state.base import (
    FOLDERS,
    Writing,
    backend_name,
    index_folder,
    is_url,
    open_state,
    resume_state,
)
from geoscout.store.base import ArchiveDamage
from geoscout_places.gazetteer.home import home_folder

EXAMPLE = "  geoscout check oldenburg\n  geoscout check oldenburg --repair"
_MOST_SHOWN = 20  # URLs


def create() -> Command:
    """The command `check`."""
    return Command(
        summary=SUMMARIES["check"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder or address")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="forget damaged responses, and have `geoscout resume` fetch their URLs again",
    )
    parser.add_argument(
        "--trust",
        action="store_true",
        help="let a folder that was copied, or that somebody sent, do what it asks for: have its"
        " own database, ask private addresses, or have links in it",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object: `responses`, `lost` (URLs) and `problems`",
    )


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    if arguments.trust and not is_url(arguments.folder):
        mark_made_here(Path(arguments.folder))
    damage, urls = _look(arguments.folder, settings)
    _show(damage, urls, as_json=arguments.json)
    if damage and arguments.repair:
        _repair(arguments.folder, damage, settings)
        damage, _ = _look(arguments.folder, settings)
        if not damage:
            print("repaired; `geoscout resume` fetches what was lost", file=sys.stderr)
    return int(bool(damage))


def _repair(where: str, damage: ArchiveDamage, settings: Settings) -> None:
    is_folder = backend_name(where) == FOLDERS
    if is_folder:
        resume_state(where, Writing(check_all=True)).close()
    elif damage.lost:
        from geoscout_cluster.postgres.own_state import direct_address  # noqa: PLC0415 - few crawls are such
        from geoscout_cluster.postgres.repair import forget_lost  # noqa: PLC0415

        forget_lost(direct_address(where), damage.lost)
    if not is_folder or _damage_of_index(where, settings):
        erase_index(where, settings)


def _look(where: str, settings: Settings) -> tuple[ArchiveDamage, list[str]]:
    """What is damaged, and the URLs whose responses are lost."""
    with open_state(where) as crawl, checking() as progress:
        damage = crawl.reader.damage(progress)
        visits = [crawl.reader.visit(n) for n in damage.lost]
    problems = [*damage.problems, *_damage_of_index(where, settings)]
    return replace(damage, problems=problems), [visit.url for visit in visits if visit]


def _damage_of_index(where: str, settings: Settings) -> list[str]:
    return damage_of_index(index_folder(where, home_folder(settings)))


def _show(damage: ArchiveDamage, urls: list[str], *, as_json: bool) -> None:
    if as_json:
        print_json({"responses": damage.responses, "lost": urls, "problems": list(damage.problems)})
        return
    for problem in damage.problems:
        print(problem)
    for url in urls[:_MOST_SHOWN]:
        print(f"lost: {url}")
    if len(urls) > _MOST_SHOWN:
        print(f"… and {len(urls) - _MOST_SHOWN:,} more")
    print(f"{damage.responses:,} responses read, {len(urls):,} lost")
