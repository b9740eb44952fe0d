from __future__ import annotations

import pytest

from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.imports import features


@pytest.mark.parametrize("feature", ["PPL", "PPLX", "PPLC", "STLMT", ""])
def test_settlements_are_wanted(feature: str) -> None:
    assert features.is_wanted("P", feature, has_alternates=False)


@pytest.mark.parametrize("feature", ["PPLH", "PPLQ", "PPLW"])
def test_settlements_that_are_gone_are_not(feature: str) -> None:
    assert not features.is_wanted("P", feature, has_alternates=True)


def test_the_two_upper_levels_of_divisions_are_wanted() -> None:
    wanted = [
        feature
        for feature in ("PCLI", "ADM1", "ADM2", "ADM3", "ADM1H", "ADMD")
        if features.is_wanted("A", feature, has_alternates=True)
    ]

    assert wanted == ["PCLI", "ADM1", "ADM2"]


def test_a_hill_is_wanted_only_when_it_is_written_about() -> None:
    assert features.is_wanted("T", "MT", has_alternates=True)
    assert not features.is_wanted("T", "MT", has_alternates=False)


def test_schools_and_farms_are_never_wanted_unless_chosen() -> None:
    assert not features.is_wanted("S", "SCH", has_alternates=True)
    assert not features.is_wanted("S", "FRM", has_alternates=True)


def test_an_option_is_read_as_feature_classes() -> None:
    assert features.read_classes("ph") == {"P", "H"}
    assert features.read_classes("all") == features.CLASSES
    assert not features.read_classes("")


def test_a_letter_that_is_no_class_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="AHLPRSTUV"):
        features.read_classes("PX")
