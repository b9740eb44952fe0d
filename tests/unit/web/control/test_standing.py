from __future__ import annotations

from pathlib import Path

import pytest

from geoscout.crawling.options import NOTE, CrawlOptions, to_note
from geoscout.crawling.steering import read_wishes
from geoscout.settings import Settings
from geoscout.state.sqlite import SqliteState
from geoscout.store.sqlite.lock import MARK_FILE
from geoscout.web.control.standing import has_begun, standing_json, standing_of
from geoscout.web.problems import RefusedError
from geoscout.web.site import ServedCrawl
from geoscout_places.gazetteer import SqliteGazetteer


def served(where: Path | str, gazetteer: SqliteGazetteer) -> ServedCrawl:
    return ServedCrawl("crawl", str(where), gazetteer, Settings())


def make_crawl(folder: Path, options: CrawlOptions) -> None:
    state = SqliteState(folder)
    state.writer.set_note(NOTE, to_note(options))
    state.save()
    state.close()


def test_a_crawl_in_postgresql_is_refused_with_what_to_do(gazetteer: SqliteGazetteer) -> None:
    with pytest.raises(RefusedError, match="kept in PostgreSQL") as caught:
        standing_of(served("postgresql://db.example/crawls/lisbon", gazetteer))
    assert caught.value.status == 409


def test_a_run_of_another_version_cannot_be_asked(
    tmp_path: Path, gazetteer: SqliteGazetteer
) -> None:
    state = SqliteState(tmp_path)
    (tmp_path / MARK_FILE).write_bytes(b"")  # as an earlier version leaves it

    with pytest.raises(RefusedError, match="another version"):
        standing_of(served(tmp_path, gazetteer)).stop()
    state.close()


def test_a_run_that_does_not_end_is_told(
    tmp_path: Path, gazetteer: SqliteGazetteer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("geoscout.web.control.standing._STOP_SECONDS", 0.3)
    state = SqliteState(tmp_path)  # a run that looks at nothing

    is_over = standing_of(served(tmp_path, gazetteer)).stop()

    assert not is_over
    assert read_wishes(tmp_path).stop == state.run
    state.close()


def test_more_counts_from_the_limit_or_from_what_was_had(
    tmp_path: Path, gazetteer: SqliteGazetteer
) -> None:
    make_crawl(tmp_path, CrawlOptions(max_pages=100))
    standing = standing_of(served(tmp_path, gazetteer))

    limits = [standing.limit(more=50), standing.limit(more=50), standing.limit(max_pages=10)]

    assert limits == [150, 200, 10]
    assert standing_json(standing.crawl, "", with_log=False)["max_pages"] == 10


@pytest.mark.parametrize(
    ("options", "contact", "needs"),
    [
        (CrawlOptions(), "", True),
        (CrawlOptions(), "you@example.org", False),
        (CrawlOptions(allow_private=True), "", False),
        (CrawlOptions(replay=("pages.warc.gz",)), "", False),
    ],
)
def test_a_live_crawl_needs_a_contact_to_go_on(
    tmp_path: Path,
    gazetteer: SqliteGazetteer,
    options: CrawlOptions,
    contact: str,
    needs: bool,
) -> None:
    make_crawl(tmp_path, options)

    found = standing_json(served(tmp_path, gazetteer), contact, with_log=True)

    assert (found["needs_contact"], found["process"], found["trouble"]) == (needs, None, "")


def test_a_crawl_has_begun_when_it_has_what_it_was_asked_for(tmp_path: Path) -> None:
    empty = has_begun(tmp_path)
    SqliteState(tmp_path).close()
    without = has_begun(tmp_path)
    make_crawl(tmp_path, CrawlOptions(region=("Lisbon",)))

    assert (empty, without, has_begun(tmp_path)) == (False, False, True)
