from collections import Counter

from hypothesis import given
from hypothesis import strategies as some

from geoscout.collaborate import create_collaboration
from tests.unit.collaborate.worlds import PARTITION, aim, link, page

HASH = create_collaboration("hash", aim())


def test_every_node_gets_its_share():
    links = [link(f"http://host.example/{number}") for number in range(4000)]

    shares = Counter(name for (name,) in HASH.assign(page(), links))

    assert shares.keys() == set(PARTITION.names)
    assert all(900 < share < 1100 for share in shares.values())


def test_node_of_a_url_is_the_same_in_every_process():
    assert HASH.assign(page(), [link("http://host.example/")]) == [("pacific",)]


@given(some.text())
def test_page_of_a_link_does_not_matter(text):
    assert HASH.assign(page(text), [link()]) == HASH.assign(page(), [link()])
