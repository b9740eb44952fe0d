"""What every state of a crawl promises: one commit covers facts, frontier and archive."""

import asyncio
import json
import shutil
import time
from dataclasses import replace

import pytest

from geoscout.cli.main import main
from geoscout.frontier.base import Limits
from geoscout.state.base import (
    BACKENDS,
    Beginning,
    CrawlState,
    Fate,
    Writing,
    create_state,
    folder_below,
    holds_crawl,
    open_state,
    resume_state,
)
from geoscout.store.base import Failure
from geoscout.web.site import open_site
from geoscout_places.errors import UsageError
from geoscout_places.model import Request
from tests.archives import archive_bytes
from tests.contract.conftest import Kept
from tests.elsewhere import ROOT as ELSEWHERE
from tests.homes import home_with_gazetteer
from tests.plugins import plugin_folder
from tests.unit.store.visits import visit

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


def fetch(state: CrawlState, *links: Request) -> None:
    """Take the best request, find a page with some links, and be done with it."""
    request = state.frontier.next(0.0)
    assert request is not None
    state.writer.add(visit(request.url, request.url.encode()))
    state.frontier.put(links)
    state.frontier.done(request, 0.0, 0.0)


def seen(crawl: Kept) -> tuple[list[str], list[str], int]:
    """Visits, waiting requests and bytes of the archive, as others see them."""
    with crawl.look() as view:
        visits = [found.url for found in view.reader.visits()]
        waiting = [request.url for request in view.frontier.best(10)]
        return visits, waiting, len(archive_bytes(view.reader))


def soon_seen(crawl: Kept) -> list[str]:
    """The visits as others see them once a commit that is under way has ended."""
    give_up_at = time.monotonic() + 10
    while not (visits := seen(crawl)[0]) and time.monotonic() < give_up_at:
        time.sleep(0.01)
    return visits


def test_nothing_is_seen_before_the_commit_and_all_of_it_after(crawl):
    crawl.state.frontier.put([Request(A, 1.0)])
    crawl.commit()
    before = seen(crawl)
    fetch(crawl.state, Request(B, 0.5))
    crawl.state.writer.set_note("told", "yes")
    uncommitted = seen(crawl)
    crawl.commit()
    visits, waiting, size = seen(crawl)

    assert before == uncommitted == ([], [A], 0)
    assert (visits, waiting, size > 0) == ([A], [B], True)


def test_what_was_not_committed_is_undone_together(crawl):
    crawl.state.frontier.put([Request(A, 1.0)])
    crawl.commit()
    fetch(crawl.state, Request(B, 0.5))
    crawl.reopen()

    taken = crawl.state.frontier.next(0.0)
    assert taken is not None
    assert (taken.url, crawl.state.frontier.next(0.0)) == (A, None)
    assert list(crawl.state.reader.visits()) == []
    assert archive_bytes(crawl.state.reader) == b""


def test_a_crawl_goes_on_from_its_last_commit(crawl):
    crawl.state.frontier.put([Request(A, 1.0)])
    fetch(crawl.state, Request(B, 0.5))
    crawl.commit()
    crawl.reopen()
    new = crawl.state.frontier.put([Request(A, 9.0), Request(C, 0.1)])
    fetch(crawl.state)
    crawl.commit()

    assert new == 1
    assert seen(crawl)[:2] == ([A, B], [C])


def test_what_was_written_can_be_read_by_the_crawl_itself(crawl):
    crawl.state.writer.add(visit(A, b"one"))

    assert crawl.state.reader.totals().visits == 1
    assert crawl.state.reader.response(1).body == b"one"


def test_a_commit_is_due_after_enough_visits_or_failures(crawl):
    crawl.state.writer.add(visit(A))
    asyncio.run(crawl.state.commit_when_due(2, 3600.0))
    too_few = seen(crawl)[0]
    crawl.state.writer.add_failure(Failure(Request(B), 0.0, "dns"))
    asyncio.run(crawl.state.commit_when_due(2, 3600.0))

    assert (too_few, soon_seen(crawl)) == ([], [A])


def test_a_commit_is_due_after_some_time(crawl):
    crawl.state.writer.add(visit(A))
    asyncio.run(crawl.state.commit_when_due(1000, 0.0))

    assert soon_seen(crawl) == [A]


def test_a_crawl_begins_with_all_it_is_given(backend, tmp_path):
    where = str(tmp_path / "new")
    beginning = Beginning([Request(A, 1.0)], {"region": "Lisbon"}, b"learned")
    backend.create(where, beginning, Writing()).close()

    with backend.open(where) as view:
        assert [request.url for request in view.frontier.best(9)] == [A]
        assert (view.reader.note("region"), view.reader.model()) == ("Lisbon", b"learned")


