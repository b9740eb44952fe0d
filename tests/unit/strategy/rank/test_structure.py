from __future__ import annotations

import pytest

from geoscout.registrations import RegistrationRecord
from geoscout.strategy.rank.measures import WINDOW, StructuralParser
from geoscout_places.toponyms.short_texts import ToponymReader
from tests.unit.strategy.american_places import BOSTON, CAMBRIDGE_MA, GAZETTEER, make_link


def parser(window: int = WINDOW, *records: RegistrationRecord) -> StructuralParser:
    made = StructuralParser(ToponymReader(GAZETTEER), GAZETTEER, window=window)
    made.add_registrations({record.domain: record for record in records})
    return made


def found(parser: StructuralParser, **link: str) -> list[tuple[str, str]]:
    (context,) = parser.read_links([make_link(**link)])
    return [(evidence.source, evidence.toponym.name) for evidence in context.evidence]


def test_every_piece_of_evidence_keeps_its_source() -> None:
    evidence = found(
        parser(),
        url="http://boston.example/san-francisco/newyork.html",
        anchor="hotels in mesa",
        before="Visit Cambridge or",
        after="in Massachusetts",
    )

    assert evidence == [
        ("host", "Boston"),
        ("path", "San Francisco"),
        ("path", "New York"),
        ("anchor", "Mesa"),
        ("before", "Cambridge"),
        ("after", "Massachusetts"),
    ]


def test_link_without_places_has_no_evidence() -> None:
    assert found(parser(), url="http://example.org/contact", anchor="Home") == []


def test_alternative_text_stands_for_a_missing_anchor() -> None:
    assert found(parser(), alt="Boston by night") == [("anchor", "Boston")]


@pytest.mark.parametrize(("window", "expected"), [(0, []), (1, ["Mesa"]), (2, ["Boston", "Mesa"])])
def test_window_is_as_wide_as_it_is_set(window: int, expected: list[str]) -> None:
    evidence = found(parser(window), before="Mesa Boston or", after="Mesa New York")

    assert [name for _, name in evidence] == expected


def test_registration_brings_the_city_within_its_state() -> None:
    record = RegistrationRecord("example.org", "Cambridge", "MA", "US")
    (context,) = parser(WINDOW, record).read_links([make_link("http://www.example.org/")])

    assert [e.source for e in context.evidence] == ["registration"]
    assert context.evidence[0].toponym.senses == (CAMBRIDGE_MA,)


def test_odd_region_does_not_hide_the_city() -> None:
    record = RegistrationRecord("example.org", "Boston", "Greater Nowhere", "US")
    (evidence,) = parser(WINDOW, record).read_url("http://example.org/")

    assert evidence.toponym.senses == (BOSTON,)


def test_unknown_city_falls_back_to_what_is_around_it() -> None:
    record = RegistrationRecord("example.org", "Nowhere", "Massachusetts", "US")
    (evidence,) = parser(WINDOW, record).read_url("http://example.org/")

    assert evidence.toponym.name == "Massachusetts"


def test_redacted_registration_is_no_evidence() -> None:
    redacted = RegistrationRecord("example.org")

    assert parser(WINDOW, redacted).read_url("http://example.org/") == ()


def test_every_link_of_a_page_gets_its_own_evidence() -> None:
    links = [make_link(anchor="Boston"), make_link(), make_link(after="to Mesa")]

    contexts = parser().read_links(links)

    assert [[e.toponym.name for e in c.evidence] for c in contexts] == [["Boston"], [], ["Mesa"]]


def test_values_of_a_query_count_and_its_parameters_do_not() -> None:
    evidence = found(parser(), url="http://example.org/?boston=1&city=new+york&sid=mesa7")

    assert evidence == [("path", "New York")]
