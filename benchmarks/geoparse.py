"""How many megabytes of text a second the geoparser reads on one core, next to what people use.

    python benchmarks/geoparse.py [--corpora DIR] [--peers DIR …]

Reads the texts of labelled sets where they are (see `benchmarks/geoeval.py`), and otherwise pages
of a synthetic web. geotext (place names) and pyap (US addresses) are peers where they can be
imported; --peers adds folders to look for them in. CPU time, the best of three rounds.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.geoeval import find_corpora
from geoscout.gazetteer import open_gazetteer
from geoscout.gazetteer.base import Gazetteer
from geoscout.geo.address import extract_addresses
from geoscout.geo.mentions import NameKnowledge, find_mentions
from geoscout.lab.worlds.synthetic import WebPlan, make_web
from geoscout.parse import parse_html
from geoscout.settings import load_settings

SETS = {"web pages": "webpages_multi", "restaurant pages": "swde_us_restaurants", "news": "lgl"}
MEGABYTE = 1e6
MOST = 3_000_000  # characters of a set
PEER_MOST = 300_000  # peers are slower
SYNTHETIC_PAGES = 4_000


def read_texts(corpora: str | None, gazetteer: Gazetteer) -> dict[str, list[str]]:
    folder = find_corpora(corpora)
    if folder is None:
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


def speed(read: Callable[[str], object], texts: Sequence[str]) -> float:
    """Megabytes a second, the best of three rounds."""
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        for text in texts:
            read(text)
        best = max(best, size / MEGABYTE / (time.process_time() - start))
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
    parser.add_argument("--peers", nargs="*", default=[])
    arguments = parser.parse_args()
    sys.path[:0] = arguments.peers
    start = time.perf_counter()
    gazetteer = open_gazetteer(load_settings())
    knowledge = NameKnowledge.load(gazetteer)
    print(f"loaded in {time.perf_counter() - start:.2f} s")

    def both(text: str) -> None:
        extract_addresses(text, gazetteer)
        find_mentions(text, knowledge)

    others = peers()
    for name, texts in read_texts(arguments.corpora, gazetteer).items():
        ours, few = cut(texts, MOST), cut(texts, PEER_MOST)
        figures = {
            "addresses": speed(lambda text: extract_addresses(text, gazetteer), ours),
            "toponyms": speed(lambda text: find_mentions(text, knowledge), ours),
            "both": speed(both, ours),
        }
        print(f"\n{name}: " + ", ".join(f"{k} {v:.1f} MB/s" for k, v in figures.items()))
        for peer, read in others.items():
            rate = speed(read, few)
            print(f"  {peer} {rate:.2f} MB/s: both is {figures['both'] / rate:.1f} times as fast")


if __name__ == "__main__":
    main()
