from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.parse.resolve import ReferenceResolver
from geoscout.urls import resolve

BASE = "http://example.org/shops/north/list.html?page=2#top"


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("https://other.example/x", "https://other.example/x"),
        ("//other.example/x", "http://other.example/x"),
        ("/x?y", "http://example.org/x?y"),
        ("x.html", "http://example.org/shops/north/x.html"),
        ("x/", "http://example.org/shops/north/x/"),
        ("?page=3", "http://example.org/shops/north/list.html?page=3"),
        ("./x", "http://example.org/shops/north/x"),
        ("../x", "http://example.org/shops/x"),
        ("../../../x", "http://example.org/x"),
        ("../..", "http://example.org/"),
        ("a/../b", "http://example.org/shops/north/b"),
        (" \n/x y\t ", "http://example.org/x%20y"),
        ("\\x\\y", "http://example.org/x/y"),
        ("HTTP://Other.Example/", "http://other.example/"),
    ],
)
def test_references_are_resolved(reference: str, url: str) -> None:
    assert ReferenceResolver(BASE).resolve(reference) == url


@pytest.mark.parametrize(
    "reference",
    [
        "",
        " ",
        "#top",
        "mailto:a@example.org",
        "javascript:void(0)",
        "tel:+43",
        "data:,x",
        "x" * 9000,
    ],
)
def test_what_leads_to_no_page_is_left_out(reference: str) -> None:
    assert ReferenceResolver(BASE).resolve(reference) == ""


def test_base_without_a_path_is_a_base() -> None:
    assert ReferenceResolver("http://example.org").resolve("x") == "http://example.org/x"


def test_page_without_a_url_has_only_absolute_links() -> None:
    resolver = ReferenceResolver("")

    assert (resolver.resolve("/x"), resolver.resolve("http://a.example/")) == (
        "",
        "http://a.example/",
    )


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_reference_is_resolved_or_left_out(base: str, reference: str) -> None:
    url = ReferenceResolver(base).resolve(reference)

    assert url == "" or "://" in url or url.startswith(("http:", "https:"))


@given(st.lists(st.sampled_from(["a", "b.html", "..", ".", "?q=1", "#f", "x y"]), max_size=5))
def test_short_ways_agree_with_the_long_way(segments: list[str]) -> None:
    reference = "/".join(segments)
    if not reference or reference.startswith("#"):
        return

    assert resolve(ReferenceResolver(BASE).resolve(reference)) == resolve(reference, BASE)
