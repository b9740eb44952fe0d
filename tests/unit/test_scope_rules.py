import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout.frontier.base import Limits
from geoscout.scope_rules import (
    HostTable,
    UrlRules,
    fits,
    read_host_settings,
    read_pattern,
    read_pattern_lists,
    star_pieces,
)
from geoscout.settings import load_settings
from geoscout_places.errors import SettingsError, UsageError


@pytest.mark.parametrize(
    ("pattern", "fitting", "others"),
    [
        (
            "example.org",
            ["http://example.org/", "https://www.example.org:8443/a?b"],
            ["http://anexample.org/", "http://example.org.evil.test/", "http://x.test/example.org"],
        ),
        ("*.example.org", ["http://www.example.org/"], ["http://example.org/"]),
        (
            "shop*.example.org/de/",
            ["http://shop1.example.org/de/x", "http://shop.eu.example.org/de/"],
            ["http://shop1.example.org/en/", "http://www.example.org/de/"],
        ),
        ("/print/", ["http://a.test/print/1", "https://b.test/print/"], ["http://a.test/x/print/"]),
        ("*/print/", ["http://a.test/print/1"], ["http://a.test/x/print/"]),
        ("/*/print/", ["http://a.test/x/print/"], ["http://a.test/print/"]),
        ("/*.php$", ["http://a.test/i.php"], ["http://a.test/i.php?x=1", "http://a.test/i.PHP"]),
        ("/*?*sort=", ["http://a.test/?a=1&sort=2"], ["http://a.test/sort=2"]),
        ("/$", ["http://a.test/"], ["http://a.test/b", "http://a.test/?q"]),
        ("https://a.test", ["https://a.test/x"], ["http://a.test/x"]),
        ("a.test:8080/x", ["http://a.test:8080/x"], ["http://a.test/x"]),
        ("a.test:443", ["https://a.test/"], ["http://a.test/"]),
        ("Münster.example", ["http://www.xn--mnster-3ya.example/"], ["http://munster.example/"]),
        ("/straße", ["http://a.test/stra%C3%9Fe"], ["http://a.test/strasse"]),
        ("/%7euser", ["http://a.test/~user/x"], ["http://a.test/user"]),
        ("[2001:db8::1]", ["http://[2001:db8::1]/"], ["http://[2001:db8::2]/"]),
        ("127.0.0.1:8000", ["http://127.0.0.1:8000/"], ["http://127.0.0.1/"]),
    ],
)
def test_pattern_speaks_of(pattern, fitting, others):
    rules = UrlRules(exclude=[pattern])

    assert [url for url in fitting if rules.admits(url)] == []
    assert [url for url in others if not rules.admits(url)] == []


def test_what_is_excluded_is_excluded_although_it_is_included():
    rules = UrlRules(include=["example.org", "b.test/x"], exclude=["/private/"])

    assert rules.refusal("http://example.org/") is None
    assert rules.refusal("http://b.test/x") is None
    assert rules.refusal("http://b.test/y") == "not included"
    assert rules.refusal("http://example.org/private/1") == "/private/"


def test_host_may_have_pages_where_some_pattern_speaks_of_it():
    rules = UrlRules(include=["example.org/shop/", "/news/"], exclude=["old.example.org", "/x/"])

    assert rules.may_have_pages("example.org")
    assert rules.may_have_pages("any.test")
    assert not rules.may_have_pages("www.old.example.org")
    assert not UrlRules(include=["example.org/shop/"]).may_have_pages("any.test")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "1 to 2000"),
        ("a" * 2001, "1 to 2000"),
        ("a b", "no spaces"),
        ("^https?://a", "regular expressions"),
        (r"example\.org", "regular expressions"),
        ("ftp://example.org", "http and https"),
        ("http:///x", "no host"),
        ("a.test/#top", "#"),
        ("me:pw@a.test", "passwords"),
        ("a.test:http", "not a port"),
        ("a_b!.test", "not a host"),
        ("*.pdf", "'/*.pdf$'"),
    ],
)
def test_bad_pattern_is_refused_with_the_reason(text, reason):
    with pytest.raises(UsageError, match=re.escape(reason)) as error:
        read_pattern(text)

    assert len(str(error.value)) < 300


def test_all_bad_patterns_are_told_at_once():
    with pytest.raises(UsageError) as error:
        UrlRules(["a b"], ["ftp://x"])

    assert len(str(error.value).splitlines()) == 2


