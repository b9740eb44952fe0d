import random

import pytest

from geoscout_lab.measures.analysis import kilometres_by_links, links_from_relevant
from geoscout_places.model import Point

# 0 -> 1 -> 2 -> 3, a degree of latitude (111 km) from each to the next; 4 has no place.
CHAIN = {0: [1, 4], 1: [2], 2: [3], 3: [], 4: []}
POINTS = {page: Point(float(page), 0.0) for page in range(4)}


def test_distance_grows_with_the_links_between():
    *by_links, _ = kilometres_by_links(CHAIN, POINTS, random.Random(1))

    assert by_links == [pytest.approx(111.2 * links, abs=0.2) for links in (1, 2, 3)]


def test_pages_without_places_have_no_distance():
    assert kilometres_by_links(CHAIN, {}, random.Random(1)) == [None] * 4


def test_links_to_relevant_pages_are_told_by_where_they_come_from():
    shares = links_from_relevant(CHAIN, lambda page: page in {1, 2})

    assert shares == {"to_relevant": 0.5, "to_any": 0.5}  # 0 -> 1 -> 2, and 2 -> 3
