"""What readers of several countries ask of a sighting is found once."""

from __future__ import annotations

from geoscout_places.geo.address.base import Sighting
from tests.fakes import FakeGazetteer


def test_what_many_formats_ask_is_found_once_for_a_sighting() -> None:
    asked: list[str] = []

    def trigger(sighting: Sighting) -> str:
        asked.append(sighting.trigger)
        return sighting.trigger

    sighting = Sighting("1040 Wien", 0, 4, 0, FakeGazetteer([]), is_alone=False)
    assert [sighting.once(trigger), sighting.once(trigger)] == ["1040", "1040"]
    assert asked == ["1040"]
    assert sighting.moved(0, 2).once(trigger) == "10"