def test_lists_are_read_from_files(tmp_path):
    (tmp_path / "list").write_text("# ours\nexample.org\n\n/x/ \n")

    assert read_pattern_lists(["a.test", f"@{tmp_path / 'list'}"]) == (
        "a.test",
        "example.org",
        "/x/",
    )
    with pytest.raises(UsageError, match="cannot be read"):
        read_pattern_lists([f"@{tmp_path / 'none'}"])


def test_hostile_patterns_and_urls_take_linear_time():
    rules = UrlRules(exclude=["/" + "*a" * 900 + "*b$", "*a" * 400 + ".test"])
    url = f"http://{'a' * 60}.{'a' * 60}.example/{'a' * 100_000}"

    started = time.process_time()
    for _ in range(20):
        assert rules.admits(url)
    assert time.process_time() - started < 1.0


@given(st.text("ab*", max_size=12), st.text("ab", max_size=12), st.booleans())
def test_stars_fit_as_a_regular_expression_would(pattern, text, anchored):
    expected = re.compile(
        ".*".join(map(re.escape, pattern.split("*"))) + (r"\Z" if anchored else "")
    )

    found = fits(star_pieces(pattern), text, anchored=anchored)
    assert found == bool(expected.match(text))


@given(st.text(max_size=40))
def test_any_text_is_a_pattern_or_a_usage_error(text):
    try:
        rules = UrlRules(exclude=[text])
    except UsageError:
        return
    rules.admits("http://example.org/a?b=c")


FILE = """
[hosts."example.org"]
delay_seconds = 5
pages = 500
headers = { "Accept-Language" = "de" }

[hosts."www.example.org"]
pages = 0

[hosts."old.example.org"]
off = true
"""


def table(tmp_path: Path, text: str = FILE) -> HostTable:
    (tmp_path / "geoscout.toml").write_text(text)
    return HostTable(load_settings(tmp_path / "geoscout.toml", environment={}).hosts)


def test_nearest_name_that_sets_a_value_counts(tmp_path):
    hosts = table(tmp_path)

    found = hosts.of("a.www.example.org")
    assert (found.delay_seconds, found.pages) == (5.0, 0)
    assert found.headers == (("Accept-Language", "de"),)
    assert hosts.is_off("x.old.example.org")
    assert not hosts.is_off("example.org")
    assert hosts.of("example.com").delay_seconds is None


def test_pages_of_a_host_take_the_place_of_the_general_limit(tmp_path):
    limits = Limits(pages_per_host=10, pages_of=table(tmp_path).pages_of)

    assert limits.most_pages("example.org") == 500
    assert limits.most_pages("www.example.org") is None
    assert limits.most_pages("example.com") == 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[hosts."a.test"]\ndelay = 3', "no 'delay'"),
        ('[hosts."a.test"]\ndelay_seconds = -1', "number of seconds"),
        ('[hosts."a.test"]\ndelay_seconds = true', "number of seconds"),
        ('[hosts."a.test"]\npages = 1.5', "pages is a number"),
        ('[hosts."a.test"]\noff = "yes"', "true or false"),
        ('[hosts."a.test"]\nheaders = ["x"]', "headers is a table"),
        ('[hosts."a.test"]\nheaders = {"X" = "a\\r\\nHost: b"}', "printable"),
        ('[hosts."a.test"]\nheaders = {"A b" = "c"}', "not a header field"),
        ('[hosts."a.test"]\nheaders = {"Host" = "c"}', "set by geoscout"),
        ('[hosts."a.test/x"]\noff = true', "name of a host"),
        ('[hosts]\n"a.test" = 3', "is a table"),
        ('hosts = "a.test"', "table in a settings file"),
    ],
)
def test_mistake_is_named(tmp_path, text, message):
    with pytest.raises(SettingsError, match=message):
        table(tmp_path, text)


@pytest.mark.parametrize(
    "name", ["Authorization", "cookie", "Proxy-Authorization", "X-Api-Key", "X-Auth-Token"]
)
def test_credentials_are_refused(name):
    with pytest.raises(SettingsError, match="no credentials"):
        read_host_settings({"a.test": {"headers": {name: "x"}}}, "file")


def test_environment_cannot_set_hosts():
    with pytest.raises(SettingsError, match="settings file"):
        load_settings(environment={"GEOSCOUT_HOSTS": "a.test"})
