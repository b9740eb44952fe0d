"""The checker of histories finds what is planted, and nothing in a good one; then a small run."""

import json
from collections.abc import Callable

import pytest

from tests.flow.history import (
    DOUBLE,
    HASTE,
    LATE,
    LOSS,
    OVERLAP,
    Event,
    check_history,
    read_history,
)
from tests.flow.history_run import Plan, run_for


def row(at: float, g: int, *, e: int = 1, until: float = 0, p: int = 0) -> Event:
    return {"what": "row", "at": at, "p": p, "e": e, "g": g, "owner": f"w{e}", "until": until}


def request(at: float, url: str, *, until: float = 0, address: str = "127.0.0.1") -> Event:
    return {
        "what": "request", "at": at, "host": "a", "address": address, "url": url,
        "until": until or at + 0.5, "status": 200, "pause": 1.0,
    }  # fmt: skip


def group(what: str, at: float, g: int, e: int, *urls: str) -> Event:
    return {"what": what, "at": at, "p": 0, "e": e, "g": g, "urls": list(urls)}


def kept(url: str, g: int, e: int = 1) -> Event:
    return {"what": "kept", "at": 90, "p": 0, "e": e, "g": g, "url": url}


def fetch(at: float, e: int, url: str) -> Event:
    return {"what": "fetch", "at": at, "by": e, "p": 0, "e": e, "url": url}


def good() -> list[Event]:
    """Worker 1 keeps /1 and dies; worker 2 claims when the lease has ended, and keeps /2."""
    return [
        {"what": "begun", "at": 0, "crawl": "a"},
        {"what": "page", "at": 0, "url": "/1"},
        {"what": "page", "at": 0, "url": "/2"},
        request(1.1, "/1"),
        request(12.1, "/2"),
        fetch(1, 1, "/1"),
        fetch(12, 2, "/2"),
        group("committed", 2.1, 1, 1, "/1"),
        group("committed", 13.1, 2, 2, "/2"),
        {"what": "harm", "at": 3, "did": "killed 1"},
        row(0.5, 0, until=6.5),
        row(2, 1, until=8),
        row(8.5, 1, e=2, until=14.5),
        row(13, 2, e=2, until=19),
        row(15, 2, e=2),  # given back
        kept("/1", 1),
        kept("/2", 2, 2),
        {"what": "ended", "at": 99, "whole": True},
    ]


def without(what: str, **having: object) -> Callable[[list[Event]], list[Event]]:
    def leave_out(events: list[Event]) -> list[Event]:
        found = [e for e in events if e["what"] == what and having.items() <= e.items()]
        assert found
        return [event for event in events if event not in found]

    return leave_out


def added(*more: Event) -> Callable[[list[Event]], list[Event]]:
    return lambda events: [*events, *more]


def changed(what: str, having: Event, to: Event) -> Callable[[list[Event]], list[Event]]:
    def change(events: list[Event]) -> list[Event]:
        is_it = [e["what"] == what and having.items() <= e.items() for e in events]
        assert any(is_it)
        return [e | to if it else e for e, it in zip(events, is_it, strict=True)]

    return change


PLANTED = {
    "two requests at a host": (OVERLAP, added(request(12.3, "/1"))),
    "two at an address": (OVERLAP, added(request(12.3, "/1") | {"host": "b"})),
    "one during a slow answer": (
        OVERLAP,
        changed("request", {"url": "/1"}, {"until": 12.5}),
    ),
    "a claim during a lease": (OVERLAP, changed("row", {"e": 2, "g": 1}, {"at": 7.0})),
    "a fetch by a replaced owner": (OVERLAP, added(fetch(9, 1, "/2"))),
    "too soon after an answer": (HASTE, added(request(13.0, "/1"))),
    "a page that nobody has": (LOSS, without("kept", url="/2")),
    "a page that nobody heard of": (LOSS, added({"what": "page", "at": 0, "url": "/3"})),
    "what was told to last": (LOSS, added(group("committed", 2, 1, 1, "/9"))),
    "a group that is missing": (LOSS, changed("row", {"e": 2, "g": 2}, {"g": 3})),
    "a visit of no group": (LOSS, changed("kept", {"url": "/2"}, {"g": 7})),
    "no end": (LOSS, changed("ended", {}, {"whole": False})),
    "a page twice": (DOUBLE, added(kept("/1", 2, 2))),
    "a commit by a replaced owner": (LATE, changed("row", {"at": 13}, {"e": 1})),
    "a visit of a replaced owner": (LATE, changed("kept", {"url": "/2"}, {"e": 1})),
    "a commit that another made": (LATE, changed("committed", {"g": 2}, {"e": 1})),
}


def test_a_good_history_shows_nothing():
    verdict = check_history(good())

    assert verdict.findings == []
    assert verdict.shortest_pause > 10
    assert "1 crawls" in str(verdict)
    assert "2 claims" in str(verdict)


@pytest.mark.parametrize("name", PLANTED)
def test_what_is_planted_is_found(name):
    kind, plant = PLANTED[name]
    verdict = check_history(plant(good()))

    assert kind in {finding.kind for finding in verdict.findings}, verdict


def test_crawls_are_judged_one_by_one():
    verdict = check_history([*good(), *without("kept", url="/1")(good()), *good()])

    assert {finding.kind for finding in verdict.findings} == {LOSS}
    assert verdict.counts["crawls"] == 3


def test_a_line_that_a_kill_cut_off_is_left_out(tmp_path):
    path = tmp_path / "history.jsonl"
    path.write_text("".join(f"{json.dumps(event)}\n" for event in good()) + '{"what": "ke')

    assert list(read_history(path)) == good()


@pytest.mark.long
@pytest.mark.usefixtures("gazetteer")
def test_workers_under_harm_write_a_good_history(tmp_path, settings):
    plan = Plan(
        hosts=8, addresses=4, pages=8, pause=0.4, workers=2, partitions=4, lease_seconds=3.0,
        harm_seconds=(1.0, 3.0),
    )  # fmt: skip
    path = run_for(0.5, 38, tmp_path, plan, settings.home)
    verdict = check_history(read_history(path))

    assert verdict.findings == []
    assert verdict.counts["visits kept"] == verdict.counts["pages"] >= 64
    assert verdict.counts["harms"]
