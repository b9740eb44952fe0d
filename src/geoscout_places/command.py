"""The command `geoscout-places`: `place`, `geoparse` and `gazetteer`, without a crawler.

`geoscout` has the same three with more around them, from the functions here.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import orjson
from msgspec.structs import replace

from geoscout_places.errors import GeoscoutError, UsageError
from geoscout_places.gazetteer import extras
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import (
    BuildProgress,
    Home,
    HomeSettings,
    build_gazetteer,
    home_folder,
    open_gazetteer,
)
from geoscout_places.language import all_languages
from geoscout_places.model import Candidate, NameRole, OnProgress
from geoscout_places.terminal import (
    candidate_as_json,
    print_candidates,
    print_json,
    print_reading,
    print_table,
)

if TYPE_CHECKING:
    from geoscout_places.gazetteer.imports import FileImport

DONE, FAILED, USAGE = 0, 1, 2
NOT_ALL_IMPORTED = 2  # exit status: the user can mend the files that were left out
PLACE = "Look up a name in the gazetteer: the places it may mean, most likely first."
GEOPARSE = """Find the addresses, place names and scope of texts and web pages.

Reads files or standard input (-): text, PDF, or HTML with --html. With --jsonl each line of input
is a document {"id", "text"} or {"id", "html", "url"}, and each line of output is its result."""
GAZETTEER = """Build the gazetteer, describe it, or import your own files.

`build` compiles the tables that ship with geoscout, the optional data packages that are installed
and your imports into one file. It also runs on its own when a command first needs the gazetteer.
`info` shows what the gazetteer contains. `import` reads GeoNames dumps, postal codes, TIGER/Line
or street lists, as many as you name, and builds once at the end; see docs/gazetteer-import.md for
the formats."""


class Shown(NamedTuple):
    """How people are told how far long work is."""

    building: Callable[[], AbstractContextManager[BuildProgress]]
    reading: Callable[[str], AbstractContextManager[OnProgress]]


def add_place_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="+", metavar="NAME", help='such as Lisbon or "Lisbon, NH"')
    parser.add_argument("--country", default="", help="only places of this country (code or name)")
    parser.add_argument("--limit", type=int, default=10, help="at most this many (default: 10)")
    parser.add_argument(
        "--json",
        action="store_true",
        help="a JSON list, best first; `path` goes from the broad to the narrow",
    )


def run_place(arguments: argparse.Namespace, gazetteer: Gazetteer) -> int:
    """What a name or postal code may mean, as a table or as JSON."""
    name = " ".join(arguments.name)
    found = _with_postcode(name, arguments.country, gazetteer) if name[-1:].isdigit() else []
    found = list(found or gazetteer.find(name, arguments.country))[: arguments.limit]
    if arguments.json:
        print_json([candidate_as_json(gazetteer, candidate) for candidate in found])
    else:
        print_candidates(gazetteer, found, name)
    return DONE


def _with_postcode(code: str, country: str, gazetteer: Gazetteer) -> list[Candidate]:
    """The towns with a postal code, the largest first, where the code is."""
    spoken = {code for language in all_languages() for code in language.countries}
    countries = [gazetteer.find(country)[0].place.country] if country else sorted(spoken)
    rows = [row for one in countries for row in gazetteer.postcodes(one, code.upper())]
    whole = [row for row in rows if row.code == code.upper()]
    found = []
    for row in whole or rows:
        if town := gazetteer.place(row.place_id):
            town = replace(town, name=f"{row.code} {town.name}", point=row.point)
            found.append(Candidate(town, 0.0, NameRole.CODE))
    return sorted(found, key=lambda candidate: -candidate.place.population)


def add_text_arguments(parser: argparse.ArgumentParser) -> None:
    """What says which texts are read, and how."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files to read; - or none reads standard input"
    )
    parser.add_argument("--html", action="store_true", help="the files are HTML, not text")
    parser.add_argument("--url", default="", help="address of the page; its country is a clue")
    parser.add_argument("--jsonl", action="store_true", help="read and write JSON lines")


