"""Whether the confidence of a mention is what it says: of those with 0.8, eight of ten are right.

    python -m benchmarks.confidence [--corpora DIR] [--documents N]

Right is a mention with the span of a label and a place within 161 km of it; of a country 1,500, of
a first-level region 400, because sets put their middles elsewhere. In the NER sets, labelled by
machine and learned from by nobody here, right is the name alone
(`name_confidence`). ECE is the mean distance between
what ten equal groups say and what they are.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.geoeval import find_corpora
from geoscout_places import Places
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Kind, Mention, MentionKind, Point

PLACED = ("lgl", "geovirus", "tudloc2013", "mobie_de_dev", "geocorpora")  # learned from
NAMED = tuple(f"ner_wikineural_{code}" for code in ("de", "es", "fr", "it", "nl", "pl", "pt"))
WITH_DEMONYMS = ("lgl",)
WIDE_KM = {Kind.COUNTRY: 1_500.0, Kind.CONTINENT: 5_000.0, Kind.AREA: 1_500.0, Kind.REGION: 400.0}
HIT_KM = 161.0
GROUPS = 10
Said = tuple[float, bool]  # the confidence, and whether it was right


def judged(places: Places, path: Path, most: int) -> Iterator[Said]:
    """The mentions of a set that can be judged."""
    with path.open(encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    for document in random.Random(1).sample(documents, min(most, len(documents))):
        for mention in places.read(document["text"]).mentions:
            is_people = mention.kind is MentionKind.DEMONYM and path.stem not in WITH_DEMONYMS
            if mention.place is None or is_people:
                continue
            is_named = "ents" in document
            right = _is_name(document, mention) if is_named else _at(document, mention)
            if right is not None:
                yield mention.name_confidence if is_named else mention.confidence, right


def _at(document: dict[str, Any], mention: Mention) -> bool | None:
    """Whether a label stands there and means the place; None where it has no coordinates."""
    middle = (mention.start + mention.end) / 2
    for gold in document["toponyms"]:
        near = abs(middle - (gold["start"] + gold["end"]) / 2) < 10
        if near and gold["name"].lower() == mention.text.lower():
            if gold.get("lat") is None or mention.place is None:
                return None
            away = distance_km(mention.place.point, Point(gold["lat"], gold["lon"]))
            return away < WIDE_KM.get(mention.place.kind, HIT_KM)
    return False


def _is_name(document: dict[str, Any], mention: Mention) -> bool | None:
    """Whether the span is labelled as a place; None inside the name of something else."""
    span = (mention.start, mention.end)
    if any((e["start"], e["end"]) == span for e in document["ents"] if e["type"] == "LOC"):
        return True
    inside = [e for e in document["ents"] if e["start"] < span[1] and e["end"] > span[0]]
    return None if any(e["type"] in ("ORG", "MISC") for e in inside) else False


def calibration_error(said: Sequence[Said]) -> float:
    """The ECE over groups of equal size."""
    ordered = sorted(said)
    cuts = [len(ordered) * n // GROUPS for n in range(GROUPS + 1)]
    groups = [ordered[a:b] for a, b in pairwise(cuts) if b > a]
    return sum(abs(sum(c for c, _ in g) - sum(r for _, r in g)) for g in groups) / len(ordered)


def kept(said: Sequence[Said], least: float) -> str:
    """How many are kept from a confidence on, and how many of these are right."""
    above = [right for confidence, right in said if confidence >= least]
    return f"{len(above) / len(said):.2f} {sum(above) / max(len(above), 1):.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpora", help="folder with geoeval/ in it")
    parser.add_argument("--documents", type=int, default=500, help="of each set")
    arguments = parser.parse_args()
    folder = find_corpora(arguments.corpora)
    if folder is None:
        print("the labelled texts are missing: --corpora DIR", file=sys.stderr)
        return 0
    places = Places()
    steps = (0.5, 0.7, 0.9)
    heads = "".join(f"{f'kept, right >= {step}':>22}" for step in steps)
    print(f"{'set':<20}{'mentions':>9}{'ECE':>7}{heads}")
    for name in (*PLACED, *NAMED):
        path = folder / f"{name}.jsonl"
        if not path.exists():
            continue
        said = list(judged(places, path, arguments.documents))
        shares = "".join(f"{kept(said, step):>22}" for step in steps)
        print(f"{name:<20}{len(said):>9}{calibration_error(said):>7.3f}{shares}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
