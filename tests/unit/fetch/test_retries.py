import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from geoscout.fetch.retries import (
    KINDS,
    LONGEST_CHAIN,
    NO_CONNECTION,
    Health,
    Patience,
    after_error,
    after_status,
    failure,
    is_redirect,
    next_hop,
    rest_for,
    retry_after,
)
from geoscout_places.errors import FetchError, NeverAgainError, TryLaterError
from geoscout_places.model import Request, Response
from tests.conftest import PROJECT
from tests.fakeweb.menagerie import BAD
from tests.unit.fetch.http.test_client import TRANSLATED

PATIENCE = Patience(tries=4, first_seconds=10.0, longest_seconds=100.0)
NOON = 784111777.0  # Sun, 06 Nov 1994 08:49:37 GMT


def response(status: int, wait: str | None = None) -> Response:
    headers = () if wait is None else (("retry-after", wait),)
    return Response(
        "http://a.test/", status, headers, b"", "127.0.0.1", fetched_at=NOON - 2.0, seconds=2.0
    )


def test_wait_doubles_with_each_failure():
    waits = [after_error(failure("reset"), n, PATIENCE, 0.0).again_in for n in range(4)]

    assert waits == [10.0, 20.0, 40.0, None]


def test_wait_is_bounded():
    patient = Patience(tries=1000, first_seconds=10.0, longest_seconds=100.0)

    assert after_error(failure("reset"), 900, patient, 0.0).again_in == 100.0


@given(st.floats(0, 1), st.integers(0, 2))
def test_jitter_adds_up_to_half(jitter, tries):
    plain = after_error(failure("slow"), tries, PATIENCE, 0.0).again_in
    jittered = after_error(failure("slow"), tries, PATIENCE, jitter).again_in

    assert plain is not None
    assert jittered is not None
    assert plain <= jittered <= plain * 1.5


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_verdict(kind):
    verdict = after_error(failure(kind), 0, PATIENCE, 0.0)

    assert verdict.reason == kind
    assert (verdict.again_in is not None) is KINDS[kind].again


def test_unknown_kind_is_judged_by_its_branch():
    assert after_error(FetchError("odd"), 0, PATIENCE, 0.0).again_in is None


def test_wait_for_robots_is_the_whole_hosts_and_no_fault_of_the_page():
    verdict = after_error(failure("robots-delay", "", 600.0), 3, PATIENCE, 0.0)

    assert (verdict.again_in, verdict.host_rests, verdict.counts) == (600.0, 600.0, False)


def test_a_host_that_only_looks_as_if_we_were_late_is_given_up():
    """Each such request holds a connection for a minute: a crawl over them would not end."""
    health, seen = Health(PATIENCE, random.Random(1)), []
    request = Request("http://slow.test/", 0.0)
    while len(seen) < 100 and (not seen or seen[-1].again_in is not None):
        seen.append(health.after_error(request, failure("late")))
        request = replace(request, tries=request.tries + seen[-1].counts)

    assert sum(not verdict.counts for verdict in seen) == PATIENCE.late_tries
    assert len(seen) == PATIENCE.late_tries + PATIENCE.tries


@pytest.mark.parametrize("kind", ["robots-unreachable", "robots-delay", "reset"])
def test_no_server_makes_us_wait_for_years(kind):
    verdict = after_error(failure(kind, "", 3e9), 0, PATIENCE, 0.0)

    assert verdict.again_in == PATIENCE.longest_obeyed_seconds
    assert verdict.host_rests <= PATIENCE.longest_obeyed_seconds


def test_robots_that_cannot_be_had_are_waited_for_but_not_for_ever():
    error = failure("robots-unreachable", "", 600.0)

    waits = [after_error(error, tries, PATIENCE, 0.0).again_in for tries in range(12)]

    assert waits == [600.0] * 11 + [None]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("1.5", 1.5),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60.0),
        ("Sunday, 06-Nov-94 08:50:37 GMT", 60.0),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("Sun, 99 Nov 1994 08:00:00 GMT", None),
    ],
)
def test_both_forms_of_retry_after_are_read(value, seconds):
    assert retry_after(response(503, value)) == seconds


@given(st.text())
def test_any_retry_after_is_survived(value):
    found = retry_after(response(503, value))

    assert found is None or found >= 0


@pytest.mark.parametrize(
    ("status", "wait", "tries", "again_in", "host_rests"),
    [
        (429, "3600", 0, 3600.0, 3600.0),
        (503, "3600", 0, 3600.0, 3600.0),
        (503, "1", 2, 40.0, 1.0),  # a short one does not shorten our wait
        (503, "9" * 50, 0, PATIENCE.longest_obeyed_seconds, PATIENCE.longest_obeyed_seconds),
        (429, "60", 3, None, 60.0),  # the host rests even when the page is given up
        (429, None, 1, 20.0, 20.0),  # a busy host rests without being asked to
        (500, "3600", 0, 10.0, 0.0),
    ],
)
def test_what_a_status_asks_for_is_obeyed(status, wait, tries, again_in, host_rests):
    verdict = after_status(response(status, wait), tries, PATIENCE, 0.0)

    assert verdict is not None
    assert (verdict.again_in, verdict.host_rests) == (again_in, host_rests)


