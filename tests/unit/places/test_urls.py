import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from publicsuffixlist import PSLFILE, PublicSuffixList

from geoscout_places import urls
from geoscout_places.urls import (
    authority_of,
    has_public_suffix,
    host_of,
    host_tokens,
    normalise,
    path_texts,
    path_tokens,
    registrable_domain,
    resolve,
    split,
    trap,
    without_port,
)
from tests.conftest import PROJECT

CASES = [
    json.loads(line)
    for line in (PROJECT / "tests/cases/whatwg_urls.jsonl").read_text().splitlines()
]

UNHURRIED = settings(deadline=None)  # other tests may keep the processor busy

# Texts near the border between URLs and what is none.
_PIECES = r"""
    http: https: HTTP: ftp: // / \ . .. %2e %2E%2e ; : @ ? # & && = % %4 %41 %7e %zz %25 %C3%A9 %e9
    [::1] [ ] 0x7f.1 127.1 1.2.3.4 999 xn-- xn--bcher-kva bücher a B example.org example.org. x..
    utm_source=1 UTM_x gclid id=3 ;jsessionid=1 PHPSESSID=2 index.html Default.aspx ' " < | ^ ` { $
    * ( _ -
    """
PIECES = st.sampled_from([*_PIECES.split(), *" \t\n\0\u2024\ud800\U0001f600"])
URL_LIKE = st.builds(
    lambda start, pieces: start + "".join(pieces),
    st.sampled_from(["", "http://", "https://", "http://example.org/", "http://example.org/?"]),
    st.lists(PIECES, max_size=12),
)


def test_every_case_of_the_standard_is_read_as_browsers_do():
    wrong = [case for case in CASES if resolve(case[0], case[1]) != case[2]]

    assert len(CASES) == 888
    assert wrong == []


