"""How many megabytes of text a second the geoparser reads on one core, next to what people use.

    python benchmarks/geoparse.py [--corpora DIR] [--rounds 3] [--against PYTHON] [--peers DIR …]

Reads the texts of labelled sets where they are (see `benchmarks/geoeval.py`), and otherwise pages
of a synthetic web, in fresh processes: first all texts for the first time, as a crawl does, then
the same texts again (warm). What is kept of names then makes it twice as fast, so a figure has to
say which it is. `--against` gives the interpreter of another checkout with an environment of its
own; both read the same few texts in turns, so that a busy machine slows both. geotext (place
names) and pyap (US addresses) are peers where they can be imported; --peers adds folders to look
for them in. Processor time; of each few texts the best of the rounds.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.geoeval import find_corpora
from benchmarks.geoparse_worker import STEPS
from geoscout.settings import load_settings
from geoscout_lab.worlds.synthetic import WebPlan, make_web
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.parse import parse_html

WORKER = Path(__file__).with_name("geoparse_worker.py")
CHUNK = 100_000  # characters that are read before it is the other's turn
PASSES = ("first pass", "warm")
SETS = {"web pages": "webpages_multi", "restaurant pages": "swde_us_restaurants", "news": "lgl"}
MEGABYTE = 1e6
MOST = 3_000_000  # characters of a set
PEER_MOST = 300_000  # peers are slower
SYNTHETIC_PAGES = 4_000


def read_texts(corpora: str | None) -> dict[str, list[str]]:
    folder = find_corpora(corpora)
    if folder is None:
        gazetteer = open_gazetteer(load_settings())
        web = make_web(WebPlan(pages=SYNTHETIC_PAGES), gazetteer, parse_html)
        return {"synthetic pages": [web.page(number).text for number in range(web.size)]}
    texts: dict[str, list[str]] = {}
    for name, gold in SETS.items():
        with (folder / f"{gold}.jsonl").open(encoding="utf-8") as lines:
            texts[name] = [json.loads(line)["text"] for line in lines]
    return texts


def cut(texts: Sequence[str], most: int) -> list[str]:
    kept, size = [], 0
    for text in texts:
        if size > most:
            break
        kept.append(text)
        size += len(text)
    return kept


def split(texts: Sequence[str]) -> list[list[str]]:
    chunks: list[list[str]] = [[]]
    for text in texts:
        if sum(map(len, chunks[-1])) > CHUNK:
            chunks.append([])
        chunks[-1].append(text)
    return chunks


def megabytes_of(texts: Sequence[str]) -> float:
    return sum(len(text.encode("utf-8", "replace")) for text in texts) / MEGABYTE


@dataclass
class Reader:
    """One interpreter, and what its processes took: seconds by round, pass, chunk and step."""

    python: str
    seconds: list[list[list[list[float]]]] = field(default_factory=list)
    loaded: list[tuple[float, float]] = field(default_factory=list)  # imports, and the rest
    megabytes: float = 0.0

    def start(self, texts: Path) -> None:
        command = [self.python, str(WORKER), str(texts)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        told = self._hear()
        self.loaded.append((told["import_seconds"], told["load_seconds"]))
        self.seconds.append([])

    def read(self, chunk: int) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{chunk}\n")
        self._process.stdin.flush()
        told = self._hear()
        self.seconds[-1][-1].append(told["seconds"])
        self.megabytes = max(self.megabytes, told["megabytes"])

    def stop(self) -> None:
        self._process.communicate()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        return told

    def best(self) -> NDArray[np.float64]:
        """Seconds by pass and step: of each chunk the best round."""
        best: NDArray[np.float64] = np.array(self.seconds).min(axis=0).sum(axis=1)
        return best


def measure(readers: Sequence[Reader], texts: Sequence[str], rounds: int) -> None:
    chunks = split(texts)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.json"
        file.write_text(json.dumps(chunks), encoding="utf-8")
        for round in range(rounds):
            for reader in readers:
                reader.start(file)
            for _ in PASSES:
                for reader in readers:
                    reader.seconds[-1].append([])
                for chunk in range(len(chunks)):
                    turns = readers if (chunk + round) % 2 else readers[::-1]
                    for reader in turns:
                        reader.read(chunk)
            for reader in readers:
                reader.stop()


def show(name: str, readers: Sequence[Reader], megabytes: float) -> None:
    ours = readers[0].best()
    print(f"\n{name}, {megabytes:.1f} MB: " + "".join(f"{title:>14}" for title in PASSES))
    for number, step in enumerate(STEPS):
        print(f"  {step:<18}" + "".join(f"{megabytes / s:9.1f} MB/s" for s in ours[:, number]))
    print(f"  {'all':<18}" + "".join(f"{megabytes / s:9.1f} MB/s" for s in ours.sum(axis=1)))
    for other in readers[1:]:
        gain = other.best().sum(axis=1) / ours.sum(axis=1)
        print(f"  {'against the other':<18}" + "".join(f"{ratio:9.2f} times" for ratio in gain))
    for reader in readers:
        imports, rest = (min(column) for column in zip(*reader.loaded, strict=True))
        print(
            f"  imported in {imports:.2f} s, loaded in {rest:.2f} s, {reader.megabytes:.0f} MB:"
            f" {reader.python}"
        )


def speed(read: Callable[[str], object], texts: Sequence[str]) -> float:
    """Megabytes a second, the best of three rounds."""
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        for text in texts:
            read(text)
        best = max(best, megabytes_of(texts) / (time.process_time() - start))
    return best


def peers() -> dict[str, Callable[[str], object]]:
    found: dict[str, Callable[[str], object]] = {}
    for name in ("geotext", "pyap"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed: no figure for it", file=sys.stderr)
            continue
        if name == "geotext":
            found[name] = module.GeoText
        else:
            found[name] = lambda text, m=module: m.parse(text, country="US")  # type: ignore[misc]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpora")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", default="")
    parser.add_argument("--peers", nargs="*", default=[])
    arguments = parser.parse_args()
    sys.path[:0] = arguments.peers
    others = peers()
    pythons = [python for python in (sys.executable, arguments.against) if python]
    for name, texts in read_texts(arguments.corpora).items():
        ours = cut(texts, MOST)
        readers = [Reader(python) for python in pythons]
        measure(readers, ours, arguments.rounds)
        show(name, readers, megabytes_of(ours))
        few = cut(texts, PEER_MOST)
        for peer, read in others.items():
            print(f"  {peer:<18}{speed(read, few):9.2f} MB/s")


if __name__ == "__main__":
    main()