@pytest.mark.parametrize("status", [200, 204, 301, 304, 400, 403, 404, 410, 451, 501, 505])
def test_other_statuses_are_final(status):
    assert after_status(response(status), 0, PATIENCE, 0.0) is None


def test_host_that_keeps_failing_rests_longer_and_longer():
    rests = [rest_for(rests, Patience()) for rests in (1, 2, 3, 4, 5, 6, 7, 8, 999)]

    assert rests[:2] == [30.0, 60.0]
    assert [rest / 3600 for rest in rests[2:]] == [1, 2, 4, 8, 16, 24, 24]


URL = "http://a.test/"


def health() -> Health:
    patience = Patience(
        tries=9, rests_after=3, short_rests=1, first_seconds=10.0, parked_seconds=100.0
    )
    return Health(patience, random.Random(0))


def failing(one: Health, *paths: str) -> list[float]:
    """How long the host rests after each failure."""
    requests = [Request(URL + path) for path in paths]
    return [one.after_error(request, failure("reset")).host_rests for request in requests]


def test_host_rests_after_different_pages_failed_in_a_row():
    assert failing(health(), "a", "b", "c", "a", "a") == [0.0, 0.0, 10.0, 100.0, 200.0]


def test_page_that_keeps_failing_gives_its_host_no_rest():
    assert failing(health(), *"aaabaaab") == [0.0] * 8


def test_good_answer_forgives_earlier_failures():
    one = health()
    failing(one, "a", "b")

    verdict = one.after_response(Request(URL), response(200))

    assert verdict is None
    assert failing(one, "c", "d") == [0.0, 0.0]


def test_bad_page_is_no_fault_of_its_host():
    one = health()

    rests = {one.after_error(Request(URL), failure("bomb")).host_rests for _ in range(9)}

    assert rests == {0.0}


def test_server_with_too_many_requests_is_left_alone():
    verdict = health().after_response(Request(URL), response(429))

    assert verdict is not None
    assert verdict.host_rests > 0


def test_unavailable_page_waits_and_its_host_does_not():
    verdict = health().after_response(Request(URL), response(503))

    assert verdict is not None
    assert verdict.host_rests == 0.0
    assert verdict.again_in is not None


def test_branch_of_an_error_follows_from_its_kind():
    for kind, meaning in KINDS.items():
        branch = TryLaterError if meaning.again else NeverAgainError
        assert type(failure(kind)) is branch


def test_seconds_to_wait_are_kept():
    error = failure("robots-unreachable", "x", 30.0)

    assert isinstance(error, TryLaterError)
    assert error.retry_after == 30.0


def test_every_kind_is_raised_somewhere_and_no_other():
    sources = (PROJECT / "src").rglob("*.py")
    text = "\n".join(source.read_text() for source in sources)
    raised = set(re.findall(r"(?:failure|Error)\(\s*\"([a-z-]+)\"", text))
    translated = {kind for _, kind in TRANSLATED}

    counted = {"unread: time", "unread: memory"}  # not raised: the response is kept
    assert raised | translated | counted | {"bomb", "too-large"} == set(KINDS)


def test_menagerie_shows_only_known_kinds():
    assert {kind for _, kind in BAD.values()} <= set(KINDS)
    assert set(KINDS) >= NO_CONNECTION


def test_every_kind_is_documented_as_it_is():
    text = (PROJECT / "docs/why/http.md").read_text()
    for name, kind in KINDS.items():
        again, host = "yes" if kind.again else "no", "fail alike" if kind.host else "may succeed"
        assert f"| `{name}` | {kind.meaning} | {again} | {host} |" in text


HERE = "http://a.test/folder/page"


def redirect(location: str | None, status: int = 302, url: str = HERE) -> Response:
    headers = () if location is None else (("location", location),)
    return Response(url, status, headers, b"", "127.0.0.1", fetched_at=0.0, seconds=0.1)


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("http://b.test/", "http://b.test/"),
        ("/up", "http://a.test/up"),
        ("other?x=1#part", "http://a.test/folder/other?x=1"),
        ("//c.test", "http://c.test/"),
        (" HTTPS://A.test:443/ ", "https://a.test/"),
        ("/köln", "http://a.test/k%C3%B6ln"),
    ],
)
def test_target_is_in_normal_form(location, target):
    assert next_hop(redirect(location)) == target


@pytest.mark.parametrize(
    ("location", "chain", "kind"),
    [
        *((where, (), "target") for where in (None, "", " ", "mailto:a@b.test", "http://")),
        ("file:///etc/passwd", (), "target"),
        (HERE + "#top", (), "loop"),
        ("/start", ("http://a.test/start", "http://a.test/middle"), "loop"),
    ],
)
def test_redirect_that_leads_nowhere_ends(location, chain, kind):
    with pytest.raises(NeverAgainError, match=f"redirect-{kind}"):
        next_hop(redirect(location), chain)


def test_chain_ends_after_ten_hops():
    urls = [f"http://a.test/{number}" for number in range(LONGEST_CHAIN + 1)]

    assert next_hop(redirect("/on", url=urls[9]), urls[:9]) == "http://a.test/on"
    with pytest.raises(NeverAgainError, match="redirect-chain"):
        next_hop(redirect("/on", url=urls[10]), urls[:10])


def test_only_some_statuses_lead_on():
    leading = [status for status in range(200, 600) if is_redirect(redirect("/", status))]

    assert leading == [301, 302, 303, 307, 308]
