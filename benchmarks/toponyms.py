"""How fast place names are found, next to geotext, and what loading costs.

    python -m benchmarks.toponyms [--corpora DIR]

Reads news and web page texts from the labelled sets where they are present (see
benchmarks/geoeval.py), else a text made of sentences about the gazetteer's own cities. geotext is
measured in the same run where it is installed. Times are processor time of one process; the first
pass over a set, which fills the caches, is told apart.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.geo.mentions import NameKnowledge, find_mentions

SETS = {"short news": "scope_reuters21578", "local news": "lgl", "web pages": "scope_swde_jobs"}
MOST_TEXTS = 4_000
PASSES = 3


def main() -> None:
    """Print one line for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("GEOSCOUT_CORPORA", "../shared/corpora")
    parser.add_argument("--corpora", type=Path, default=Path(default))
    folder = parser.parse_args().corpora / "geoeval"
    gazetteer = open_gazetteer()
    start = time.process_time()
    knowledge = NameKnowledge.load(gazetteer)
    loaded = time.process_time() - start
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"loading: {loaded:.2f} s, {megabytes:.0f} MB at most")
    peer = find_peer()
    for name, texts in read_sets(folder):
        first, best = measure(texts, lambda text: find_mentions(text, knowledge))
        line = f"{name}: {best:.1f} MB/s, first pass {first:.1f}"
        if peer:
            geotext = measure(texts, peer)[1]
            line += f"; geotext {geotext:.1f}, ratio {best / geotext:.2f}"
        print(line)


def read_sets(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Each set with its texts."""
    present = {name: folder / f"{file}.jsonl" for name, file in SETS.items()}
    present = {name: path for name, path in present.items() if path.exists()}
    for name, path in present.items():
        with path.open(encoding="utf-8") as lines:
            yield name, [json.loads(line)["text"] for line in islice(lines, MOST_TEXTS)]
    if not present:
        print(f"{folder} is not there; a made text is measured instead")
        yield "made text", list(make_texts())


def make_texts() -> Iterator[str]:
    """Sentences about places, with people and ordinary words among them."""
    cities = ("Lisbon", "Athens", "Springfield", "Oldenburg", "Portland", "Kyoto", "Lagos")
    for number in range(2_000):
        city, other = cities[number % 7], cities[number % 5]
        yield (
            f"The council of {city} met on Monday. Michael Jackson of {other} said that the road to"
            f" the river would be closed until May, and that nobody had been hurt. " * 4
        )


def measure(texts: Sequence[str], read: Callable[[str], object]) -> tuple[float, float]:
    """Megabytes a second in the first pass, and in the best."""
    size = sum(len(text) for text in texts) / 1e6
    speeds = []
    for _ in range(PASSES):
        start = time.process_time()
        for text in texts:
            read(text)
        speeds.append(size / (time.process_time() - start))
    return speeds[0], max(speeds)


def find_peer() -> Callable[[str], object] | None:
    """The reader of geotext where it is installed."""
    try:
        from geotext import GeoText  # noqa: PLC0415
    except ImportError:
        return None
    read: Callable[[str], object] = GeoText
    return read


if __name__ == "__main__":
    main()