def test_every_case_of_the_standard_has_the_parts_browsers_see():
    wrong = []
    for _, _, url, *expected in (case for case in CASES if case[2]):
        parts = split(url)
        if [parts.host, parts.port, parts.path, parts.query] != expected:
            wrong.append(url)

    assert wrong == []


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        # case, port, dots, backslashes, blanks
        ("HTTP://Example.ORG", "http://example.org/"),
        ("https://example.org:443/a", "https://example.org/a"),
        ("http://example.org:0080/", "http://example.org/"),
        ("http://example.org:443/", "http://example.org:443/"),
        ("http://example.org:/", "http://example.org/"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/a/%2e%2E/c", "http://example.org/c"),
        ("http://example.org/../..", "http://example.org/"),
        ("http:\\\\example.org\\a", "http://example.org/a"),
        ("  http://example.org/a\n", "http://example.org/a"),
        ("http://example.org/a b", "http://example.org/a%20b"),
        ("http://example.org/.well-known/x", "http://example.org/.well-known/x"),
        ("http://example.org//a//b", "http://example.org//a//b"),
        # host
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
        ("http://example.org./", "http://example.org/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a"),
        ("http://127.0.01:8080/a", "http://127.0.0.1:8080/a"),
        ("http://1.2.3.4.example:8080/a", "http://1.2.3.4.example:8080/a"),
        ("http://example.org:0443/", "http://example.org:443/"),
        ("http://[0:0::1]:80/", "http://[::1]/"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("http://user:secret@example.org/a@b", "http://example.org/a@b"),
        # escapes
        ("http://example.org/%7euser/%66oo", "http://example.org/~user/foo"),
        ("http://example.org/%c3%a9", "http://example.org/%C3%A9"),
        ("http://example.org/é", "http://example.org/%C3%A9"),
        ("http://example.org/%e9", "http://example.org/%E9"),
        ("http://example.org/a%2fb", "http://example.org/a%2Fb"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://example.org/%zz%4", "http://example.org/%25zz%254"),
        ("http://example.org/[a]|{b}", "http://example.org/%5Ba%5D%7C%7Bb%7D"),
        ("http://example.org/?x[y]=1", "http://example.org/?x%5By%5D=1"),
        ("http://example.org/?q=a%26b+c", "http://example.org/?q=a%26b+c"),
        ("http://example.org/it's;v=1", "http://example.org/it's;v=1"),
        # fragment and query
        ("http://example.org/a#top", "http://example.org/a"),
        ("http://example.org/a#a?b", "http://example.org/a"),
        ("http://example.org/?", "http://example.org/"),
        ("http://example.org?a=1", "http://example.org/?a=1"),
        ("http://example.org/?&a=1&&b=2&", "http://example.org/?a=1&b=2"),
        ("http://example.org/?b=2&a=1", "http://example.org/?b=2&a=1"),
        ("http://example.org/?q=tl;dr", "http://example.org/?q=tl;dr"),
        # who came, and from where
        ("http://example.org/?utm_source=x&id=3&UTM_Medium=y", "http://example.org/?id=3"),
        ("http://example.org/?fbclid=abc", "http://example.org/"),
        ("http://example.org/?utm%5fsource=x", "http://example.org/"),
        ("http://example.org/?gclids=1&pk_id=2", "http://example.org/?gclids=1&pk_id=2"),
        ("http://example.org/?a=utm_source&gclid", "http://example.org/?a=utm_source"),
        ("http://example.org/?PHPSESSID=1f&id=3", "http://example.org/?id=3"),
        ("http://example.org/shop;jsessionid=1F?id=3", "http://example.org/shop?id=3"),
        ("http://example.org/;JSESSIONID=1F/a", "http://example.org//a"),
        ("http://example.org/a/..;jsessionid=1/b", "http://example.org/a/..;jsessionid=1/b"),
    ],
)
def test_normal_form(url, normal):
    assert normalise(url) == normal


@pytest.mark.parametrize(
    "text",
    [
        *["", "example.org", "/a", "//example.org/", "mailto:a@example.org", "ftp://example.org/"],
        *[
            "http://",
            "http://a b/",
            "http://[::1/",
            "http://example.org:99999/",
            "http://1.2.3.999/",
        ],
        *["http://./", "http://../", "http://a..b/", "http://.example.org/", "http://0x7f.1../"],
        *["javascript:void(0)", "data:text/html,x", "http://%00/"],
    ],
)
def test_what_is_no_web_address_has_no_normal_form(text):
    assert normalise(text) is None


@pytest.mark.parametrize(
    ("reference", "normal"),
    [
        ("", "http://example.org/a/b?c=1"),
        ("?d", "http://example.org/a/b?d"),
        ("../x.html#y", "http://example.org/x.html"),
        ("//other.example", "http://other.example/"),
        ("https://other.example/", "https://other.example/"),
        ("mailto:a@example.org", None),
    ],
)
def test_reference_is_resolved_against_the_base(reference, normal):
    assert normalise(reference, "http://example.org/a/b?c=1") == normal


def test_base_that_is_no_url_gives_nothing():
    assert normalise("a.html", "b.html") is None


@pytest.mark.parametrize(
    ("url", "short"),
    [
        ("http://example.org/a/index.html", "http://example.org/a/"),
        ("http://example.org/Default.aspx", "http://example.org/"),
        ("http://example.org/a/INDEX.HTM;jsessionid=1", "http://example.org/a/"),
        ("http://example.org/index.php?id=3", "http://example.org/index.php?id=3"),
        ("http://example.org/?a=/index.html", "http://example.org/?a=/index.html"),
        ("http://example.org/a/myindex.html", "http://example.org/a/myindex.html"),
    ],
)
def test_index_page_is_stripped_when_asked_for(url, short):
    assert normalise(url, strip_index=True) == short


@UNHURRIED
@given(st.one_of(st.text(), URL_LIKE), st.booleans())
@example("http://example.org/%2e%41", False)
@example("http://0x7f.1../", False)
@example("http://example.org/;jsessionid=.;jsessionid=", False)
def test_normalising_twice_changes_nothing(text, strip_index):
    once = normalise(text, strip_index=strip_index)

    assert once is None or normalise(once, strip_index=strip_index) == once


@UNHURRIED
@given(st.one_of(st.text(), URL_LIKE))
def test_normal_form_can_be_sent_as_it_is(text):
    normal = normalise(text)

    assert normal is None or re.fullmatch(
        r"https?://(?:\[[0-9a-f:]+\]|[^\x00-\x20/:?#@\[\]\\%A-Z\x7f-\U0010ffff]+)(?::\d+)?"
        r"/(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-F]{2})*",
        normal,
        re.ASCII,
    )


@UNHURRIED
@given(URL_LIKE)
def test_the_short_way_and_the_parser_agree(text):
    at_once = urls._at_once(text)

    assert at_once is None or at_once == urls._rebuild(resolve(text) or "")


@UNHURRIED
@given(st.one_of(st.text(), URL_LIKE), st.one_of(st.text(), URL_LIKE))
def test_any_reference_and_base_are_survived(reference, base):
    normal = normalise(reference, base)

    if normal:
        assert split(normal).host == host_of(normal)
        assert registrable_domain(host_of(normal))
        host_tokens(host_of(normal))
        path_tokens(normal)
        trap(normal)


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.org", "example.org"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("somebody.github.io", "somebody.github.io"),
        ("city.kawasaki.jp", "city.kawasaki.jp"),
        ("www.xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("a.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("a.b.unknown", "b.unknown"),
        ("co.uk", "co.uk"),
        ("localhost", "localhost"),
        ("192.0.2.1", "192.0.2.1"),
        ("[2001:db8::1]", "[2001:db8::1]"),
    ],
)
def test_registrable_domain(host, domain):
    assert registrable_domain(host) == domain


def test_domains_below_every_public_suffix_are_those_of_the_whole_list():
    suffixes = PublicSuffixList()
    lines = Path(PSLFILE).read_text(encoding="utf-8").splitlines()
    rules = [line.lstrip("!*.") for line in lines if line and not line.startswith("//")]
    hosts = [f"www.{rule.encode('idna').decode()}" for rule in rules]

    wrong = [
        host
        for host in (*rules, *hosts, *(f"a.{host}" for host in hosts))
        if registrable_domain(host) != (suffixes.privatesuffix(host) or host)
        or has_public_suffix(host)
        != (suffixes.privatesuffix(host, accept_unknown=False) is not None)
    ]

    assert len(rules) > 9000
    assert wrong == []


