import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout.fetch.robots import (
    LONGEST_DELAY_SECONDS,
    Access,
    Robots,
    access_for,
)
from tests.conftest import PROJECT

CASES = [
    (body, *case)
    for line in (PROJECT / "tests/cases/robots.jsonl").read_text().splitlines()
    for body, cases in [json.loads(line)]
    for case in cases
]


def allows(body: str, path: str, agent: str = "geoscout") -> bool:
    return Robots.parse(body.encode()).allows(agent, f"https://example.org{path}")


def test_every_case_of_the_reference_is_decided_alike():
    wrong = [
        (body, agent, url)
        for body, agent, url, allowed in CASES
        if Robots.parse(body.encode()).allows(agent, url) is not allowed
    ]

    assert len(CASES) == 142
    assert wrong == []


LONG = "/" + "a" * 20_000


@pytest.mark.parametrize(
    ("body", "allowed", "forbidden"),
    [
        pytest.param(
            "User-agent: geoscout\nDisallow: /a\n\nUser-agent: x\nDisallow: /\n\n"
            "User-agent: GeoScout\nDisallow: /b\n",
            "/c", "/a /b", id="groups of one agent are merged",
        ),
        pytest.param(
            "User-agent: *\nDisallow: /\n\nUser-agent: geoscout\nDisallow: /a\n", "/b", "/a",
            id="its own group replaces that for everybody",
        ),
        pytest.param(
            "User-agent: geoscout\nDisallow:\n\nUser-agent: *\nDisallow: /\n", "/a", "",
            id="its own group without rules allows everything",
        ),
        pytest.param(
            "User-agent: geoscout\n\n\nDisallow: /\n", "", "/", id="no blank line ends a group"
        ),
        pytest.param(
            "Disallow: /\nUser-agent: x\nDisallow: /x\n", "/a", "",
            id="rules above the first agent count for nobody",
        ),
        pytest.param(
            "User-agent: *scout\nDisallow: /\n", "/", "", id="a star within a name is nobody"
        ),
        pytest.param(
            "User-agent: *\nDisallow: /\nAllow: /%7Euser\n", "/%7Euser", "/~user",
            id="a permission holds for its own spelling only",
        ),
        pytest.param(
            "User-agent: *\nAllow: /a\nDisallow: /a/b\nAllow: /a/b/c\n", "/a /a/b/c", "/a/b",
            id="the longest rule decides",
        ),
        pytest.param(
            "User-agent: *\nDisallow: /a/*/c\nAllow: /a/b/c\n", "/a/b/c", "",
            id="a permission wins a tie",
        ),
        pytest.param(
            "User-agent: *\nDisallow: /\n", "/robots.txt", "/a", id="the file may be fetched"
        ),
        pytest.param(
            f"User-agent: *\nDisallow: {LONG}\n", "/b", LONG[:16_700],
            id="a line is cut where Google cuts it",
        ),
    ],
)  # fmt: skip
def test_rules_of_a_file_hold(body, allowed, forbidden):
    assert [path for path in allowed.split() if not allows(body, path)] == []
    assert [path for path in forbidden.split() if allows(body, path)] == []


@pytest.mark.parametrize("agent", ["geoscout", "GEOSCOUT", "geoscout/1.0"])
def test_product_token_is_found_whatever_its_case_and_version(agent):
    assert not allows("User-agent: GeoScout/2 beta\nDisallow: /\n", "/", agent)


@pytest.mark.parametrize("agent", ["geo", "geoscoutx", "my-geoscout", "", "geoscout beta"])
def test_product_token_must_be_the_same(agent):
    assert allows("User-agent: geoscout\nDisallow: /\n", "/", agent)


@pytest.mark.parametrize(
    "line",
    [
        *["Disallow: /a", "DISALLOW:/a", "disallow /a", "disallow\t /a", "Disallow : /a # why"],
        *["dissallow: /a", "dissalow: /a", "disalow: /a", "diasllow: /a", "disallaw: /a"],
        *["disallow-all: /a", "\v\f Disallow: /a \t", "Disallow: /a\0/b"],
    ],
)
def test_spelling_of_a_rule_is_forgiven(line):
    assert not allows(f"User-agent: *\n{line}\n", "/a")


