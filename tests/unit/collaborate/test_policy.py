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


@pytest.mark.parametrize(
    ("options", "claims", "nodes"),
    [
        (CollaborationOptions(), CLAIMS, ("mountain",)),
        (CollaborationOptions(policy="B"), CLAIMS, ("mountain", "eastern")),
        (CollaborationOptions(policy="B", threshold=0.1), CLAIMS, ("mountain",)),
        (CollaborationOptions(unclaimed="stay"), [], ("pacific",)),
        (CollaborationOptions(), [], ("general",)),
    ],
)
def test_link_is_sent_to_whom_the_policy_says(options, claims, nodes):
    assert Policy(PARTITION, options).choose(claims, URL, "pacific") == nodes


@given(SOME_CLAIMS)
def test_first_of_all_owners_is_the_single_one(claims):
    ranked = sorted(claims, key=lambda claim: -claim.weight)

    every = ALL.choose(ranked, URL, "")

    assert len(set(every)) == len(every) >= 1
    assert every[0] == SINGLE.choose(ranked, URL, "")[0] or ranked[0].weight <= 0.05 * sum(
        claim.weight for claim in ranked
    )


@pytest.mark.parametrize(
    "options", [CollaborationOptions(policy="C"), CollaborationOptions(unclaimed="away")]
)
def test_unknown_policy_is_refused(options):
    with pytest.raises(UsageError):
        Policy(PARTITION, options)


def test_requests_carry_the_name_of_their_owner_and_those_that_leave_are_counted():
    sent = dispatch("east", [ONE, TWO], [("east",), ("west",)])

    assert [(r.url, r.node, r.priority) for r in sent.requests] == [
        (ONE.url, "east", 0.5),
        (TWO.url, "west", 0.25),
    ]
    assert sent.exchanged == 1
    assert dispatch("east", [ONE], [("east", "west", "south")]).exchanged == 2
