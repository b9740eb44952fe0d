from __future__ import annotations

from geoscout.collaborate import dispatch
from geoscout.model import Request

ONE, TWO = Request("http://one.example/", 0.5), Request("http://two.example/", 0.25)


def test_requests_carry_the_name_of_their_owner() -> None:
    sent = dispatch("east", [ONE, TWO], [("east",), ("west",)])

    assert [(r.url, r.node, r.priority) for r in sent.requests] == [
        (ONE.url, "east", 0.5),
        (TWO.url, "west", 0.25),
    ]


def test_only_what_leaves_the_node_is_exchanged() -> None:
    assert dispatch("east", [ONE, TWO], [("east",), ("west",)]).exchanged == 1
    assert dispatch("east", [ONE], [("east", "west", "south")]).exchanged == 2
