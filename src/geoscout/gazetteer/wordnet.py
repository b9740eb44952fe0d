"""GeoWordNet: the places of WordNet 3.0, what each is part of, and which gazetteer entry it is.

The gazetteer's own hierarchy is administrative: continent, country, region, district, city.
WordNet's is the one people speak in (the Alps, New England, the Left Bank), and a place may be
part of several others. The index joins the places of a page under their common node here. The
functions are pure and take the synsets as a mapping, so that they work on a table in memory
and on rows fetched from a database alike.
"""

from __future__ import annotations

import csv
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from io import TextIOWrapper

_TABLE = "wordnet.tsv.xz"


@dataclass(frozen=True, slots=True)
class Synset:
    """A place of WordNet; words and wholes stand in WordNet's order."""

    offset: int  # of the noun synset in WordNet 3.0; 3.1 numbers them differently
    words: tuple[str, ...]
    class_name: str  # what it is an instance of: "national capital", "river"
    wholes: tuple[int, ...]  # offsets of what it is part or member of
    gloss: str
    place_id: int | None  # id in the gazetteer; None when no entry was found for it


def read_synsets() -> Iterator[Synset]:
    """Read the table that ships with geoscout, sorted by offset."""
    table = files("geoscout.gazetteer") / "data" / _TABLE
    with table.open("rb") as packed, lzma.LZMAFile(packed) as plain:
        lines = TextIOWrapper(plain, encoding="utf-8", newline="")
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield _make_synset(row)


def _make_synset(row: Mapping[str, str]) -> Synset:
    return Synset(
        offset=int(row["offset"]),
        words=tuple(row["words"].split("|")),
        class_name=row["class"],
        wholes=tuple(int(whole) for whole in row["wholes"].split("|") if whole),
        gloss=row["gloss"],
        place_id=int(row["place_id"]) if row["place_id"] else None,
    )


def part_of_ancestors(synset: Synset, synsets: Mapping[int, Synset]) -> list[Synset]:
    """List what contains the synset, directly or not, the nearest first and each once."""
    return [synsets[offset] for offset, steps in _steps_up(synset, synsets).items() if steps]


def lowest_common_node(members: Sequence[Synset], synsets: Mapping[int, Synset]) -> Synset | None:
    """Find the narrowest place that is each of the members or contains it.

    It is the common node fewest part-of steps away from all members together; of equals, the
    one with the smaller offset. None when they have no common node, or there are no members.
    """
    if not members:
        return None
    climbs = [_steps_up(member, synsets) for member in members]
    shared = set(climbs[0]).intersection(*climbs[1:])
    if not shared:
        return None
    return synsets[min(shared, key=lambda offset: (sum(steps[offset] for steps in climbs), offset))]


def _steps_up(synset: Synset, synsets: Mapping[int, Synset]) -> dict[int, int]:
    """Count the part-of steps to the synset itself (0) and to everything that contains it.

    A whole that the mapping lacks is passed over, so that a part of the table can be used.
    """
    steps = {synset.offset: 0}
    pending = [synset]
    for current in pending:
        for whole in current.wholes:
            if whole not in steps and whole in synsets:
                steps[whole] = steps[current.offset] + 1
                pending.append(synsets[whole])
    return steps
