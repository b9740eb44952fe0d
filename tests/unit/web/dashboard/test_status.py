"""How a crawl stands, as the dashboard shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.crawling.harvest_curve import HarvestCurve
from geoscout.crawling.options import NOTE, CrawlOptions, NodeOptions, to_note
from geoscout.state.base import Beginning, create_state, open_state
from geoscout.web.dashboard.status import StatusJson, status_json


def status(folder: Path, notes: dict[str, str]) -> StatusJson:
    """Of a crawl that kept these notes and has not begun."""
    create_state(folder, Beginning(notes=notes)).close()
    with open_state(folder) as crawl:
        return status_json(crawl, "name", HarvestCurve())


@pytest.mark.parametrize(
    ("assignment", "shown"), [("none", ""), ("anchor:window=10", "anchor:window=10")]
)
def test_the_collaboration_is_shown(tmp_path: Path, assignment: str, shown: str) -> None:
    options = CrawlOptions(region=("Lisbon",), nodes=NodeOptions(assignment))

    found = status(tmp_path / "crawl", {NOTE: to_note(options)})

    assert (found["collaboration"], found["region"]) == (shown, ["Lisbon"])


def test_what_keeps_the_index_behind_is_shown(tmp_path: Path) -> None:
    create_state(tmp_path / "crawl", Beginning()).close()
    with open_state(tmp_path / "crawl") as crawl:
        assert status_json(crawl, "name", HarvestCurve())["index_trouble"] == ""
        assert status_json(crawl, "name", HarvestCurve(), "full")["index_trouble"] == "full"


def test_a_crawl_that_kept_no_options_shows_none(tmp_path: Path) -> None:
    found = status(tmp_path / "crawl", {})

    assert (found["region"], found["strategy"], found["collaboration"]) == ([], "", "")
