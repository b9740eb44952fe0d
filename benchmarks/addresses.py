"""How good and how fast address extraction is, next to pyap and pyap2 in the same run.

    python benchmarks/addresses.py [CORPORA] [--peer FOLDER …]

Begins with a table of addresses by country (`benchmarks/address_cases.py`), which needs no corpora.
CORPORA (or GEOSCOUT_CORPORA) is a folder with `geoeval/score.py` and its labelled texts. pyap and
pyap2 both call themselves `pyap`, so each is named by a folder it was installed into
(`pip install --target FOLDER pyap2==0.2.20`); without any, one that is installed here is used.
Speed is CPU time over all texts of a set, the best of three rounds; texts are read beforehand.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.address_cases import print_table
from geoscout.settings import load_settings
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.geo.address import extract_addresses
from geoscout_places.model import Address

SETS = (
    ("swde_us_restaurants", ("US",)),
    ("webpages_multi", ("US", "DE,AT,CH")),
)
ROUNDS = 3
FIELDS = ("start", "end", "text", "house_number", "street", "city", "region", "postcode", "country")
Found = list[dict[str, Any]]
Extractor = Callable[[str], Found]


@dataclass(frozen=True)
class Document:
    id: str
    text: str


def read_documents(path: Path) -> list[Document]:
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [Document(str(row["doc_id"]), row["text"]) for row in rows]


def as_dictionary(address: Address) -> dict[str, Any]:
    return {field: getattr(address, field) for field in FIELDS}


def own_extractor() -> Extractor:
    gazetteer = open_gazetteer(load_settings())
    return lambda text: [as_dictionary(a) for a in extract_addresses(text, gazetteer)]


@contextmanager
def import_path(folder: Path | None) -> Iterator[None]:
    """Let imports find what is in the folder first, and forget afterwards that they did."""
    if folder is not None:
        sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        if folder is not None:
            sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.split(".")[0] == "pyap"]:
            del sys.modules[name]


def peer_extractor(folder: Path | None) -> tuple[str, Extractor] | None:
    """The pyap that is in the folder, or the installed one; None where there is none."""
    with import_path(folder):
        try:
            module = importlib.import_module("pyap.parser")
        except ImportError:
            return None
        parser = module.AddressParser(country="US")
        origin = Path(str(module.__file__)).parent.parent
    name = "pyap2" if any(origin.glob("pyap2-*")) else "pyap"
    return name, lambda text: peer_addresses(parser, text)


def peer_addresses(parser: Any, text: str) -> Found:
    """What pyap finds, with offsets into the text itself.

    Its own count in a text whose white space, commas and dashes it has changed; letters and
    digits are the same in both, so these are counted.
    """
    found = parser.parse(text)
    if not found:
        return []
    places = [index for index, character in enumerate(text) if character.isalnum()]
    return [
        {
            "start": places[sum(map(str.isalnum, parser.clean_text[: address.match_start]))],
            "end": places[sum(map(str.isalnum, parser.clean_text[: address.match_end])) - 1] + 1,
            "house_number": address.street_number,
            "city": address.city,
            "postcode": address.postal_code,
            "country": "US",
        }
        for address in found
    ]


def run(extract: Extractor, documents: list[Document], rounds: int) -> tuple[float, list[Found]]:
    """CPU seconds of the best round, and what was found."""
    best, found = float("inf"), []
    for _ in range(rounds):
        start = time.process_time()
        found = [extract(document.text) for document in documents]
        best = min(best, time.process_time() - start)
    return best, found


def score(
    gold: Path, documents: list[Document], found: list[Found], country: str
) -> dict[str, Any]:
    """What the scorer of the corpora says."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as predictions:
        for document, addresses in zip(documents, found, strict=True):
            predictions.write(json.dumps({"id": document.id, "addresses": addresses}) + "\n")
        predictions.flush()
        scorer = gold.parent / "score.py"
        command = [sys.executable, str(scorer), "addresses", str(gold), predictions.name]
        done = subprocess.run(
            [*command, "--country", country], check=True, capture_output=True, text=True
        )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def compare(gold: Path, countries: tuple[str, ...], systems: dict[str, Extractor]) -> None:
    documents = read_documents(gold)
    megabytes = sum(len(document.text.encode()) for document in documents) / 1e6
    print(f"\n{gold.stem}: {len(documents)} texts, {megabytes:.1f} MB")
    own_speed = 0.0
    for name, extract in systems.items():
        seconds, found = run(extract, documents, ROUNDS if name == "geoscout" else 1)
        speed = megabytes / seconds
        own_speed = own_speed or speed
        print(f"  {name:<9} {speed:7.2f} MB/s   geoscout is {own_speed / speed:.1f} times as fast")
        for country in countries if name == "geoscout" else ("US",):
            scores = score(gold, documents, found, country)
            print(
                f"    {country:<9} F1 {scores['f1']:.3f}  precision {scores['precision']:.3f}"
                f"  recall {scores['recall']:.3f}  all parts {scores['all_components']:.3f}"
                f"  false per 1,000 pages {scores['false_per_1000_pages']:.1f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpora", nargs="?", default=os.environ.get("GEOSCOUT_CORPORA", ""))
    parser.add_argument("--peer", action="append", type=Path, help="folder with pyap or pyap2")
    arguments = parser.parse_args()
    print_table(open_gazetteer(load_settings()), lists_missed=False)
    folder = Path(arguments.corpora or "../shared/corpora") / "geoeval"
    if not folder.is_dir():
        print(f"no corpora at {folder}: give their folder, or set GEOSCOUT_CORPORA")
        return
    systems = {"geoscout": own_extractor()}
    systems |= dict(filter(None, map(peer_extractor, arguments.peer or [None])))
    for name, countries in SETS:
        compare(folder / f"{name}.jsonl", countries, systems)


if __name__ == "__main__":
    main()
