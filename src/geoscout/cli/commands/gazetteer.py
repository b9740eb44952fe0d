"""Build the gazetteer, describe it, or import your own files.

`build` compiles the tables that ship with geoscout, the optional data packages that are installed
and your imports into one file. It also runs on its own when a command first needs the gazetteer.
`info` shows what the gazetteer contains. `import` reads GeoNames dumps, postal codes, TIGER/Line
or street lists, as many as you name, and builds once at the end; see docs/gazetteer-import.md for
the formats.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from geoscout.cli.command import Command, add_option, add_shared
from geoscout.cli.show.terminal import building, gazetteer_for, print_json, print_table, reading
from geoscout.settings import Settings
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import extras
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import build_gazetteer, home_folder
from geoscout_places.model import Candidate, NameRole, OnProgress

if TYPE_CHECKING:
    from geoscout_places.gazetteer.imports import FileImport

EXAMPLE = "  geoscout gazetteer info\n  geoscout gazetteer import DE.zip AT.zip CH.zip"
NOT_ALL_IMPORTED = 2  # exit status: the user can mend the files that were left out


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="build|info|import")
    build = actions.add_parser("build", help="compile the gazetteer again")
    info = actions.add_parser("info", help="show its contents and sources")
    info.add_argument("--json", action="store_true", help="print one JSON object")
    reader = actions.add_parser("import", help="import files of yours")
    reader.add_argument("files", type=Path, nargs="+", metavar="FILE", help="what to import")
    reader.add_argument("--format", help="format of the files (default: detected for each)")
    about = "of the import of one file; an import of the same name is replaced"
    add_option(reader, "name", str, about)
    reader.add_argument(
        "--json", action="store_true", help="print one JSON object, or a list for several files"
    )
    for action in (build, info, reader):
        add_shared(action, is_part=True)


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    return {"build": _build, "info": _info, "import": _import}[arguments.action](
        arguments, settings
    )


def _build(_arguments: argparse.Namespace, settings: Settings) -> int:
    with building() as progress:
        file = build_gazetteer(settings, progress)
    print(f"{file} ({file.stat().st_size / 1e6:.0f} MB)")
    return 0


def _info(arguments: argparse.Namespace, settings: Settings) -> int:
    gazetteer = gazetteer_for(settings)
    facts = gazetteer.describe()
    facts["installed extras"] = ", ".join(e.name for e in extras.available()) or "none"
    if arguments.json:
        print_json(facts)
    else:
        rows = [(key, f"{v:,}" if isinstance(v, int) else str(v)) for key, v in facts.items()]
        print_table("", ("what", "value>"), rows)
    return 0


def _import(arguments: argparse.Namespace, settings: Settings) -> int:
    """Import the files and build once; the status tells whether all could be imported."""
    files = arguments.files
    if len(files) > 1 and arguments.name is not None:
        raise UsageError("name is for one file; several are called after their format and file")
    outcomes: list[FileImport] = []
    try:
        for outcome in _read_files(arguments, home_folder(settings)):
            outcomes.append(outcome)
            if not arguments.json:
                _print_outcome(outcome)
    except KeyboardInterrupt:
        _say_what_is_kept(outcomes, len(files))
        raise
    if any(outcome.report for outcome in outcomes):
        with building() as built:
            build_gazetteer(settings, built)
    if arguments.json:
        shown = [_as_json(outcome) for outcome in outcomes]
        print_json(shown if len(files) > 1 else shown[0])
    return 0 if all(outcome.report for outcome in outcomes) else NOT_ALL_IMPORTED


def _read_files(arguments: argparse.Namespace, home: Path) -> Iterator[FileImport]:
    from geoscout_places.gazetteer import imports  # noqa: PLC0415 - only for this action

    if len(arguments.files) > 1:
        return imports.import_files(arguments.files, home, _show_reading, arguments.format)
    (file,) = arguments.files
    with reading(file.name) as progress:
        report = imports.import_file(
            file, home, format=arguments.format, name=arguments.name, progress=progress
        )
    return iter([imports.FileImport(file, report)])


def _show_reading(file: Path, number: int, files: int) -> AbstractContextManager[OnProgress]:
    return reading(f"{file.name} ({number} of {files})")


def _print_outcome(outcome: FileImport) -> None:
    if outcome.report is None:
        print(f"{outcome.file.name}: not imported: {outcome.error}", file=sys.stderr)
        return
    report = outcome.report
    print(
        f"{outcome.file.name}: {report.rows:,} rows imported as {report.format}, "
        f"{report.rejected:,} lines rejected"
    )
    for rejection in report.first_rejections:
        print(f"  {rejection}")


def _say_what_is_kept(outcomes: Sequence[FileImport], files: int) -> None:
    done = sum(outcome.report is not None for outcome in outcomes)
    if done:
        print(
            f"{done} of {files} files are imported; the gazetteer takes them up when it is built "
            "next. Run the command again with the other files.",
            file=sys.stderr,
        )


def _as_json(outcome: FileImport) -> dict[str, object]:
    if outcome.report is None:
        return {"file": str(outcome.file), "error": outcome.error}
    return {"file": str(outcome.file), **asdict(outcome.report)}


PLACE_EXAMPLE = '  geoscout place "Athens, Alabama"\n  geoscout place Lisbon --country PT --json'


PLACE = """Look up a name in the gazetteer: the places it may mean, most likely first."""


def add_place_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="+", metavar="NAME", help='such as Lisbon or "Lisbon, NH"')
    parser.add_argument("--country", default="", help="only places of this country (code or name)")
    parser.add_argument("--limit", type=int, default=10, help="at most this many (default: 10)")
    parser.add_argument(
        "--json",
        action="store_true",
        help="a JSON list, best first; `path` goes from the broad to the narrow",
    )


def run_place(arguments: argparse.Namespace, settings: Settings) -> int:
    gazetteer = gazetteer_for(settings)
    found = gazetteer.find(" ".join(arguments.name), arguments.country)[: arguments.limit]
    if arguments.json:
        print_json([_candidate_json(gazetteer, candidate) for candidate in found])
    else:
        print_candidates(gazetteer, found)
    return 0


def print_candidates(gazetteer: Gazetteer, found: Sequence[Candidate]) -> None:
    columns = ("name", "kind", "in", "population>", "latitude>", "longitude>", "id>", "GeoWordNet")
    print_table("", columns, [_as_row(gazetteer, candidate) for candidate in found])


def _candidate_json(gazetteer: Gazetteer, candidate: Candidate) -> dict[str, object]:
    place = candidate.place
    return {
        "name": place.name,
        "country": place.country,
        "path": gazetteer.path(place),
        "lat": place.point.latitude,
        "lon": place.point.longitude,
        "population": place.population,
        "id": place.id,
        "geonameid": place.geonames_id,
        "kind": place.kind if candidate.role != NameRole.DEMONYM else "demonym",
        "timezone": place.timezone or None,
        "synset": _synset(gazetteer, candidate) or None,
    }


def _as_row(gazetteer: Gazetteer, candidate: Candidate) -> tuple[str, ...]:
    place = candidate.place
    return (
        place.name,
        place.kind,
        " > ".join(gazetteer.path(place)[:-1]),
        f"{place.population:,}" if place.population else "",
        f"{place.point.latitude:.4f}",
        f"{place.point.longitude:.4f}",
        str(place.id) if place.id > 0 else "",
        _synset(gazetteer, candidate),
    )


def _synset(gazetteer: Gazetteer, candidate: Candidate) -> str:
    return ", ".join(f"{synset.offset:08d}-n" for synset in gazetteer.synsets(candidate.place))


COMMANDS = {
    "gazetteer": Command(__doc__ or "", EXAMPLE, add_arguments, run),
    "place": Command(PLACE, PLACE_EXAMPLE, add_place_arguments, run_place),
}
