"""Show what geoscout does on the data it ships with, offline.

Builds the gazetteer on the first call, asks it what a few names mean, and reads two pages: one
German with markup, one American whose names could mean Greece and France.
"""

from __future__ import annotations

import argparse
from importlib.resources import files

from geoscout.cli.place import print_candidates
from geoscout.cli.places import gazetteer_for
from geoscout.cli.terminal import print_json
from geoscout.settings import Settings

EXAMPLE = "  geoscout demo"
NAMES = ("Lisbon", "Lisbon, NH", "Glendale", "München")
PAGES = (
    ("pizzeria.html", "https://www.da-carla.example.de/"),
    ("schools.html", "https://www.athens-schools.example.org/"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")


def run(arguments: argparse.Namespace, settings: Settings) -> int:
    from geoscout.cli.readings import Reader  # noqa: PLC0415 - loads the geoparser

    gazetteer = gazetteer_for(settings)
    reader = Reader(gazetteer)
    samples = files("geoscout.cli") / "samples"
    documents = {
        name: reader.document((samples / name).read_bytes(), url, html=True) for name, url in PAGES
    }
    if arguments.json:
        print_json({name: reader.as_json(document) for name, document in documents.items()})
        return 0
    for name in NAMES:
        print(f"\n$ geoscout place {name!r} --limit 2")
        print_candidates(gazetteer, gazetteer.find(name)[:2])
    for name, document in documents.items():
        print(f"\n$ geoscout geoparse --html {name}")
        reader.show(document, "table")
    return 0
