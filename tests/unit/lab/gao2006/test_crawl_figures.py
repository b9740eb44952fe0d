"""A small crawl on disk by two nodes, measured."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout.collaborate import Node, Partition
from geoscout.store import Visit
from geoscout.store.base import Topic
from geoscout_lab.gao2006.checks import figures_of_crawl
from tests.fakes import FakeGazetteer
from tests.stores import Store, open_folder
from tests.unit.store.visits import AUSTIN, PARIS, TEXAS, USA, respond, visit

GAZETTEER = FakeGazetteer([USA, TEXAS, AUSTIN, PARIS])
PARTITION = Partition(
    [Node("general"), Node("south", (AUSTIN,)), Node("abroad", (PARIS,))], GAZETTEER
)


def by(node: str, found: Visit) -> Visit:
    return replace(found, request=replace(found.request, node=node))


def test_figures_are_those_of_the_facts(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.add(by("south", visit("http://a.example/")))
        store.add(by("abroad", visit("http://a.example/next", b"<p>Other")))
        store.add(by("south", visit("http://a.example/next", b"<p>Other")))
        empty = replace(visit("http://b.example/"), reading=None, relevant=False)
        store.add(by("general", empty))
        store.add(by("general", Visit(empty.request, respond("http://b.example/x", b"", 404))))
        store.count_all(Topic.EXCHANGED, {"south": 3, "general": 5})
        store.commit()

    with open_folder(tmp_path) as stored:
        figures = figures_of_crawl(stored, PARTITION)

    assert figures["downloads"] == 4
    assert figures["geo_coverage"] == 0.75
    assert figures["geo_focus_by_node"] == {"general": 0, "south": 1, "abroad": 0}
    assert figures["overlap"] == 0.25
    assert figures["communication"] == 2
    assert figures["unique_entities"] == pytest.approx(1 / 3)
    assert figures["locality_linked"] == 0.5  # of two links, one is from a page about nothing
