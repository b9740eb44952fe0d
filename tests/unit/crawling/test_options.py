"""What a crawl was asked for, as a note and back."""

import json

import pytest

from geoscout.crawling.options import (
    NOTE,
    CrawlOptions,
    NodeOptions,
    options_of,
    provenance,
    read_crawl_options,
    relevance_rule,
    to_note,
)
from geoscout.settings import Settings
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.model import RelevanceRule


class Kept:
    """The notes of a crawl, in memory."""

    def __init__(self, text: str | None) -> None:
        self._notes = {} if text is None else {NOTE: text}

    def note(self, name: str) -> str | None:
        return self._notes.get(name)


def test_note_gives_the_same_options_again():
    options = CrawlOptions(
        region=("Lisbon", "38.7,-9.1,20"), max_pages=7, nodes=NodeOptions("url", "gao2006", "B")
    )

    assert read_crawl_options(Kept(to_note(options))) == options


def test_rule_is_kept_as_its_name_and_read_as_a_rule():
    note = to_note(CrawlOptions(relevance=RelevanceRule.ABOUT))

    options = read_crawl_options(Kept(note))

    assert json.loads(note)["relevance"] == "about"
    assert options is not None
    assert options.relevance is RelevanceRule.ABOUT


def test_unknown_rule_is_refused_with_the_known_ones():
    with pytest.raises(UsageError, match="one of about, address, scope, either, not 'all'"):
        relevance_rule("all")


def test_crawl_without_a_note_has_the_defaults_to_show():
    assert read_crawl_options(Kept(None)) is None
    assert options_of(Kept(None)) == CrawlOptions()


@pytest.mark.parametrize(
    "note", ["", "[]", '{"region": "Oldenburg"}', '{"max_pages": "many"}', '{"relevance": "all"}']
)
def test_damaged_note_is_told_in_one_line(note):
    with pytest.raises(DamagedDataError, match="options of this crawl"):
        read_crawl_options(Kept(note))


def test_a_live_crawl_says_what_it_is_for_and_by_which_rules():
    options = CrawlOptions(region=("Bern", "maps/oberland.geojson"), max_pages=500)
    settings = Settings(contact="me@example.org")

    fields = provenance(options, ["https://me:secret@a.example/"], settings)

    found = dict(fields)
    assert fields[0] == ("description", "a crawl for pages about Bern and oberland.geojson")
    assert [value for name, value in fields if name == "geoscout-region"] == [
        "Bern",
        "oberland.geojson",
    ]
    assert found["geoscout-strategy"] == "hybrid"
    assert found["geoscout-relevance"] == "about"
    assert (found["geoscout-max-pages"], found["geoscout-max-depth"]) == ("500", "none")
    assert found["operator"] == "me@example.org"
    assert found["robots"] == "obey"
    assert found["http-header-user-agent"].endswith("(+me@example.org)")
    assert "secret" not in str(fields)


def test_a_replay_names_its_archives_and_no_rules_for_servers():
    nodes = NodeOptions(assignment="hash")
    options = CrawlOptions(region=("Bern",), replay=("/home/me/x.warc.gz",), nodes=nodes)

    found = dict(provenance(options, [], Settings()))

    assert found["geoscout-replay"] == "x.warc.gz"
    assert found["geoscout-assignment"] == "hash"
    assert found.keys() & {"robots", "http-header-user-agent", "operator"} == set()


def test_of_many_seeds_the_first_are_named_and_all_are_counted():
    seeds = [f"http://a.example/{n}" for n in range(250)]

    fields = provenance(CrawlOptions(region=("Bern",)), seeds, Settings())

    assert dict(fields)["geoscout-seeds"] == "250"
    assert sum(name == "geoscout-seed" for name, _ in fields) == 100
