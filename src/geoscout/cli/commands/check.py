"""Compare all responses of a crawl with what the crawl knows of them.

Reads the whole archive, the database and the index, and says what is damaged or missing. Also
works while the crawl is running, without --repair. The exit status is 1 if there is any damage.

--repair copies damaged bytes to archive/*.damaged and puts an empty record in their place; a file
that is too short is cut after its last whole record; a damaged index is deleted and made again by
the next search. The segments of a crawl in PostgreSQL are left as they are.
"""

import argparse
import sys
from pathlib import Path

from msgspec.structs import replace

from geoscout.cli.command import Command, add_option
from geoscout.cli.commands.search import update
from geoscout.cli.show.terminal import counting, gazetteer_for, print_json
from geoscout.crawl_folder import mark_made_here
from geoscout.crawling.steering import leave_alone
from geoscout.crawling.workers import cluster
from geoscout.entries import directory
from geoscout.index.files import damage_of_index
from geoscout.search.updating import erase_index
from geoscout.settings import Settings
from geoscout.state.base import FOLDERS, backend_name, backend_of, index_folder, is_url, open_state
from geoscout.state.forgetting import HostTraces, forget_host, settle_forgotten, trace_host
from geoscout.state.sqlite import folder_of
from geoscout.store.base import ArchiveDamage
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import home_folder

EXAMPLE = "  geoscout check oldenburg\n  geoscout check oldenburg --repair"
_MOST_SHOWN = 20  # URLs


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
    if is_folder or damage.lost:
        backend_of(where).repair(where, damage.lost)
    if not is_folder or _damage_of_index(where, settings):
        erase_index(where, settings)


def _look(where: str, settings: Settings) -> tuple[ArchiveDamage, list[str]]:
    """What is damaged, and the URLs whose responses are lost."""
    with open_state(where) as crawl, counting("checking", "responses") as progress:
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


FORGET_EXAMPLE = (
    "  geoscout forget oldenburg museum.example --dry-run\n"
    "  geoscout forget oldenburg museum.example\n"
    "  geoscout forget oldenburg www.museum.example --set allow_again=yes"
)


FORGET = """Delete everything that a crawl has of a host, and leave the host alone from now on.

That is its pages, archive records, waiting requests, documents of the search index, and what its
pages said of entries of the directory; of HOST and of all hosts below it. What other sites say of
it stays. It cannot be undone: look with --dry-run first. The crawl must not be running.
"""


def add_forget_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", help="the crawl's folder")
    parser.add_argument("host", metavar="HOST", help="such as museum.example; a URL names its host")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be deleted, and delete nothing"
    )
    about = "yes: let the crawl fetch the host again"
    add_option(parser, "allow_again", bool, about, default=False)
    parser.add_argument("--json", action="store_true", help="print one JSON object, with counts")


def run_forget(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.search.target import FilterTexts, read_filters  # noqa: PLC0415

    where = str(arguments.folder)
    shared = _address_of_shared(where)
    host = read_filters(FilterTexts(host=arguments.host)).host
    if not host:
        raise UsageError("name a host, such as museum.example")
    traces = _trace(where, shared, host)
    entries = 0
    if not arguments.dry_run:
        if not arguments.allow_again:
            leave_alone(where, sorted({host, *traces.hosts}))
        entries = forget_everywhere(where, shared, host, gazetteer_for(settings), settings)
    told = {
        "host": host,
        "hosts": list(traces.hosts),
        "pages": traces.pages,
        "responses": traces.visits,
        "failures": traces.failures,
        "waiting": traces.waiting,
        "archive_bytes": traces.archive_bytes,
    }
    if arguments.json:
        print_json({**told, "deleted": not arguments.dry_run})
        return 0
    verb = "would be forgotten" if arguments.dry_run else "forgotten"
    print(
        f"{verb}: {traces.visits:,} responses ({traces.pages:,} pages, {traces.archive_bytes:,}"
        f" bytes of the archive), {traces.failures:,} failures, {traces.waiting:,} waiting requests"
    )
    if entries:
        print(f"{entries:,} entries of the directory were named by its pages")
    if traces.hosts:
        print(f"hosts: {', '.join(traces.hosts)}")
    if not traces:
        print(f"the crawl has nothing of {host}", file=sys.stderr)
    return 0


def _address_of_shared(where: str) -> str:
    """The address in PostgreSQL of a crawl that is kept there; "" for one in SQLite."""
    from geoscout.crawl_folder import require_plain  # noqa: PLC0415

    if not is_url(where) and Path(where).is_dir():
        require_plain(Path(where))
    if backend_name(where) == FOLDERS:
        return ""
    return cluster().address(where)


def _trace(where: str, shared: str, host: str) -> HostTraces:
    if not shared:
        return trace_host(folder_of(where), host)
    return cluster().trace(shared, host)


def forget_everywhere(
    where: str, shared: str, host: str, gazetteer: Gazetteer, settings: Settings
) -> int:
    """Forget a host; how many entries of the directory its pages named.

    The state comes first: index and directory follow it also when this is interrupted. The index is
    made again, because the files of Tantivy keep deleted texts until they are merged.
    """
    if shared:
        cluster().forget(shared, host)
    else:
        forget_host(folder_of(where), host)
    entries = directory().forget(where, host, gazetteer, settings)
    if index_folder(where, home_folder(settings)).is_dir():
        erase_index(where, settings)
        update(where, gazetteer, settings)
    if not shared:
        settle_forgotten(folder_of(where), host)
    return entries


COMMANDS = {
    "check": Command(__doc__ or "", EXAMPLE, add_arguments, run),
    "forget": Command(FORGET, FORGET_EXAMPLE, add_forget_arguments, run_forget),
}