def opened(name: str) -> AbstractContextManager[IO[bytes]]:
    """A file, or standard input."""
    if name == "-":
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(name).open("rb")
    except OSError as error:
        raise UsageError(f"cannot read {name}: {error.strerror}") from error


def results_of_lines(lines: Iterable[bytes], read: Callable[[Any], Any]) -> Iterator[Any]:
    """What a function makes of each line of JSON lines."""
    for number, line in enumerate(lines, start=1):
        try:
            yield read(orjson.loads(line))
        except (orjson.JSONDecodeError, AttributeError, TypeError) as error:
            raise UsageError(
                f'line {number} is not {{"id", "text"}} or {{"id", "html", "url"}}: {error}'
            ) from error


def filled(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines that are not empty."""
    return (line for line in stream if line.strip())


def write_lines(results: Iterable[Any]) -> None:
    """Each result as a line of JSON on standard output."""
    for found in results:
        sys.stdout.buffer.write(orjson.dumps(found, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.buffer.flush()


def _run_geoparse(arguments: argparse.Namespace, gazetteer: Gazetteer) -> int:
    from geoscout_places.library import Places, document_of_line  # noqa: PLC0415 - loads much

    places = Places(gazetteer)

    def read_line(given: dict[str, Any]) -> dict[str, Any]:
        document = document_of_line(given)
        found = places.read(document)
        text = {"text": found.text} if isinstance(document.body, bytes) else {}
        return {"id": given.get("id"), **found.as_dict(), **text}

    with ExitStack() as stack:
        streams = [stack.enter_context(opened(name)) for name in arguments.files or ["-"]]
        if arguments.jsonl:
            lines = chain.from_iterable(map(filled, streams))
            write_lines(results_of_lines(lines, read_line))
            return DONE
        for stream in streams:
            content = stream.read()
            is_text = not arguments.html and not content.startswith(b"%PDF-")
            given = content.decode("utf-8", "replace") if is_text else content
            found = places.read(given, url=arguments.url)
            if arguments.json:
                print_json({**found.as_dict(), **({} if is_text else {"text": found.text})})
            elif arguments.geojson:
                print_json(found.as_geojson())
            else:
                print_reading(found.reading, gazetteer)
    return DONE


def add_gazetteer_arguments(
    parser: argparse.ArgumentParser, add_more: Callable[[argparse.ArgumentParser], None]
) -> None:
    """`add_more` adds what every action has besides."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="build|info|import")
    build = actions.add_parser("build", help="compile the gazetteer again")
    info = actions.add_parser("info", help="show its contents and sources")
    info.add_argument("--json", action="store_true", help="print one JSON object")
    reader = actions.add_parser("import", help="import files of yours")
    reader.add_argument("files", type=Path, nargs="+", metavar="FILE", help="what to import")
    reader.add_argument("--format", help="format of the files (default: detected for each)")
    reader.add_argument(
        "--json", action="store_true", help="print one JSON object, or a list for several files"
    )
    for action in (build, info, reader):
        add_more(action)


def run_gazetteer(arguments: argparse.Namespace, home: HomeSettings, shown: Shown) -> int:
    """Build, describe or import."""
    return {"build": _build, "info": _info, "import": _import}[arguments.action](
        arguments, home, shown
    )


def _build(_arguments: argparse.Namespace, home: HomeSettings, shown: Shown) -> int:
    with shown.building() as progress:
        file = build_gazetteer(home, progress)
    print(f"{file} ({file.stat().st_size / 1e6:.0f} MB)")
    return DONE


def _info(arguments: argparse.Namespace, home: HomeSettings, shown: Shown) -> int:
    with shown.building() as progress:
        facts = open_gazetteer(home, progress).describe()
    facts["installed extras"] = ", ".join(e.name for e in extras.available()) or "none"
    if arguments.json:
        print_json(facts)
    else:
        rows = [(key, f"{v:,}" if isinstance(v, int) else str(v)) for key, v in facts.items()]
        print_table("", ("what", "value>"), rows)
    return DONE


def _import(arguments: argparse.Namespace, home: HomeSettings, shown: Shown) -> int:
    """Import the files and build once; the status tells whether all could be imported."""
    files = arguments.files
    if len(files) > 1 and _name_of(arguments):
        raise UsageError("name is for one file; several are called after their format and file")
    outcomes: list[FileImport] = []
    try:
        for outcome in _read_files(arguments, home_folder(home), shown):
            outcomes.append(outcome)
            if not arguments.json:
                _print_outcome(outcome)
    except KeyboardInterrupt:
        _say_what_is_kept(outcomes, len(files))
        raise
    if any(outcome.report for outcome in outcomes):
        with shown.building() as built:
            build_gazetteer(home, built)
    if arguments.json:
        told = [_as_json(outcome) for outcome in outcomes]
        print_json(told if len(files) > 1 else told[0])
    return 0 if all(outcome.report for outcome in outcomes) else NOT_ALL_IMPORTED


def _read_files(arguments: argparse.Namespace, home: Path, shown: Shown) -> Iterator[FileImport]:
    from geoscout_places.gazetteer import imports  # noqa: PLC0415 - only for this action

    def show(file: Path, number: int, files: int) -> AbstractContextManager[OnProgress]:
        return shown.reading(f"{file.name} ({number} of {files})")

    if len(arguments.files) > 1:
        return imports.import_files(arguments.files, home, show, arguments.format)
    (file,) = arguments.files
    with shown.reading(file.name) as progress:
        report = imports.import_file(
            file, home, format=arguments.format, name=_name_of(arguments), progress=progress
        )
    return iter([imports.FileImport(file, report)])


def _name_of(arguments: argparse.Namespace) -> str | None:
    """The name of an import, where the command can be given one."""
    return getattr(arguments, "name", None)


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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status: 0 done, 1 it failed, 2 the user can fix it."""
    try:
        arguments = _parser().parse_args(argv)
        status = _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of the output has gone
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except GeoscoutError as error:
        print(error, file=sys.stderr)
        return USAGE if isinstance(error, UsageError) else FAILED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="geoscout-places", description="Finds places in texts and pages, offline."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    plain = argparse.RawDescriptionHelpFormatter

    def add(name: str, summary: str, about: str, example: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            name, help=summary, description=about, epilog=example, formatter_class=plain
        )
        home = "folder for compiled gazetteers (or GEOSCOUT_HOME)"
        made.add_argument("--home", default=os.environ.get("GEOSCOUT_HOME", ""), help=home)
        return made

    place = add(
        "place", "look up a name", PLACE, "example: geoscout-places place Lisbon --country PT"
    )
    add_place_arguments(place)
    example = "example: echo 'Pizza in Lisbon' | geoscout-places geoparse --json"
    texts = add("geoparse", "find the places of texts and pages", GEOPARSE, example)
    add_text_arguments(texts)
    shapes = texts.add_mutually_exclusive_group()
    shapes.add_argument("--json", action="store_true", help="print one JSON object for each file")
    shapes.add_argument("--geojson", action="store_true", help="print a FeatureCollection")
    example = "example: geoscout-places gazetteer import DE.zip"
    about = "build, describe or extend the gazetteer"
    add_gazetteer_arguments(add("gazetteer", about, GAZETTEER, example), lambda _: None)
    return parser


def _run(arguments: argparse.Namespace) -> int:
    home, shown = Home(arguments.home), Shown(_building, _reading)
    if arguments.command == "gazetteer":
        return run_gazetteer(arguments, home, shown)
    with _building() as progress:
        gazetteer = open_gazetteer(home, progress)
    run = run_place if arguments.command == "place" else _run_geoparse
    return run(arguments, gazetteer)


@contextmanager
def _building() -> Iterator[BuildProgress]:
    """Says once that a build takes a while, when there is one."""
    said: list[str] = []

    def tell(_what: str, _share: float) -> None:
        if not said:
            said.append("building the gazetteer, which is done once and takes a minute or two")
            print(said[0], file=sys.stderr)

    yield tell


def _reading(name: str) -> AbstractContextManager[OnProgress]:
    print(f"reading {name}", file=sys.stderr)
    return nullcontext(lambda _done, _total: None)


if __name__ == "__main__":
    sys.exit(main())
