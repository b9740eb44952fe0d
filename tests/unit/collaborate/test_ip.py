from dataclasses import replace

import pytest
from msgspec import structs

from geoscout.collaborate import Collaboration, create_collaboration
from geoscout_places.errors import UsageError
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import aim, link, page

SERVERS = {
    "192.0.2.1": worlds.MESA,
    "192.0.2.2": worlds.ALBANY_NY,
    "page.example": worlds.NEW_YORK,
    "link.example": worlds.MESA,
}


def by_server(spec: str = "ip") -> Collaboration:
    return create_collaboration(spec, replace(aim(), locations=lambda: SERVERS.get))


@pytest.mark.parametrize(
    ("address", "node"),
    [("192.0.2.1", "mountain"), ("192.0.2.2", "general"), ("192.0.2.3", "general")],
)
def test_links_go_where_the_server_of_the_page_stands(address, node):
    origin = structs.replace(page(), address=address)

    assert by_server("ip:near_km=0").assign(origin, [link()]) == [(node,)]


def test_host_is_asked_for_where_the_address_is_unknown():
    assert by_server().assign(page(), [link()]) == [("eastern",)]


def test_server_of_the_target_is_another_reading():
    assert by_server("ip:server=target").assign(page(), [link()]) == [("mountain",)]


def test_server_near_an_owned_city_is_its_own():
    origin = structs.replace(page(), address="192.0.2.2")

    assert by_server("ip:near_km=20000").assign(origin, [link()]) != [("general",)]


def test_servers_of_regions_left_out_count_as_unknown():
    origin = structs.replace(page(), address="192.0.2.1")

    assert by_server("ip:leave_out=Alaska+Arizona").assign(origin, [link()]) == [("general",)]


def test_without_a_database_it_says_what_is_missing():
    with pytest.raises(UsageError, match="database"):
        create_collaboration("ip", aim())
