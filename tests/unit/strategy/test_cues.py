"""What the place names in a link say about the region."""

from __future__ import annotations

from dataclasses import replace

import pytest

from geoscout.gazetteer import Region
from geoscout.gazetteer.sqlite import SqliteGazetteer
from geoscout.model import Link, Part
from geoscout.strategy.cues import Cue, CueReader


@pytest.fixture(scope="module")
def reader(gazetteer: SqliteGazetteer) -> CueReader:
    return CueReader(gazetteer, Region.parse("Oldenburg, Germany", gazetteer))


def link(url: str, anchor: str) -> Link:
    return Link(url, anchor, "", (), "", "", "", "a", Part.MAIN)


@pytest.mark.parametrize(
    ("anchor", "cue"),
    [
        ("Hotels in Oldenburg", Cue.INSIDE),
        ("Niedersachsen", Cue.AROUND),
        ("Bremen", Cue.NEAR),
        ("München", Cue.FAR),
        ("Lisbon", Cue.ABROAD),
        ("read more", Cue.NOTHING),
    ],
)
def test_names_in_the_anchor(reader: CueReader, anchor: str, cue: Cue) -> None:
    assert reader.of_links([link("http://x.test/", anchor)])[0][2] is cue


def test_names_in_host_and_path(reader: CueReader) -> None:
    found = reader.of_links([link("http://www.oldenburg-tourismus.de/bremen/", "more")])[0]

    assert found == (Cue.INSIDE, Cue.NEAR, Cue.NOTHING, Cue.NOTHING)


def test_names_in_the_text_around(reader: CueReader) -> None:
    near = replace(link("http://x.test/", "more"), before="the station of", after="Oldenburg is")
    far = replace(near, after="a place that is a long way off from Oldenburg")

    assert [cues[3] for cues in reader.of_links([near, far])] == [Cue.INSIDE, Cue.NOTHING]
