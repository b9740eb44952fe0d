"""Scores the resolution of given mentions: how often the place is right that a name means.

    python -m benchmarks.given_mentions [--corpora DIR] [--only NAME] [--sites] [--errors N]

The names are those of the labelled set, so nothing has to be found. Exact: the same GeoNames id.
Within 161 km, mean error and AUC as Gritta and others define them: a name that no table has counts
as wrong, and as half a turn of the globe away. AUC is the area below the sorted logarithms of the
errors, 0 is best. Inside: also right is a country or first-level region in which the labelled point
lies, since sets put their middles elsewhere. Known: a place of the name is within 161 km, or that
country or region is one, so the rest cannot be right. The sets are those of `benchmarks.geoeval`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.geoeval import find_corpora
from geoscout.crawling.site_memory import SiteMemory
from geoscout_places import Places
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.geo import Geoparser
from geoscout_places.model import Kind, Mention, Point, SiteKnowledge, SiteNotes
from geoscout_places.reading import Document, PageReader

SETS = {
    "lgl": "LGL: 282 local US news",
    "geovirus": "GeoVirus: 229 news of epidemics",
    "wiktor": "WikToR: 2,482 articles of ambiguous names",
    "tudloc2013": "TUD-Loc: 91 web pages",
    "mobie_de_dev": "MobIE: 494 German messages",
}
HIT_KM, FARTHEST_KM = 161.0, 20_039.0


class Outcome(NamedTuple):
    """One labelled name, and what was made of it."""

    name: str
    error_km: float
    is_exact: bool | None  # None where the set has no ids
    is_inside: bool  # within 161 km, or the country or region of the point
    is_known: bool  # whether a place of the name would be
    is_answered: bool


def outcomes(
    places: Places, path: Path, geoparser: Geoparser, *, with_sites: bool
) -> Iterator[Outcome]:
    """What is made of each name of a set that has coordinates."""
    with path.open(encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    sites = _sites_of(geoparser, documents) if with_sites else [None] * len(documents)
    for document, site in zip(documents, sites, strict=True):
        named = [one for one in document["toponyms"] if one.get("lat") is not None]
        spans = [(one["start"], one["end"]) for one in named]
        url = document.get("url", "") if with_sites else ""
        found = geoparser.resolve(document["text"], spans, url, site)
        for one, mention in zip(named, found, strict=True):
            yield _outcome(places, one, mention)


def _sites_of(
    geoparser: Geoparser, documents: Sequence[dict[str, Any]]
) -> Iterator[SiteKnowledge | None]:
    """What the other documents of the site of each tell."""
    memory, notes = SiteMemory(), list[SiteNotes]()
    reader = PageReader(geoparser)
    for document in documents:
        url = document.get("url", "")
        notes.append(reader.notes(reader.read(Document(url, document["text"]))))
        memory.learn(url, notes[-1])
    for document, own in zip(documents, notes, strict=True):
        yield memory.recall(document.get("url", ""), without=own)


def _outcome(places: Places, gold: dict[str, object], mention: Mention) -> Outcome:
    place, point = mention.place, Point(float(str(gold["lat"])), float(str(gold["lon"])))
    around = _around(places, point)
    error = distance_km(place.point, point) if place else FARTHEST_KM
    named = [one.place for one in places.gazetteer.candidates(mention.text)]
    is_inside = error <= HIT_KM or (place is not None and place.id in around)
    is_known = is_inside or any(
        one.id in around or distance_km(one.point, point) <= HIT_KM for one in named
    )
    exact = _same(gold, place.geonames_id if place else None)
    return Outcome(mention.text, error, exact, is_inside, is_known, is_answered=place is not None)


_WIDE = (Kind.COUNTRY, Kind.REGION)


def _around(places: Places, point: Point) -> frozenset[int]:
    """The ids of the country and the first-level region that a point lies in."""
    town = places.gazetteer.nearest(point)
    above = places.gazetteer.ancestors(town) if town else ()
    return frozenset(place.id for place in above if place.kind in _WIDE)


def _same(gold: dict[str, object], id: int | None) -> bool | None:
    wanted = gold.get("geonames_id")
    return None if wanted is None else str(id) == str(wanted)


def area_under(errors: Sequence[float]) -> float:
    """The area under the logarithms of the errors, from 0 (all right) to 1 (all far away)."""
    heights = sorted(log(1 + error) / log(1 + FARTHEST_KM) for error in errors)
    return sum((low + high) / 2 for low, high in pairwise(heights)) / max(len(heights) - 1, 1)


def report(found: Sequence[Outcome]) -> dict[str, float | None]:
    """The figures of a set."""
    ids = [one.is_exact for one in found if one.is_exact is not None]
    return {
        "names": len(found),
        "exact": sum(ids) / len(ids) if ids else None,
        "within_161_km": sum(one.error_km <= HIT_KM for one in found) / len(found),
        "inside": sum(one.is_inside for one in found) / len(found),
        "known": sum(one.is_known for one in found) / len(found),
        "mean_error_km": sum(one.error_km for one in found) / len(found),
        "auc": area_under([one.error_km for one in found]),
        "answered": sum(one.is_answered for one in found) / len(found),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--corpora", help="folder with geoeval/ in it")
    parser.add_argument("--only", help="only the set of this name")
    parser.add_argument("--sites", action="store_true", help="with what other texts of a site tell")
    parser.add_argument("--errors", type=int, default=0, help="list the most frequent wrong names")
    arguments = parser.parse_args()
    folder = find_corpora(arguments.corpora)
    if folder is None:
        print("the labelled texts are missing: --corpora DIR", file=sys.stderr)
        return 0
    places = Places()
    geoparser = Geoparser(places.gazetteer)
    heads = "".join(f"{head:>8}" for head in ("exact", "161 km", "inside", "known"))
    print(f"{'set':<44}{'names':>7}{heads}{'mean km':>9}{'AUC':>7}")
    hits = []
    for name, title in SETS.items():
        path = folder / f"{name}.jsonl"
        if not path.exists() or (arguments.only and arguments.only != name):
            continue
        found = list(outcomes(places, path, geoparser, with_sites=arguments.sites))
        figures = report(found)
        hits.append(figures["within_161_km"] or 0.0)
        exact = f"{figures['exact']:.3f}" if figures["exact"] is not None else "-"
        print(
            f"{title:<44}{len(found):>7}{exact:>8}{figures['within_161_km']:>8.3f}"
            f"{figures['inside']:>8.3f}{figures['known']:>8.3f}"
            f"{figures['mean_error_km']:>9.0f}{figures['auc']:>7.3f}"
        )
        _print_errors(found, arguments.errors)
    if hits:
        print(f"{'mean within 161 km':<44}{sum(hits) / len(hits):>23.3f}")
    return 0


def _print_errors(found: Sequence[Outcome], most: int) -> None:
    wrong: dict[tuple[str, bool], int] = {}
    for one in found:
        if one.error_km > HIT_KM:
            wrong[one.name, one.is_answered] = wrong.get((one.name, one.is_answered), 0) + 1
    for (name, answered), count in sorted(wrong.items(), key=lambda item: -item[1])[:most]:
        print(f"    {count:>4}  {name}{'' if answered else '  (no place)'}")


if __name__ == "__main__":
    sys.exit(main())