@pytest.mark.parametrize("line", ["Disallow /a b", "Forbid: /a", ": /a", "Disallow; /a /b", "/a"])
def test_what_is_no_rule_is_ignored(line):
    assert allows(f"User-agent: *\n{line}\n", "/a")


@pytest.mark.parametrize("line", ["User-agent: *", "useragent: *", "user agent: *", "user-agent *"])
def test_spelling_of_an_agent_line_is_forgiven(line):
    assert not allows(f"{line}\nDisallow: /\n", "/")


@pytest.mark.parametrize(
    "value", ["*", "* (all)", "*\tall"]
)  # Google: a star and something after a blank is everybody
def test_everybody_is_a_star(value):
    assert not allows(f"User-agent: {value}\nDisallow: /\n", "/")


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\n\r", "\n\n"])
def test_lines_end_in_any_way(end):
    body = end.join(["User-agent: *", "Disallow: /a", "Allow: /a/b"])

    assert [allows(body, path) for path in ("/a", "/a/b", "/c")] == [False, True, True]


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /",
        b"\xef\xbbUser-agent: *\nDisallow: /",
        b"\xefUser-agent: *\nDisallow: /",
        "User-agent: *\nDisallow: /".encode("utf-16"),
    ],
)
def test_byte_order_mark_is_skipped(body):
    assert not Robots.parse(body).allows("geoscout", "https://example.org/")


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("/a", "/ab/c?d", True),
        ("/a$", "/a", True),
        ("/a$", "/ab", False),
        ("/a$b", "/a$b", True),
        ("$", "/", False),
        ("*", "/a", True),
        ("a", "/a", False),
        ("*a", "/b/a", True),
        ("/*.php$", "/a.php/b.php", True),
        ("/*.php$", "/a.php?x", False),
        ("/a*b*c", "/a-c-b", False),
        ("/a**b", "/axb", True),
        ("/ab*b$", "/ab", False),
        ("/*?id=", "/a?x=1&id=2", False),
        ("/*?*id=", "/a?x=1&id=2", True),
        ("/a;b", "/a;b", True),
        # spellings of a path that mean the same (RFC 9309, 2.2.2)
        ("/%70rivate", "/private", True),
        ("/private", "/%70rivate", True),
        ("/é", "/%c3%a9", True),
        ("/%c3%a9", "/é", True),
        ("/a%2Ab", "/a*b", True),
        ("/a%24", "/a$", True),
        ("/a%2fb", "/a/b", False),
    ],
)
def test_prohibition_matches(pattern, path, matches):
    assert allows(f"User-agent: *\nDisallow: {pattern}\n", path) is not matches


def test_rule_that_decided_is_told():
    robots = Robots.parse(b"User-agent: *\nDisallow: /a\nDisallow: /ab*c$\n")

    assert str(robots.deciding_rule("geoscout", "http://example.org/abc")) == "Disallow: /ab*c$"
    assert robots.deciding_rule("geoscout", "http://example.org/b") is None


@pytest.mark.parametrize(
    "url",
    ["https://example.org", "https://example.org#/a", "https://example.org?x", "//example.org"],
)
def test_url_without_a_path_is_the_root(url):
    robots = Robots.parse(b"User-agent: *\nDisallow: /\nAllow: /a\n")

    assert not robots.allows("geoscout", url)


def test_what_is_beyond_500_kib_is_ignored():
    start = "User-agent: *\nDisallow: /a\n"
    filling = "#" * (500 * 1024 - len(start) - len("\nDisallow: /b")) + "\nDisallow: /b"

    assert not allows(start + filling, "/bc")
    assert allows(start + filling + "c\n", "/bc")
    assert not allows(start + filling + "c\n", "/a")


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("10", 10.0),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1,5", 1.5),
        ("10 seconds", 10.0),
        ("0", 0.0),
        ("86400", LONGEST_DELAY_SECONDS),
        ("9" * 400, LONGEST_DELAY_SECONDS),
        *[(value, None) for value in ("", "-1", "ten", "nan", "inf", "١")],
    ],
)
def test_crawl_delay(value, seconds):
    robots = Robots.parse(f"User-agent: *\nCrawl-delay: {value}\n".encode())

    assert robots.crawl_delay("geoscout") == seconds


