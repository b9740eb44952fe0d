from dataclasses import replace

import pytest

from geoscout.search import open_engine
from geoscout.search.base import Question
from geoscout.search.common_node import CommonNodes
from geoscout.search.updating import follow_crawl
from geoscout_places.errors import UsageError
from geoscout_places.geo import Geoparser
from tests.unit.search.worlds import PAGES, make_crawl


@pytest.fixture(scope="module")
def nodes(gazetteer):
    return CommonNodes(gazetteer)


@pytest.mark.parametrize(
    ("names", "name", "gloss"),
    [
        (["Portland", "Maine", "Augusta"], "Portland", "Maine"),
        (["Portland", "Oregon", "Eugene"], "Portland", "Oregon"),
        (["Portland"], "Portland", "Oregon"),  # WordNet's first sense
    ],
)
def test_sense_is_that_with_the_narrowest_common_node(nodes, names, name, gloss):
    assert gloss in nodes.resolve(names)[name].gloss


def test_page_is_about_the_node_that_its_places_are_linked_under(nodes):
    found = nodes.places("Dallas and Houston are larger than Austin. Paris is far away.")

    (main,) = [known for known in found if known.is_main]
    assert main.place.name == "Texas"
    assert {"Dallas", "Houston", "Austin", "Paris"} <= {known.place.name for known in found}
    assert nodes.places("Nothing is here.") == []


def test_index_is_made_with_the_places_that_are_asked_for(tmp_path, gazetteer, settings):
    make_crawl(tmp_path, PAGES.items(), Geoparser(gazetteer))
    asked = replace(settings, index_places="common-node")
    follow_crawl(tmp_path, gazetteer, settings=asked)

    answer = open_engine(tmp_path, gazetteer, asked).answer(Question("pizza in Lisbon"))

    # GeoWordNet knows one Lisbon, and takes the page of New Hampshire for one of Portugal.
    urls = {hit.url for hit in answer.hits}
    assert {"http://forno.example/", "http://lisbon-nh.example/"} <= urls
    with pytest.raises(UsageError, match="index_places is models or common-node"):
        follow_crawl(tmp_path, gazetteer, settings=replace(settings, index_places="best"))
