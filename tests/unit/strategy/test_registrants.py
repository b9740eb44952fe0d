"""Where the holder of a link's domain is, seen from the region."""

from __future__ import annotations

import numpy as np
import pytest

from geoscout.gazetteer import Region
from geoscout.model import Kind
from geoscout.registrations import RegistrationRecord
from geoscout.strategy.named_places import WORTH, Cue, CueReader
from geoscout.strategy.registrants import Holders, place_of
from geoscout.strategy.terms import term_number
from tests.fakes import FakeGazetteer
from tests.unit.strategy.american_places import GAZETTEER, make_place

REGION = Region.parse("Massachusetts", GAZETTEER)


@pytest.fixture
def holders() -> Holders:
    return Holders(GAZETTEER, CueReader(GAZETTEER, REGION))


def worth(holders: Holders, host: str) -> float:
    return float(holders.worths(np.array([term_number(host)], np.uint32))[0])


def held(domain: str, city: str, country: str = "US") -> dict[str, RegistrationRecord]:
    return {domain: RegistrationRecord(domain, city, country=country)}


def test_holder_in_the_region_is_worth_most(holders: Holders) -> None:
    holders.know(held("b.example", "Boston") | held("m.example", "Mesa"))
    holders.know(held("c.example", "", "United Kingdom"))
    holders.note(f"http://www.{name}.example/x" for name in "bmc")

    found = [worth(holders, f"www.{name}.example") for name in "bmc"]

    assert found == [WORTH[Cue.INSIDE], WORTH[Cue.FAR], WORTH[Cue.ABROAD]]


def test_holder_nobody_knows_is_worth_nothing(holders: Holders) -> None:
    holders.know(held("b.example", "Atlantis", ""))
    holders.note(["http://b.example/", "http://c.example/"])

    assert [worth(holders, "b.example"), worth(holders, "c.example")] == [0.0, 0.0]


def test_code_of_a_country_is_no_state() -> None:
    canada = make_place(6, "Canada", (56.0, -96.0), kind=Kind.COUNTRY, parent=0, country="CA")
    california = make_place(7, "California", (37.0, -120.0), kind=Kind.REGION, population=4 * 10**7)
    gazetteer = FakeGazetteer([california, canada], aliases={6: ["CA"], 7: ["CA"]})

    assert place_of(RegistrationRecord("x.example", country="CA"), gazetteer) == canada


def test_later_record_of_a_domain_replaces_the_earlier(holders: Holders) -> None:
    for city in ("Mesa", "Boston"):
        holders.know(held("b.example", city))
        holders.note(["http://b.example/"])

    assert worth(holders, "b.example") == WORTH[Cue.INSIDE]


def test_answer_that_comes_later_counts(holders: Holders) -> None:
    holders.know(held("other.example", "Mesa"))
    holders.note(["http://b.example:8080/"])
    before = worth(holders, "b.example:8080")

    holders.know(held("b.example", "Boston"))
    holders.note(["http://b.example:8080/"])

    assert (before, worth(holders, "b.example:8080")) == (0.0, WORTH[Cue.INSIDE])