def test_longest_crawl_delay_of_an_agent_counts():
    body = b"User-agent: a\nCrawl-delay: 3\nDisallow: /\nUser-agent: a\nCrawl-delay: 2\n"

    assert Robots.parse(body).crawl_delay("a") == 3.0


def test_crawl_delay_is_for_the_agents_above_it():
    robots = Robots.parse(b"User-agent: a\nCrawl-delay: 3\nUser-agent: b\nDisallow: /x\n")

    assert [robots.crawl_delay(agent) for agent in "ab"] == [3.0, None]
    assert not robots.allows("a", "http://example.org/x")  # yet the rules below are for both


def test_crawl_delay_of_everybody_is_not_for_an_agent_with_its_own_group():
    robots = Robots.parse(b"User-agent: *\nCrawl-delay: 3\n\nUser-agent: a\nDisallow: /x\n")

    assert [robots.crawl_delay(agent) for agent in "ab"] == [None, 3.0]


def test_sitemaps_are_for_all_and_in_order():
    body = "Sitemap: https://example.org/b.xml\nUser-agent: x\nsite-map: /ä.xml\nDisallow: /\n"
    body += "sitemap: https://example.org/b.xml\nSitemap:\n"

    assert Robots.parse(body.encode()).sitemaps == ("https://example.org/b.xml", "/ä.xml")


@pytest.mark.parametrize(
    ("status", "access"),
    [
        *[(status, Access.PARSE) for status in (200, 204, 206)],
        *[(status, Access.REDIRECT) for status in (301, 302, 303, 307, 308)],
        *[(status, Access.ALLOW) for status in (400, 401, 403, 404, 410, 451)],
        *[
            (status, Access.DISALLOW)
            for status in (None, 429, 500, 502, 503, 504, 0, 100, 600, 999)
        ],
    ],
)
def test_access_by_status(status, access):
    assert access_for(status) is access


@settings(deadline=None)  # other tests may keep the processor busy
@given(
    st.one_of(
        st.binary(),
        st.lists(
            st.sampled_from(
                [
                    *[b"User-agent:", b"Disallow:", b"Allow", b"Crawl-delay:", b"Sitemap:", b"*"],
                    *[b"$", b"/", b"%", b"%4", b"%41", b"a", b" ", b"\n", b"\r", b"\0", b"\xff"],
                ]
            )
        ).map(b"".join),
    ),
    st.text(),
    st.text(),
)
def test_any_bytes_agent_and_url_are_survived(body, agent, url):
    robots = Robots.parse(body)

    assert robots.allows(agent, url) in (True, False)
    robots.crawl_delay(agent)


@pytest.mark.parametrize(
    "lines",
    [
        ["User-agent: *", "Disallow: /" + "*a" * 8_000 + "b"],
        ["User-agent: *", *["Disallow: /" + "*a" * 30 + "b"] * 8_000],
        ["User-agent: *", *[f"Disallow: /*a*a*a*{number}*a$" for number in range(20_000)]],
        [*[f"User-agent: {'a' * (n % 60)}{'b' * (n // 60)}" for n in range(3_000)]]
        + [f"Disallow: /{number}" for number in range(25_000)],
        ["Disallow" * 60_000],
        ["User-agent: *", "Disallow: " + "%" * 16_000, "Disallow: " + "\t" * 400_000 + "/"],
    ],
)
def test_hostile_file_is_read_in_linear_time(lines):
    robots = Robots.parse("\n".join(lines).encode())
    start = time.process_time()

    robots.allows("geoscout", "https://example.org/" + "a" * 2_000)

    assert time.process_time() - start < 5  # seconds; a way back at each star would take years
