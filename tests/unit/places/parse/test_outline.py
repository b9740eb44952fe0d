"""Headings and dialled links of a page."""

from __future__ import annotations

from geoscout_places.parse.outline import Outline, outline_of


def test_headings_come_with_their_levels() -> None:
    html = b"<h1>Corner <em>Inn</em></h1><p><b>Hours</b></p><h3>Address</h3>"

    assert outline_of(html, "http://a.example/").headings == (
        (1, "Corner Inn"),
        (7, "Hours"),
        (3, "Address"),
    )


def test_dialled_links_are_given_once() -> None:
    html = (
        b'<a href="tel:+49%2089%2023">x</a><a href="TEL:+49 89 23">y</a>'
        b'<a href="mailto:a@b.example?subject=s">z</a>'
    )

    outline = outline_of(html, "http://a.example/")

    assert outline.phones == ("+49 89 23",)
    assert outline.mails == ("a@b.example",)


def test_any_bytes_are_a_page() -> None:
    assert outline_of(b"\xff\x00<<<", "http://a.example/") == Outline()
