"""Scores: an address over a mention, near over far, places by how much they were asked for."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from geoscout.index import PlaceEvidence, Spot
from geoscout.index.reader import IndexReader
from geoscout.search.base import Interpretation, Relation
from geoscout.search.ranking import (
    PlaceScores,
    combine_scores,
    is_within,
    normalised,
    place_weight,
    score_places,
)
from geoscout.search.target import Target
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.region_areas import DrawnArea
from geoscout_places.gazetteer.areas.shapes import Box
from geoscout_places.model import Kind, Place, Point, Precision
from tests.fakes import FakeGazetteer
from tests.unit.index.documents import LISBON, LISBON_POINT, document, write

PLACE = Place(LISBON, "Lisbon", Kind.CITY, LISBON_POINT, "PT", population=500_000)
IN = Target(Relation.IN, (LISBON,), LISBON_POINT, 10.0, 10.0, limit_km=None)
PageParts = tuple[PlaceEvidence | None, Point | None]
NEAR = Target(Relation.NEAR, (LISBON,), LISBON_POINT, 10.0, 10.0, limit_km=None)


def scores(
    folder: Path, target: Target, *pages: tuple[PlaceEvidence | None, Point | None]
) -> list[float]:
    documents = [
        document(
            f"http://{n}.example/",
            places=(evidence,) if evidence else (),
            spots=(Spot(point, 1.0),) if point else (),
        )
        for n, (evidence, point) in enumerate(pages)
    ]
    write(folder, *documents)
    columns = IndexReader(folder)
    return score_places(columns, np.arange(len(pages)), target).scores.tolist()


def test_address_comes_before_scope_before_mention(tmp_path):
    address, main, scope, mention, none = scores(
        tmp_path,
        IN,
        (PlaceEvidence(LISBON, has_address=True), None),
        (PlaceEvidence(LISBON, 0.5, is_main=True), None),
        (PlaceEvidence(LISBON, 0.5), None),
        (PlaceEvidence(LISBON, mentions=1), None),
        (None, LISBON_POINT),
    )

    assert 1 >= address > main > scope > mention > none == 0


def test_score_falls_with_the_distance_from_the_edge(tmp_path):
    inside, at_edge, outside, far = scores(
        tmp_path,
        NEAR,
        (None, LISBON_POINT),
        (None, Point(LISBON_POINT.latitude + 9 / 111, LISBON_POINT.longitude)),
        (None, Point(LISBON_POINT.latitude + 20 / 111.195, LISBON_POINT.longitude)),
        (None, Point(LISBON_POINT.latitude + 3, LISBON_POINT.longitude)),
    )

    assert inside == at_edge == 1
    assert outside == pytest.approx(0.368, abs=0.01)
    assert far < 1e-9


def test_a_radius_does_not_claim_what_is_known_less_exactly(tmp_path):
    town = Spot(LISBON_POINT, 0.87, Precision.TOWN, reach_km=8.0)
    house = Spot(LISBON_POINT, 1.0, Precision.HOUSE, reach_km=0.05)
    pages = [document(f"http://{n}.example/", spots=(s,)) for n, s in enumerate((town, house))]
    write(tmp_path, *pages)
    wide = Target(Relation.NEAR, (), LISBON_POINT, 0.0, 5.0, limit_km=10.0)

    def found(target: Target) -> PlaceScores:
        return score_places(IndexReader(tmp_path), np.arange(2), target)

    near = found(replace(wide, limit_km=0.5))
    assert near.scores[0] == 0 < near.scores[1]
    assert all(found(wide).scores > 0)
    assert found(wide).reaches_km.tolist() == pytest.approx([8.0, 0.05])


def test_nothing_beyond_the_limit_fits(tmp_path):
    target = Target(Relation.NEAR, (), LISBON_POINT, 0.0, 5.0, limit_km=10.0)
    close, far = scores(
        tmp_path,
        target,
        (None, LISBON_POINT),
        (None, Point(LISBON_POINT.latitude + 0.2, LISBON_POINT.longitude)),
    )

    assert close > 0
    assert far == 0


def test_weight_depends_on_the_question():
    explicit = Interpretation(("pizza",), Relation.IN, PLACE, is_explicit=True)
    bare = Interpretation(("pizza",), Relation.IN, PLACE)
    long = Interpretation(("pizza", "wood", "oven"), Relation.IN, PLACE, is_explicit=True)

    assert place_weight(Interpretation(("pizza",))) == 0
    assert place_weight(Interpretation((), Relation.IN, PLACE)) == 1
    assert place_weight(explicit) > place_weight(bare)
    assert place_weight(explicit) > place_weight(long)


def test_score_is_a_weighed_product():
    text, place = np.array([1.0, 0.25]), np.array([0.25, 1.0])

    assert combine_scores(text, place, 0.5).tolist() == [0.5, 0.5]
    assert combine_scores(text, place, 0.0).tolist() == [1.0, 0.25]
    assert normalised(np.array([4.0, 2.0])).tolist() == [1.0, 0.5]
    assert normalised(np.zeros(2)).tolist() == [1.0, 1.0]


def test_box_across_the_antimeridian_holds_both_sides(tmp_path):
    spots = [Point(-17.0, 179.5), Point(-17.0, -179.5), Point(-17.0, 170.0)]
    scores(tmp_path, NEAR, *((None, spot) for spot in spots))
    area = DrawnArea("box", Box(179.0, -20.0, -179.0, -10.0), FakeGazetteer([]))
    region = Region((area,), FakeGazetteer([]))

    held = is_within(IndexReader(tmp_path), np.arange(3), region)

    assert held.tolist() == [True, True, False]
