"""What the hybrid knows of a link when it is found."""

import pytest

from geoscout.strategy.hybrid.link_features import FeatureReader, Features
from geoscout.strategy.hybrid.models import GROUPS
from geoscout.strategy.named_places import CUE_VALUES, CueReader
from geoscout.strategy.terms import term_number
from geoscout_places.gazetteer import Region
from geoscout_places.model import Link
from tests.unit.strategy.links import HERE, link


@pytest.fixture(scope="module")
def reader(gazetteer):
    return FeatureReader(
        CueReader(gazetteer, Region.parse("Oldenburg, Germany", gazetteer)), window=3
    )


def groups_of(page: str, one: Link) -> dict[str, int]:
    read = FeatureReader(None, window=3).read(page, [one])
    return dict(zip(GROUPS, read.groups[0].tolist(), strict=True))


def shared(first: dict[str, int], second: dict[str, int]) -> set[str]:
    return {name for name in GROUPS if first[name] == second[name]}


@pytest.mark.parametrize(
    ("anchor", "value"), [("Oldenburg", 2.0), ("Lisbon", -1.0), ("read more", 0.0)]
)
def test_value_of_the_places_named_can_be_read_back(reader, anchor, value):
    packed = reader.read(HERE, [link("http://x.test/", anchor)]).pack()

    assert CUE_VALUES[Features.unpack(packed).cues].tolist() == [value]


def test_there_is_a_number_for_every_text(reader):
    one = link("http://oldenburg.test/bremen/kontakt", "Kontakt in Oldenburg")

    read = reader.read(HERE, [one])
    texts = reader.texts(HERE, one)

    assert set(read.terms.numbers.tolist()) == {term_number(text) for text in texts}
    assert {"part:main", "cue:inside", "cue-path:near", "anchor:kontakt"} <= set(texts)


def test_packed_features_are_those_that_were_read(reader):
    links = [link(f"http://x.test/{n}", anchor) for n, anchor in enumerate(("Bremen", "", "a b c"))]
    read = reader.read(HERE, links)

    again = Features.unpack(read.pack())

    assert again.groups.tolist() == read.groups.tolist()
    assert again.cues.tolist() == read.cues.tolist()
    assert again.terms.numbers.tolist() == read.terms.numbers.tolist()
    assert again.terms.starts.tolist() == read.terms.starts.tolist()


def test_features_without_a_gazetteer_name_no_places():
    read = FeatureReader(None, window=3).read(HERE, [link("http://x.test/", "Oldenburg")])

    assert CUE_VALUES[read.cues].tolist() == [0.0]


def test_links_share_the_groups_they_have_in_common():
    one = groups_of("http://a.test/list", link("http://b.test/shops/pizza?id=3"))

    same_page = groups_of("http://a.test/list", link("http://b.test/shops/sushi"))
    same_site = groups_of("http://a.test/other", link("http://c.test/"))
    same_host = groups_of("http://d.test/", link("http://b.test/"))

    assert shared(one, same_page) == set(GROUPS)
    assert shared(one, same_site) == {"template"}
    assert shared(one, same_host) == {"host"}
