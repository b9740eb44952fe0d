"""What every collaboration keeps to, ours and one that has nothing but `assign`."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from geoscout.collaborate import (
    Origin,
    Partition,
    collaboration_names,
    create_collaboration,
    traits_of,
)
from geoscout.collaborate.base import CollaborationTraits, Labeller
from geoscout.collaborate.classifier import NONE, train
from geoscout_places.model import Link
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import PARTITION, aim, link, page

MODEL = train([("cactus sun", worlds.MESA.id), ("cactus", worlds.MESA.id), ("recipe", NONE)])
LINKS = [
    link("http://www.mesa.example/parks", "Parks in Mesa, AZ"),
    link("http://example.org/san-francisco/", "hotels", "in San Francisco"),
    link("http://example.org/contact", "Contact"),
]


class AssignOnly:
    """The least that is a collaboration: all links stay where they were found."""

    partition = PARTITION

    def assign(self, origin: Origin, links: Sequence[Link]) -> list[tuple[str, ...]]:
        return [(origin.node or self.partition.names[0],)] * len(links)


@pytest.fixture(
    params=[
        "assign only",
        *collaboration_names(),
        *(f"{n}:policy=B" for n in collaboration_names()),
    ]
)
def collaboration(request):
    if request.param == "assign only":
        return AssignOnly()
    wishes = replace(aim(), locations=lambda: lambda _server: worlds.MESA, model=MODEL)
    return create_collaboration(request.param, wishes)


def origin(url: str = "http://page.example/") -> Origin:
    return page("The cactus of Mesa, Arizona", url, "Mesa")


def test_every_link_has_an_owner_that_exists(collaboration):
    assert isinstance(collaboration.partition, Partition)
    owners = collaboration.assign(origin(), LINKS)

    assert len(owners) == len(LINKS)
    assert all(names and set(names) <= set(collaboration.partition.names) for names in owners)


def test_no_owner_is_named_twice(collaboration):
    owners = collaboration.assign(origin(), LINKS)

    assert all(len(set(names)) == len(names) for names in owners)


def test_page_without_links_assigns_nothing(collaboration):
    assert list(collaboration.assign(origin(), [])) == []


def test_what_was_asked_before_changes_nothing(collaboration):
    first = list(collaboration.assign(origin(), LINKS))
    collaboration.assign(page("San Francisco"), LINKS[::-1])

    assert list(collaboration.assign(origin(), LINKS)) == first


def test_traits_tell_the_truth_about_urls(collaboration):
    if not traits_of(collaboration).goes_by_url:
        pytest.skip("where a link was found counts")
    elsewhere = page("San Francisco", "http://other.example/")

    found = collaboration.assign(origin(), LINKS)

    assert list(found) == list(collaboration.assign(elsewhere, LINKS))


def test_traits_tell_the_truth_about_what_is_read(collaboration):
    traits = traits_of(collaboration)
    bare_links = [link(one.url) for one in LINKS]

    found = collaboration.assign(origin(), LINKS if traits.reads_links else bare_links)

    assert list(found) == list(collaboration.assign(origin(), LINKS))


def test_label_is_a_recognised_city_or_none(collaboration):
    if not isinstance(collaboration, Labeller):
        pytest.skip("it labels no pages")

    label = collaboration.label(origin())

    assert label in {0, *collaboration.partition.targets}


def test_collaboration_that_says_nothing_reads_everything():
    assert traits_of(AssignOnly()) == CollaborationTraits(reads_links=True)
