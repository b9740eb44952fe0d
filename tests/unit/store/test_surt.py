from __future__ import annotations

import pytest

from geoscout.store.export_archives import url_key


# The right sides are what the package `surt` gives.
@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.muenchen.de/", "de,muenchen)/"),
        ("http://www2.a.example/x/", "example,a)/x"),
        ("http://cswww.a.example/", "example,a,cswww)/"),
        ("http://www.example/", "example)/"),
        ("https://user:secret@a.example/#part", "example,a)/"),
        ("http://a.example:80/", "example,a)/"),
        ("https://a.example:80/", "example,a:80)/"),
        ("http://192.0.2.7/a", "7,2,0,192)/a"),
        ("http://a.example/A//b///", "example,a)/a/b"),
        ("http://a.example/caf%C3%A9%20bar", "example,a)/caf%c3%a9%20bar"),
        ("http://a.example/%2541%23", "example,a)/a%23"),
        ("http://a.example/?", "example,a)/"),
        ("http://a.example/?b=2&a=1&a=0&c", "example,a)/?a=0&a=1&b=2&c"),
        ("http://a.example/?Q=M%C3%BCnchen", "example,a)/?q=m%c3%bcnchen"),
        ("http://a.example/x?a=1&PHPSESSID=" + "0a" * 16, "example,a)/x?&a=1"),
        ("http://a.example/x?sid=" + "0a" * 16 + "&b=2", "example,a)/x?b=2"),
        ("http://a.example/x?cfid=1&cftoken=2", "example,a)/x"),
        (f"http://a.example/({'a1' * 12})/x.aspx", "example,a)/x.aspx"),
        (f"http://a.example/(s({'a1' * 12}))/x.aspx?a", "example,a)/x.aspx?a"),
    ],
)
def test_the_key_is_the_one_that_other_programs_look_up(url: str, key: str) -> None:
    assert url_key(url) == key
