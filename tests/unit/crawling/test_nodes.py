"""What a collaboration is handed when a crawl is put together."""

import pytest

from geoscout.collaborate import GROUP
from geoscout.collaborate.partition import write_partition
from geoscout.crawling.nodes import collaboration_of
from geoscout.crawling.options import NodeOptions
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from tests.unit.collaborate.worlds import GAZETTEER, PARTITION, link, page

EVERYWHERE = Region((), GAZETTEER)
BY_ROOF = """
class ByRoof:
    def __init__(self, aim):
        self.partition, self.home = aim.partition, aim.locations()("192.0.2.1")

    def assign(self, origin, links):
        return [(self.partition.owner(self.home.id),) for _ in links]

def create(aim):
    return ByRoof(aim)
"""


@pytest.fixture
def nodes(tmp_path):
    file = tmp_path / "nodes.toml"
    file.write_text(write_partition(PARTITION, GAZETTEER))
    return str(file)


def test_collaboration_of_any_name_learns_where_servers_stand(plugins, tmp_path, nodes):
    plugins.add(GROUP, "roof", BY_ROOF)
    servers = tmp_path / "servers.tsv"
    servers.write_text("192.0.2.1\tMesa\n")
    asked = NodeOptions("roof", nodes, ip_locations=str(servers))

    collaboration = collaboration_of(asked, EVERYWHERE, GAZETTEER)

    assert collaboration is not None
    assert collaboration.assign(page(), [link()]) == [("mountain",)]


def test_locations_are_opened_only_by_those_who_need_them(tmp_path, nodes):
    missing = str(tmp_path / "missing.mmdb")

    assert collaboration_of(NodeOptions("hash", nodes, ip_locations=missing), EVERYWHERE, GAZETTEER)
    with pytest.raises(UsageError, match="there is no file"):
        collaboration_of(NodeOptions("ip", nodes, ip_locations=missing), EVERYWHERE, GAZETTEER)
