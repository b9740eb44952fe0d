import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout.fetch.robots import Robots
from geoscout.fetch.robots_rules import (
    MOST_PIECES,
    PlainPrefixes,
    Rule,
    RuleSet,
    canonical_path,
    compile_rules,
    path_of,
)


@settings(deadline=None)
@given(st.text("ab/*$", min_size=1, max_size=12), st.text("ab/$", max_size=12))
def test_pattern_matches_where_an_expression_would(pattern, path):
    (rule,) = compile_rules(pattern, allow=True)
    anchor = r"\Z" if pattern.endswith("$") else ""
    pieces = pattern.removesuffix("$").split("*")

    expected = re.match(".*".join(map(re.escape, pieces)) + anchor, path) is not None

    assert rule.matches(path, path) is expected


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("http://example.org/a/b?c=d#e", "/a/b?c=d"),
        ("http://example.org", "/"),
        ("http://example.org?a", "/?a"),
        ("http://example.org;a", "/;a"),
        ("http://example.org#/a", "/"),
        ("//example.org/a", "/a"),
        ("example.org/a", "/a"),
        ("example.org/a?u=http://b/", "/a?u=http://b/"),
        ("/a", "/a"),
        ("", "/"),
    ],
)
def test_path_of_a_url(url, path):
    assert path_of(url) == path


def test_index_page_allows_its_folder():
    rules = compile_rules("/a/index.html", allow=True)

    assert [str(rule) for rule in rules] == ["Allow: /a/index.html", "Allow: /a/$"]


def test_forbidden_index_page_says_nothing_of_its_folder():
    assert len(list(compile_rules("/a/index.html", allow=False))) == 1


def test_empty_pattern_is_no_rule():
    assert list(compile_rules("", allow=False)) == []


@given(st.text())
def test_canonical_path_stays_as_it_is(path):
    canonical = canonical_path(path)

    assert canonical_path(canonical) is canonical


HALF_MEGABYTE = 500 * 1024


@given(st.lists(st.text("ab/", max_size=6)), st.text("ab/", max_size=8))
def test_longest_prefix_is_found(prefixes, path):
    fitting = [prefix for prefix in prefixes if path.startswith(prefix)]

    assert PlainPrefixes(prefixes).longest(path) == max(fitting, key=len, default=None)


def expected(lines: list[tuple[bool, str]], url: str) -> Rule | None:
    """What trying all rules one after the other finds, the longest first."""
    rules = [rule for allow, value in lines for rule in compile_rules(value, allow=allow)]
    rules.sort(key=lambda rule: (-len(rule.pattern), not rule.allow))
    path = path_of(url)
    canonical = canonical_path(path)
    return next((rule for rule in rules if rule.matches(path, canonical)), None)


PATTERNS = st.lists(
    st.sampled_from(["/", "a", "b", "*", "$", "%61", "%2A", "index.html", "\xe9", "?"]), max_size=5
).map("".join)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), PATTERNS), max_size=8), PATTERNS)
def test_same_rule_decides_as_when_all_are_tried(lines, path):
    url = f"http://example.org/{path}"
    found, wanted = RuleSet(lines).deciding(url), expected(lines, url)

    assert (found and (found.allow, len(found.pattern))) == (
        wanted and (wanted.allow, len(wanted.pattern))
    )


@pytest.mark.parametrize("pattern", ["/%d-%x", "/*?%d=%x", "*%d%x*", "/a%d%x$"])
def test_half_a_megabyte_of_rules_is_matched_in_a_millisecond(pattern):
    lines = b"".join(f"Disallow: {pattern % (n, n)}\n".encode() for n in range(30_000))
    rules = Robots.parse(b"User-agent: *\n" + lines[:HALF_MEGABYTE]).for_agent("geoscout")

    def seconds(urls: list[str]) -> float:
        start = time.process_time()
        for url in urls:
            rules.allows(url)
        return (time.process_time() - start) / len(urls)

    urls = [f"http://example.org/shop/{number}?page={number}" for number in range(50)]
    assert min(seconds(urls) for _ in range(5)) < 0.001
    assert rules.size() < 4 * HALF_MEGABYTE


def test_beyond_the_limit_prohibitions_hold_for_all_that_begins_like_them():
    filling = [(False, f"/x*{number}") for number in range(MOST_PIECES)]
    rules = RuleSet([(True, "/c/open"), *filling, (False, "/c/*.pdf"), (True, "/c/*.txt")])

    def allows(path: str) -> bool:
        rule = rules.deciding(f"http://example.org{path}")
        return rule is None or rule.allow

    assert [allows(path) for path in ("/a", "/xa", "/c/a.txt", "/c/a.pdf")] == [
        True,
        False,
        False,
        False,
    ]
    assert allows("/c/open")
