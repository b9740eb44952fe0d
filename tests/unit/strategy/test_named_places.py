"""What the place names in a link say about the region."""

import pytest
from msgspec.structs import replace

from geoscout.strategy.named_places import Cue, CueReader
from geoscout_places.gazetteer import Region
from geoscout_places.model import Link


@pytest.fixture(scope="module")
def reader(gazetteer):
    return CueReader(gazetteer, Region.parse("Oldenburg, Germany", gazetteer))


def link(url: str, anchor: str) -> Link:
    return Link(url, anchor, tag_path="a")


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
def test_names_in_the_anchor(reader, anchor, cue):
    assert reader.of_links([link("http://x.test/", anchor)])[0][2] is cue


def test_names_in_host_and_path(reader):
    found = reader.of_links([link("http://www.oldenburg-tourismus.de/bremen/", "more")])[0]

    assert found == (Cue.INSIDE, Cue.NEAR, Cue.NOTHING, Cue.NOTHING)


def test_names_in_the_text_around(reader):
    near = replace(link("http://x.test/", "more"), before="the station of", after="Oldenburg is")
    far = replace(near, after="a place that is a long way off from Oldenburg")

    assert [cues[3] for cues in reader.of_links([near, far])] == [Cue.INSIDE, Cue.NOTHING]
    assert [cues[3] for cues in reader.of_links([far, near])] == [Cue.NOTHING, Cue.INSIDE]


def test_name_without_a_capital_counts_only_in_what_the_link_itself_says(reader):
    lower = replace(link("http://x.test/bremen", "oldenburg"), before="oldenburg", after="bremen")

    found = reader.of_links([lower])[0]

    assert found == (Cue.NOTHING, Cue.NEAR, Cue.INSIDE, Cue.NOTHING)


def test_no_name_goes_on_across_a_link(reader):
    across = replace(link("http://x.test/", "more"), before="Bad", after="Zwischenahn")
    after = replace(across, before="", after="Bad Zwischenahn")

    assert reader.of_links([after])[0][3] is not Cue.NOTHING
    assert reader.of_links([across])[0][3] is not reader.of_links([after])[0][3]


@pytest.mark.parametrize(
    ("host", "cue"),
    [
        ("hoteloldenburg.de", Cue.MAYBE),
        ("oldenburger-nachrichten.de", Cue.MAYBE),
        ("mylowersaxony.com", Cue.AROUND),
        ("burgold.de", Cue.NOTHING),
    ],
)
def test_name_of_the_region_inside_a_word_of_the_host(reader, host, cue):
    assert reader.of_links([link(f"http://{host}/", "more")])[0][0] is cue
