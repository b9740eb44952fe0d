"""Which place a name is: by the geoparser's models, and by a common node of GeoWordNet.

    python -m benchmarks.common_node FOLDER

FOLDER has labelled texts (`lgl.jsonl`, `geovirus.jsonl`, `tudloc2013.jsonl`). Counted are the
labelled names that GeoWordNet has too, since the paper's index knows no others: how many are taken
for a place within 161 km. A name that the geoparser did not find counts as wrong.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from geoscout.search.common_node import CommonNodes
from geoscout_places.gazetteer import open_gazetteer
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.wordnet import load_geowordnet
from geoscout_places.geo import Geoparser
from geoscout_places.model import Point
from geoscout_places.parse import parse_text

FILES = ("lgl", "geovirus", "tudloc2013")
HIT_KM = 161.0


def main() -> None:
    """Print for each file the share that each way takes for the right place."""
    gazetteer, folder = open_gazetteer(), Path(sys.argv[1])
    nodes, geoparser, wordnet = CommonNodes(gazetteer), Geoparser(gazetteer), load_geowordnet()
    for name in FILES:
        right = dict.fromkeys(("models", "common node", "first sense"), 0)
        seen = several = 0
        for text, labels in _read(folder / f"{name}.jsonl"):
            known = [one for one in labels if any(s.place_id for s in wordnet.senses(one[0]))]
            chosen = nodes.resolve(word for word, _ in labels)
            mentions = geoparser.read(parse_text(text, "")).mentions if known else ()
            for word, point in known:
                seen += 1
                several += len(wordnet.senses(word)) > 1
                found = {
                    "models": next((m.place for m in mentions if word in m.text), None),
                    "common node": nodes.place_of(chosen[word]) if word in chosen else None,
                    "first sense": nodes.place_of(wordnet.senses(word)[0]),
                }
                for way, place in found.items():
                    right[way] += place is not None and distance_km(place.point, point) <= HIT_KM
        shares = ", ".join(f"{way} {hits / seen:.3f}" for way, hits in right.items())
        print(f"{name}: {seen} names, {several} with several senses: {shares}")


def _read(file: Path) -> Iterator[tuple[str, list[tuple[str, Point]]]]:
    for line in file.read_text(encoding="utf-8").split("\n")[:-1]:
        document: dict[str, Any] = json.loads(line)
        yield (
            document["text"],
            [
                (document["text"][one["start"] : one["end"]], Point(one["lat"], one["lon"]))
                for one in document["toponyms"]
                if one.get("lat") is not None
            ],
        )


if __name__ == "__main__":
    main()
