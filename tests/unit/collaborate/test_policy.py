from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from geoscout.collaborate.policy import Claim, CollaborationOptions, Policy, dispatch
from geoscout_places.errors import UsageError
from geoscout_places.model import Request
from tests.unit.collaborate import worlds
from tests.unit.collaborate.worlds import PARTITION

SINGLE, ALL = (
    Policy(PARTITION, CollaborationOptions()),
    Policy(PARTITION, CollaborationOptions(policy="B")),
)
URL = "http://any.example/"
ONE, TWO = Request("http://one.example/", 0.5), Request("http://two.example/", 0.25)
CLAIMS = [Claim(worlds.MESA.id, 0.9), Claim(worlds.NEW_YORK.id, 0.08)]
SOME_CLAIMS = some.lists(
    some.builds(Claim, some.sampled_from(sorted(PARTITION.targets)), some.floats(0.01, 1))
)


def test_single_owner_is_that_of_the_best_claim() -> None:
    assert SINGLE.choose(CLAIMS, URL, "") == ("mountain",)


def test_all_owners_of_claims_of_weight_get_the_link() -> None:
    assert ALL.choose(CLAIMS, URL, "") == ("mountain", "eastern")


def test_claims_below_the_threshold_do_not_count() -> None:
    strict = Policy(PARTITION, CollaborationOptions(policy="B", threshold=0.1))

    assert strict.choose(CLAIMS, URL, "") == ("mountain",)


def test_unclaimed_links_may_stay_at_their_node() -> None:
    staying = Policy(PARTITION, CollaborationOptions(unclaimed="stay"))

    assert staying.choose([], URL, "pacific") == ("pacific",)
    assert SINGLE.choose([], URL, "pacific") == ("general",)


@given(SOME_CLAIMS)
def test_first_of_all_owners_is_the_single_one(claims: list[Claim]) -> None:
    ranked = sorted(claims, key=lambda claim: -claim.weight)

    every = ALL.choose(ranked, URL, "")

    assert len(set(every)) == len(every) >= 1
    assert every[0] == SINGLE.choose(ranked, URL, "")[0] or ranked[0].weight <= 0.05 * sum(
        claim.weight for claim in ranked
    )


@pytest.mark.parametrize(
    "options", [CollaborationOptions(policy="C"), CollaborationOptions(unclaimed="away")]
)
def test_unknown_policy_is_refused(options: CollaborationOptions) -> None:
    with pytest.raises(UsageError):
        Policy(PARTITION, options)


def test_requests_carry_the_name_of_their_owner() -> None:
    sent = dispatch("east", [ONE, TWO], [("east",), ("west",)])

    assert [(r.url, r.node, r.priority) for r in sent.requests] == [
        (ONE.url, "east", 0.5),
        (TWO.url, "west", 0.25),
    ]


def test_only_what_leaves_the_node_is_exchanged() -> None:
    assert dispatch("east", [ONE, TWO], [("east",), ("west",)]).exchanged == 1
    assert dispatch("east", [ONE], [("east", "west", "south")]).exchanged == 2
