"""Build the gazetteer, describe it, or import your own files.

`build` compiles the tables that ship with geoscout, the optional data packages that are installed
and your imports into one file. It also runs on its own when a command first needs the gazetteer.
`info` shows what the gazetteer contains. `import` reads a GeoNames dump, postal codes, TIGER/Line
or street lists; see docs/gazetteer-import.md for the formats.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from geoscout.cli.command import Command, add_shared
from geoscout.cli.commands import SUMMARIES
from geoscout.cli.show.places import gazetteer_for
from geoscout.cli.show.terminal import building, print_json, print_table, reading
from geoscout.gazetteer import extras
from geoscout.gazetteer.home import build_gazetteer, home_folder
from geoscout.settings import Settings

EXAMPLE = "  geoscout gazetteer info\n  geoscout gazetteer import allCountries.zip"


def create() -> Command:
    """The command `gazetteer`."""
    return Command(
        summary=SUMMARIES["gazetteer"],
        description=__doc__ or "",
        example=EXAMPLE,
        add_arguments=add_arguments,
        run=run,
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="build|info|import")
    build = actions.add_parser("build", help="compile the gazetteer again")
    info = actions.add_parser("info", help="show its contents and sources")
    info.add_argument("--json", action="store_true", help="print one JSON object")
    reader = actions.add_parser("import", help="import a file of yours")
    for action in (build, info, reader):
        add_shared(action, is_part=True)
    reader.add_argument("file", type=Path, metavar="FILE")
    reader.add_argument("--format", help="format of the file (default: detected)")
    reader.add_argument("--name", help="name of the import; an import of the same name is replaced")
    reader.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    {"build": _build, "info": _info, "import": _import}[arguments.action](arguments, settings)
    return 0


def _build(_arguments: argparse.Namespace, settings: Settings) -> None:
    with building() as progress:
        file = build_gazetteer(settings, progress)
    print(f"{file} ({file.stat().st_size / 1e6:.0f} MB)")


def _info(arguments: argparse.Namespace, settings: Settings) -> None:
    gazetteer = gazetteer_for(settings)
    facts = gazetteer.describe()
    facts["installed extras"] = ", ".join(e.name for e in extras.available()) or "none"
    if arguments.json:
        print_json(facts)
    else:
        rows = [(key, f"{v:,}" if isinstance(v, int) else str(v)) for key, v in facts.items()]
        print_table("", ("what", "value>"), rows)


def _import(arguments: argparse.Namespace, settings: Settings) -> None:
    from geoscout.gazetteer.imports import import_file  # noqa: PLC0415 - only for this action

    with reading(arguments.file.name) as progress:
        report = import_file(
            arguments.file,
            home_folder(settings),
            format=arguments.format,
            name=arguments.name,
            progress=progress,
        )
    with building() as built:
        build_gazetteer(settings, built)
    if arguments.json:
        print_json(asdict(report))
        return
    print(f"{report.rows:,} rows imported as {report.format}, {report.rejected:,} lines rejected")
    for rejection in report.first_rejections:
        print(f"  {rejection}")
