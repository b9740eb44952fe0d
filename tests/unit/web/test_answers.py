"""An answer is printed by the command and sent by the API: these are the differences."""

from collections.abc import Mapping
from typing import Any

import orjson

from geoscout.entries import EntryHits
from geoscout.search import Question
from geoscout.search.presenting import answer_as_json
from geoscout.web.api.search import answer_json
from geoscout.web.endpoints import encode
from geoscout.web.site import Site


def only_in(one: Mapping[str, object], other: Mapping[str, object]) -> set[str]:
    return {*one} - {*other}


def both_forms(site: Site, question: Question) -> tuple[Any, Any]:
    """What the command prints and what the API sends, as JSON says it."""
    answer = site.crawl("").engine().answer(question)
    printed = answer_as_json(answer, site.gazetteer)
    served = answer_json(answer, EntryHits(), "lisbon", site.gazetteer)
    return orjson.loads(encode(printed)), orjson.loads(encode(served))


def test_the_keys_that_differ_between_command_and_api(site):
    printed, served = both_forms(site, Question("pizza in Lisbon", explain=True))

    entries = {
        "facts",
        *(f"entries{key}" for key in ("", "_total", "_filters", "_notes")),
    }  # which the command adds
    assert (only_in(printed, served), only_in(served, printed)) == (set(), {"crawl", *entries})
    assert only_in(printed["reading"], served["reading"]) == set()
    assert only_in(served["reading"], printed["reading"]) == {"label", "explicit"}
    hit, served_hit = printed["hits"][0], served["hits"][0]
    assert (only_in(hit, served_hit), only_in(served_hit, hit)) == ({"visit"}, {"n"})
    place, served_place = hit["places"][0], served_hit["places"][0]
    missing = {"kind", "country", "path", "population", "has_address"}
    assert (only_in(place, served_place), only_in(served_place, place)) == (missing, {"address"})
    assert hit["explanation"].keys() == served_hit["explanation"].keys()


def test_the_values_under_equal_keys_are_equal(site):
    printed, served = (one["hits"][0] for one in both_forms(site, Question("pizza in Lisbon")))

    same = {*printed} & {*served} - {"places", "fetched_at"}
    assert {key: printed[key] for key in same} == {key: served[key] for key in same}


def test_a_street_that_is_not_known_is_told_by_both(site):
    for form in both_forms(site, Question("pizza near Rua Garrett 12, Lisbon")):
        reading = form["reading"]

        assert (reading["street"], reading["precision"]) == ("Rua Garrett 12", "town")
        assert "searched near Lisbon itself" in reading["notes"][0]
