"""Scores geotext and flashgeotext on labelled texts: whether a name is found, wherever it is put.

    python -m benchmarks.peers [--corpora DIR]

They are not among our requirements: it runs in any environment that has them.
A span is right where it touches a labelled name; words for people are left out. The rows stand in
docs/results/geoparsing.md next to ours, which ask for the place as well.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

SETS = ("lgl", "tudloc2013", "geovirus")
Spans = Sequence[tuple[int, int]]


def main() -> None:
    """Print precision, recall and F1 of each peer on each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, help="the folder with geoeval/")
    given = parser.parse_args().corpora or os.environ.get("GEOSCOUT_CORPORA")
    folder = Path(given or Path(__file__).parents[2] / "shared" / "corpora") / "geoeval"
    finders = {"geotext": by_geotext, "flashgeotext": by_flashgeotext}
    for name in [name for name in finders if find_spec(name) is None]:
        print(f"{name} is not installed")
        del finders[name]
    for name in [name for name in SETS if (folder / f"{name}.jsonl").is_file()]:
        documents = list(labelled(folder / f"{name}.jsonl"))
        for peer, make in finders.items():
            print(f"{name} {peer}: {', '.join(f'{one:.2f}' for one in score(make(), documents))}")


def by_geotext() -> Callable[[str], Spans]:
    """Names of cities and countries, wherever they stand."""
    reader = import_module("geotext").GeoText

    def find(text: str) -> Spans:
        found = reader(text)
        names = {re.escape(name) for name in (*found.cities, *found.countries)}
        return [m.span() for name in names for m in re.finditer(rf"(?<!\w){name}(?!\w)", text)]

    return find


def by_flashgeotext() -> Callable[[str], Spans]:
    """The same by the other's own spans."""
    reader = import_module("flashgeotext.geotext").GeoText()

    def find(text: str) -> Spans:
        kinds = reader.extract(text).values()
        return [span for kind in kinds for name in kind.values() for span in name["span_info"]]

    return find


def labelled(file: Path) -> Iterator[tuple[str, Spans]]:
    """Texts and the spans of their names."""
    for line in file.open(encoding="utf-8"):
        text = json.loads(line)
        names = [one for one in text.get("toponyms") or [] if one.get("kind") != "demonym"]
        yield text["text"], [(one["start"], one["end"]) for one in names]


def score(
    find: Callable[[str], Spans], documents: Sequence[tuple[str, Spans]]
) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    right = wrong = wanted = 0
    for text, names in documents:
        met = set()
        for start, end in set(find(text)):
            touched = {name for name in names if start < name[1] and name[0] < end}
            met |= touched
            wrong += not touched
        right += len(met)
        wanted += len(set(names))
    precision, recall = right / max(1, right + wrong), right / max(1, wanted)
    return precision, recall, 2 * right / max(1, right + wrong + wanted)


if __name__ == "__main__":
    main()