@pytest.mark.parametrize(
    ("host", "tokens"),
    [
        ("www.pizza-lisbon.example", ("pizza", "lisbon", "example")),
        ("xn--mnchen-3ya.example", ("münchen", "example")),
        ("node1", ("node1",)),
        ("192.0.2.1", ()),
        ("[::1]", ()),
    ],
)
def test_host_tokens(host, tokens):
    assert host_tokens(host) == tokens


@pytest.mark.parametrize(
    ("url", "tokens"),
    [
        ("http://example.org/", []),
        ("http://example.org", []),
        ("http://example.org/new-york/Pizza_12.html", ["new", "york", "pizza", "12", "html"]),
        ("http://example.org/M%C3%BCnchen", ["münchen"]),
        ("http://example.org/%E9t%E9", ["t"]),
        ("http://example.org/?city=S%C3%A3o+Paulo", ["city", "são", "paulo"]),
    ],
)
def test_path_tokens(url, tokens):
    assert path_tokens(url) == tokens


@given(st.lists(st.text(st.sampled_from("aZ1/_-.?&=%C3A9"), max_size=20)))
def test_path_texts_have_the_words_of_path_tokens(paths):
    urls = [f"http://example.org/{path}" for path in paths]

    texts = path_texts(urls)

    assert [text.strip() for text in texts] == [" ".join(path_tokens(url)) for url in urls]


HEX = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("rest", "rule"),
    [
        ("a" * 494, "length"),
        ("/".join("abcdefghijklm"), "depth"),
        ("/".join("abcdefghijklm") + "/", "depth"),
        ("a/b/a/b/a/b", "repeated"),
        ("a////b", "repeated"),
        ("?a=1&b=2&c=3&d=4&e=5&f=6&g=7", "parameters"),
        ("calendar/2031/05", "calendar"),
        ("calendar/2031/05/17/", "calendar"),
        ("events/2031-05-17", "calendar"),
        ("kalender/17.05.2031", "calendar"),
        ("veranstaltungskalender/203105.html", "calendar"),
        ("events/20310517", "calendar"),
        ("events/month/2031-05/", "calendar"),
        ("calendar.php?date=2031-05-17", "calendar"),
        ("events/?tribe-bar-date=2031-05-01", "calendar"),
        ("index.php?option=com&year=2031&month=5", "calendar"),
        ("?y=2031&m=05&d=3", "calendar"),
        ("?Monat=5&Jahr=2031", "calendar"),
        (f"?sid={HEX}", "session"),
        (f"shop?id=3&SessionID={HEX}", "session"),
        ("?PHPSESSID=4", "session"),
        ("a;jsessionid=1F", "session"),
        ("(S(lit3py55t21z5v55vlm25s55))/a.aspx", "session"),
        (f"sid/{HEX}/a", "session"),
    ],
)
def test_trap_is_named_by_its_rule(rest, rule):
    assert trap(f"http://example.org/{rest}") == rule


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "a" * 493,
        "/".join("abcdefghijkl") + "/",
        "a/b/a/b",
        "a//b",
        "?a=1&b=2&c=3&d=4&e=5&f=6",
        "2024/05/17/",  # the archive of a paper, day by day, has an end
        "2024/05/17/pizzeria-opens",
        "events/2024/05/17/jazz-night",
        "events/jazz-2024",
        "calendar/2024/",
        "calendar/",
        "events/20145",  # a number
        "events/20141399",
        "monday/20240517",
        "article?date=2024-05-17",
        "?year=1999",
        "?my=3&term=5",
        "?s=lisbon",
        "?sid=3",
        "?s=restaurants-in-lisbon",
        f"photos/{HEX}.html",
        f"?id={HEX}",
        "(s)/a",
    ],
)
def test_ordinary_url_is_no_trap(rest):
    assert trap(f"http://example.org/{rest}") is None


def test_url_without_a_path_has_no_words_in_it():
    assert path_texts(["http://example.org", "http://example.org/a"]) == ["", "a"]


@pytest.mark.parametrize(
    ("authority", "host"),
    [
        ("a.example", "a.example"),
        ("a.example:8080", "a.example"),
        ("192.0.2.1:80", "192.0.2.1"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("[2001:db8::1]:80", "[2001:db8::1]"),
    ],
)
@pytest.mark.parametrize("path", ["/", "/x:y/z", ""])
def test_host_is_the_authority_without_its_port(authority, host, path):
    assert authority_of(f"http://{authority}{path}") == authority
    assert without_port(authority) == host_of(f"http://{authority}{path}") == host


def test_urls_are_cut_in_one_module():
    by_hand = re.compile(r"""split\("/"(, \d)?\)\[2\]|f"http://\{host\}/"|urlsplit\(.*\.hostname""")
    source = PROJECT / "src" / "geoscout"
    found = [
        str(path.relative_to(source))
        for path in sorted((source / "strategy").rglob("*.py"))
        if by_hand.search(path.read_text())
    ]

    assert found == []
