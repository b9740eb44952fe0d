from __future__ import annotations

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

HALF_MEGABYTE = 500 * 1024


@given(st.lists(st.text("ab/", max_size=6)), st.text("ab/", max_size=8))
def test_longest_prefix_is_found(prefixes: list[str], path: str) -> None:
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
def test_same_rule_decides_as_when_all_are_tried(lines: list[tuple[bool, str]], path: str) -> None:
    url = f"http://example.org/{path}"
    found, wanted = RuleSet(lines).deciding(url), expected(lines, url)

    assert (found and (found.allow, len(found.pattern))) == (
        wanted and (wanted.allow, len(wanted.pattern))
    )


@pytest.mark.parametrize("pattern", ["/%d-%x", "/*?%d=%x", "*%d%x*", "/a%d%x$"])
def test_half_a_megabyte_of_rules_is_matched_in_a_millisecond(pattern: str) -> None:
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


def test_beyond_the_limit_prohibitions_hold_for_all_that_begins_like_them() -> None:
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
