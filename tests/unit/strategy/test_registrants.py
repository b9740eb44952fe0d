"""The registrants of links' domains, and the questions about them."""

import numpy as np
import pytest

from geoscout.registrations import RegistrationRecord
from geoscout.strategy.named_places import CUE_VALUES, Cue, CueReader
from geoscout.strategy.registrants import OpenQuestions, RegistrantPlaces, registrant_place
from geoscout.strategy.terms import term_number
from geoscout_places.gazetteer import Region
from geoscout_places.model import Kind
from tests.fakes import FakeGazetteer
from tests.unit.strategy.american_places import GAZETTEER, make_place

REGION = Region.parse("Massachusetts", GAZETTEER)


@pytest.fixture
def registrants():
    return RegistrantPlaces(GAZETTEER, CueReader(GAZETTEER, REGION))


def value(registrants: RegistrantPlaces, host: str) -> float:
    return float(registrants.values(np.array([term_number(host)], np.uint32))[0])


def registered(domain: str, city: str, country: str = "US") -> dict[str, RegistrationRecord]:
    return {domain: RegistrationRecord(domain, city, country=country)}


def test_registrant_in_the_region_counts_most(registrants):
    registrants.add(registered("b.example", "Boston") | registered("m.example", "Mesa"))
    registrants.add(registered("c.example", "", "United Kingdom"))
    registrants.note(f"http://www.{name}.example/x" for name in "bmc")

    found = [value(registrants, f"www.{name}.example") for name in "bmc"]

    assert found == [CUE_VALUES[Cue.INSIDE], CUE_VALUES[Cue.FAR], CUE_VALUES[Cue.ABROAD]]


def test_registrant_nobody_knows_counts_nothing(registrants):
    registrants.add(registered("b.example", "Atlantis", ""))
    registrants.note(["http://b.example/", "http://c.example/"])

    assert [value(registrants, "b.example"), value(registrants, "c.example")] == [0.0, 0.0]


def test_code_of_a_country_is_no_state():
    canada = make_place(6, "Canada", (56.0, -96.0), kind=Kind.COUNTRY, parent=0, country="CA")
    california = make_place(7, "California", (37.0, -120.0), kind=Kind.REGION, population=4 * 10**7)
    gazetteer = FakeGazetteer([california, canada], aliases={6: ["CA"], 7: ["CA"]})

    assert registrant_place(RegistrationRecord("x.example", country="CA"), gazetteer) == canada


def test_later_record_of_a_domain_replaces_the_earlier(registrants):
    for city in ("Mesa", "Boston"):
        registrants.add(registered("b.example", city))
        registrants.note(["http://b.example/"])

    assert value(registrants, "b.example") == CUE_VALUES[Cue.INSIDE]


def test_answer_that_comes_later_counts(registrants):
    registrants.add(registered("other.example", "Mesa"))
    registrants.note(["http://b.example:8080/"])
    before = value(registrants, "b.example:8080")

    registrants.add(registered("b.example", "Boston"))
    registrants.note(["http://b.example:8080/"])

    assert (before, value(registrants, "b.example:8080")) == (0.0, CUE_VALUES[Cue.INSIDE])


@pytest.mark.parametrize(("weights", "first"), [((), "b.example"), ([0.9, 0.1, 0.1], "a.example")])
def test_domain_that_links_want_most_is_asked_first(weights, first):
    questions = OpenQuestions()
    questions.add(["http://a.example/", "http://www.b.example/1", "http://b.example/2"], weights)

    taken = [questions.take() for _ in range(3)]

    assert taken[0] == first
    assert {*taken} == {"a.example", "b.example", None}


def test_domain_is_taken_once_however_often_it_was_wanted():
    questions = OpenQuestions()
    for n in range(40):
        questions.add([f"http://a.example/{n}", f"http://b{n}.example/"])

    taken = [questions.take() for _ in range(42)]

    assert taken[0] == "a.example"
    assert len(set(taken)) == 42
    assert taken[-1] is None


def test_answer_concerns_every_host_of_the_domain():
    questions = OpenQuestions()
    questions.add(["http://www.b.example/"])
    questions.take()
    questions.add(["http://shop.b.example/"])

    assert questions.close("b.example") == ["shop.b.example", "www.b.example"]


def test_link_waits_until_its_domain_is_answered():
    questions = OpenQuestions()

    assert questions.add(["http://b.example/"]) == [True]
    questions.take()
    assert questions.add(["http://b.example/"]) == [True]
    questions.close("b.example")
    assert questions.add(["http://b.example/"]) == [False]
    assert len(questions) == 0


def test_nobody_registered_an_address():
    questions = OpenQuestions()

    assert questions.add(["http://192.0.2.1/", "http://[::1]/", "http://localhost/"]) == [False] * 3
    assert questions.take() is None
