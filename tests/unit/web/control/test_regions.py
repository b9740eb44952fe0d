from __future__ import annotations

import pytest

from geoscout.web.control.regions import region_json
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import SqliteGazetteer


def test_a_name_has_an_outline_and_what_else_it_may_mean(gazetteer: SqliteGazetteer) -> None:
    found = region_json(["Oldenburg"], gazetteer)

    assert found["properties"]["name"] == "Oldenburg, Lower Saxony, Germany"
    assert any("Holstein" in text for text in found["properties"]["alternatives"])
    assert found["geometry"]["coordinates"]


def test_an_alternative_is_a_region_itself(gazetteer: SqliteGazetteer) -> None:
    other = next(
        text
        for text in region_json(["Oldenburg"], gazetteer)["properties"]["alternatives"]
        if "Holstein" in text
    )

    assert region_json([other], gazetteer)["properties"]["name"] == other


def test_what_was_drawn_has_no_alternatives(gazetteer: SqliteGazetteer) -> None:
    found = region_json(["48.1,11.6,20"], gazetteer)

    assert (found["properties"]["alternatives"], found["properties"]["estimated"]) == ([], False)


@pytest.mark.parametrize("text", ["", "1,2", "91,0,5", "/etc/hostname", "{}", "~/x.y"])
def test_what_is_not_a_region_is_told(gazetteer: SqliteGazetteer, text: str) -> None:
    with pytest.raises(UsageError):
        region_json([text], gazetteer)
