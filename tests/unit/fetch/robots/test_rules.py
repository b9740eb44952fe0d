from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geoscout.fetch.robots_rules import canonical_path, compile_rules, path_of


@settings(deadline=None)
@given(st.text("ab/*$", min_size=1, max_size=12), st.text("ab/$", max_size=12))
def test_pattern_matches_where_an_expression_would(pattern: str, path: str) -> None:
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
def test_path_of_a_url(url: str, path: str) -> None:
    assert path_of(url) == path


def test_index_page_allows_its_folder() -> None:
    rules = compile_rules("/a/index.html", allow=True)

    assert [str(rule) for rule in rules] == ["Allow: /a/index.html", "Allow: /a/$"]


def test_forbidden_index_page_says_nothing_of_its_folder() -> None:
    assert len(list(compile_rules("/a/index.html", allow=False))) == 1


def test_empty_pattern_is_no_rule() -> None:
    assert list(compile_rules("", allow=False)) == []


@given(st.text())
def test_canonical_path_stays_as_it_is(path: str) -> None:
    canonical = canonical_path(path)

    assert canonical_path(canonical) is canonical
