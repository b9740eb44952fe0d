import pytest
from msgspec.structs import replace

from geoscout.strategy.base import StrategyAim
from geoscout.strategy.inlinks import InLinks, create
from geoscout_places.errors import UsageError
from geoscout_places.model import Link, Request
from tests.unit.strategy.american_places import GAZETTEER, make_source

HUB, A, B, LONELY = (f"http://{name}.example/" for name in ("hub", "a", "b", "lonely"))


def strategy(**options: str) -> InLinks:
    made = create(StrategyAim(None, GAZETTEER, options))
    assert isinstance(made, InLinks)
    return made


def read(made: InLinks, page: str, *targets: str, relevant: bool = False) -> None:
    source = replace(make_source(), request=Request(page), relevant=relevant)
    made.score(source, [Link(target) for target in targets])


def test_page_with_most_links_from_linked_pages_comes_first():
    made = strategy()
    read(made, A, HUB, B)
    read(made, B, HUB)
    read(made, LONELY, A, A)

    hub, b, a = made.rescore([Request(HUB), Request(B), Request(A)])

    assert hub > b > 0
    assert hub > a > 0
    assert made.rescore([Request("http://new.example/")]) == [0.0]


def test_pageranks_of_a_closed_web_sum_to_one():
    made = strategy()
    read(made, A, B)
    read(made, B, A)

    assert sum(made.rescore([Request(A), Request(B)])) == pytest.approx(1.0)


def test_scope_is_the_share_of_relevant_pages_that_link_to_it():
    made = strategy(by="scope")
    read(made, "http://x.example/", A, relevant=True)
    read(made, "http://y.example/", A, B, relevant=False)
    read(made, "http://z.example/", A, relevant=True)

    assert made.rescore([Request(A), Request(B)]) == pytest.approx([2.5 / 4, 0.5 / 2])


def test_it_is_worked_out_now_and_then():
    made = strategy(every="10")

    assert [bool(made.due(number)) for number in (9, 10, 11, 20)] == [False, True, False, True]
    assert made.rescore([Request(A)]) == [0.0]
    assert made.explain(make_source(), Link(A)).value == 0.0
    with pytest.raises(UsageError, match="pagerank or scope"):
        strategy(by="fame")
