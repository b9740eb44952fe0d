"""What the hybrid knows of a link when it is found."""

from __future__ import annotations

import pytest

from geoscout.gazetteer import Region
from geoscout.gazetteer.sqlite import SqliteGazetteer
from geoscout.strategy.base import Aim
from geoscout.strategy.link_features import FeatureReader, cue_worth
from tests.unit.strategy.links import link, source


@pytest.fixture(scope="module")
def reader(gazetteer: SqliteGazetteer) -> FeatureReader:
    return FeatureReader(Aim(Region.parse("Oldenburg, Germany", gazetteer), gazetteer), window=3)


@pytest.mark.parametrize(
    ("anchor", "worth"), [("Oldenburg", 2.0), ("Lisbon", -1.0), ("read more", 0.0)]
)
def test_worth_of_the_places_named_can_be_read_back(
    reader: FeatureReader, anchor: str, worth: float
) -> None:
    packed = reader.read(source(), [link("http://x.test/", anchor)])[0]

    assert cue_worth(packed) == worth


def test_there_is_a_number_for_every_text(reader: FeatureReader) -> None:
    one = link("http://oldenburg.test/bremen/kontakt", "Kontakt in Oldenburg")

    packed = reader.read(source(relevant=True), [one])[0]
    texts = reader.texts(source(relevant=True), one)

    assert len(packed) // 4 == len(texts)
    assert {"from:relevant", "cue:inside", "cue-path:near", "anchor:kontakt"} <= set(texts)


def test_features_without_a_gazetteer_name_no_places() -> None:
    packed = FeatureReader(Aim(), window=3).read(source(), [link("http://x.test/", "Oldenburg")])[0]

    assert cue_worth(packed) == 0.0
