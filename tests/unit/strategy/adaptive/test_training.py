from __future__ import annotations

import numpy as np

from geoscout.strategy.adaptive.training import GRAPH, TREE, TrainingGraph
from geoscout_places.model import Request
from tests.unit.strategy.links import HERE, link


def packed(number: int) -> bytes:
    return np.array([number], np.uint32).tobytes()


def graph_of(pages: dict[str, str], relevant: str, *, redirects: str = "") -> TrainingGraph:
    """Pages of one letter in the order of fetching; the term of a link is its target's letter."""
    graph, found_on = TrainingGraph(), dict[str, str]()
    for name, targets in pages.items():
        parent = found_on.get(name, "")
        features = packed(ord(name)) if parent else b""
        request = Request(HERE + name, parent=parent and HERE + parent, features=features)
        graph.add_page(request, 301 if name in redirects else 200, relevant=name in relevant)
        if name not in redirects:
            links = [link(HERE + target) for target in targets]
            graph.add_links(request.url, links, [packed(ord(target)) for target in targets])
        for target in targets:
            found_on.setdefault(target, name)
    return graph


def outcomes(graph: TrainingGraph, depth: int, labels: str = GRAPH) -> list[tuple[str, list[int]]]:
    examples = graph.examples(depth, labels)
    names = [chr(number) for number in examples.terms.numbers]
    return list(zip(names, examples.outcomes.astype(int).tolist(), strict=True))


def test_outcome_is_what_lies_exactly_so_many_steps_away() -> None:
    chain = graph_of({"a": "b", "b": "c", "c": "d", "d": ""}, relevant="d")

    assert outcomes(chain, 3) == [("b", [0, 0, 1]), ("c", [0, 1, 0]), ("d", [1, 0, 0])]


def test_links_to_what_was_not_fetched_are_no_examples() -> None:
    assert outcomes(graph_of({"a": "bx", "b": ""}, relevant="b"), 1) == [("b", [1])]


def test_links_of_a_page_to_itself_are_no_examples() -> None:
    assert outcomes(graph_of({"a": "a"}, relevant="a"), 2) == []


def test_graph_sees_links_that_were_not_followed() -> None:
    diamond = {"a": "bc", "b": "d", "c": "d", "d": ""}

    by_graph = outcomes(graph_of(diamond, relevant="d"), 2)
    by_tree = outcomes(graph_of(diamond, relevant="d"), 2, TREE)

    assert ("c", [0, 1]) in by_graph
    assert ("c", [0, 0]) in by_tree
    assert len(by_graph) == 4
    assert len(by_tree) == 3


def test_redirect_stands_for_where_it_leads() -> None:
    moved = graph_of({"a": "b", "b": "c", "c": "d", "d": ""}, relevant="cd", redirects="b")

    assert outcomes(moved, 2) == [("b", [1, 1]), ("d", [1, 0])]
    assert ("b", [1, 1]) in outcomes(moved, 2, TREE)


def test_redirect_that_was_not_followed_is_no_example() -> None:
    assert outcomes(graph_of({"a": "b", "b": "c"}, relevant="c", redirects="b"), 1) == []


def test_second_answer_of_a_url_changes_nothing() -> None:
    graph = graph_of({"a": "b", "b": ""}, relevant="b")
    graph.add_page(Request(HERE + "b"), 404, relevant=False)

    assert outcomes(graph, 1) == [("b", [1])]
    assert len(graph) == 2


def test_graph_survives_being_kept() -> None:
    graph = graph_of({"a": "bc", "b": "d", "c": "d", "d": ""}, relevant="d", redirects="b")

    again = TrainingGraph.unpack(graph.pack())

    for labels in (GRAPH, TREE):
        assert outcomes(again, 3, labels) == outcomes(graph, 3, labels)


def test_empty_graph_has_no_examples() -> None:
    assert outcomes(TrainingGraph.unpack(TrainingGraph().pack()), 2) == []