def test_a_crawl_is_created_once_and_resumed_only_if_there(backend, tmp_path):
    where = str(tmp_path / "crawl")
    for ask in (lambda: backend.resume(where, Writing()), lambda: backend.open(where)):
        with pytest.raises(UsageError, match="no crawl"):
            ask()
    before = backend.holds(where)
    backend.create(where, Beginning(), Writing()).close()

    with pytest.raises(UsageError, match="resume it"):
        backend.create(where, Beginning(), Writing())
    backend.resume(where, Writing()).close()
    assert (before, backend.holds(where)) == (False, True)


def test_one_process_writes_and_others_can_tell(crawl):
    with crawl.look() as view:
        while_open = view.reader.is_running()
        with pytest.raises(UsageError, match="another process"):
            crawl.backend.resume(crawl.where, Writing())
        crawl.state.close()
        after = view.reader.is_running()

    assert (while_open, after) == (True, False)


def test_limits_of_the_frontier_are_kept(backend, tmp_path):
    limits = Limits(pages_per_host=1)
    state = backend.create(str(tmp_path / "crawl"), Beginning(), Writing(limits=limits))
    state.frontier.put([Request(A, 1.0), Request(f"{A}more", 0.5)])
    fetch(state)

    assert state.frontier.next(0.0) is None
    state.close()


def test_what_became_of_a_url_is_known(crawl):
    crawl.state.frontier.put([Request(A, 1.0), Request(C, 0.9, parent=B)])
    fetch(crawl.state, Request(B, 0.5, depth=1, parent=A))
    taken = crawl.state.frontier.next(0.0)
    assert taken is not None
    crawl.state.frontier.fail(taken, 0.0, 0.0, None)
    crawl.commit()

    with crawl.look() as view:
        known = view.find([A, B, C, "http://never.example/"])

    fates = {url: found.fate for url, found in known.items()}
    assert fates == {A: Fate.FETCHED, B: Fate.WAITING, C: Fate.GIVEN_UP}
    assert (known[B].request.priority, known[B].request.parent) == (0.5, A)
    assert known[C].request.parent == B
    assert known[A].visit is not None
    assert known[A].visit.url == A


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package with a place for crawls, and the address of a crawl there."""
    plugins = plugin_folder(tmp_path / "plugins", monkeypatch)
    plugins.add(BACKENDS, "elsewhere", "from tests.elsewhere import create\n")
    yield "elsewhere://crawls/lisbon"
    shutil.rmtree(ELSEWHERE, ignore_errors=True)
    plugins.forget()


def test_a_store_of_another_package_is_found_by_the_scheme_of_the_address(installed):
    state = create_state(installed, Beginning([Request(A, 1.0)]))
    fetch(state)
    asyncio.run(state.commit())
    state.close()
    resume_state(installed).close()

    with open_state(installed) as view:
        assert [found.url for found in view.reader.visits()] == [A]
    assert (holds_crawl(installed), holds_crawl("elsewhere://crawls/porto")) == (True, False)


def test_commands_take_the_address_of_a_crawl_in_place_of_a_folder(installed, capsys):
    state = create_state(installed, Beginning([Request(A, 1.0)]))
    fetch(state, Request(B, 0.5))
    asyncio.run(state.commit())
    state.close()
    statuses = [
        main(["status", installed, "--json"]),
        main(["export", installed, "--format", "jsonl", "--what", "visits"]),
    ]

    shown = capsys.readouterr().out
    assert statuses == [0, 0]
    assert '"visits": 1' in shown
    assert f'"url":"{A}"' in shown


def test_a_crawl_at_an_address_is_indexed_searched_and_served(
    installed, tmp_path, settings, gazetteer, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    state = create_state(installed)
    state.writer.add(visit(A, b"<title>A bakery</title><p>Bread from the bakery."))
    asyncio.run(state.commit())
    state.close()
    home = home_with_gazetteer(tmp_path / "home", settings)
    settings = replace(settings, home=str(home))
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")

    assert main(["index", installed, "--json"]) == 0
    indexed = json.loads(capsys.readouterr().out)
    assert main(["search", installed, "bakery", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    site = open_site([installed], gazetteer, settings)

    assert indexed["pages"] == 1
    assert [hit["url"] for hit in found["hits"]] == [A]
    assert list(site.crawls) == ["lisbon"]
    assert site.crawl("lisbon").engine().reader.page_count == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "plugins"]


def test_the_folder_of_an_index_does_not_give_a_password_away(tmp_path):
    folder = folder_below(tmp_path, "postgresql://user:secret@host/data/lisbon")

    assert folder == folder_below(tmp_path, "postgresql://other:word@host/data/lisbon")
    assert folder != folder_below(tmp_path, "postgresql://user:secret@host/other/lisbon")
    assert "lisbon" in folder.name


def test_an_address_that_nothing_is_installed_for_is_refused():
    with pytest.raises(UsageError, match=r"'mysql'; there are: .*sqlite"):
        open_state("mysql://host/crawl")


def test_a_folder_can_be_written_as_an_address(tmp_path):
    create_state(f"sqlite://{tmp_path / 'crawl'}").close()

    assert holds_crawl(tmp_path / "crawl")
