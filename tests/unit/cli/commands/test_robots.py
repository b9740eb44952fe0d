import io
import json
import sys

import pytest

from geoscout.cli.main import main


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "robots.txt"
    path.write_text(
        "User-agent: *\nDisallow: /private\nCrawl-delay: 2\nSitemap: http://example.org/s.xml\n"
    )
    return str(path)


@pytest.mark.parametrize(
    ("url", "status", "said"),
    [
        ("http://example.org/", 0, "allowed\n"),
        ("", 0, "allowed\n"),  # the root
        ("http://example.org/private/page", 1, "disallowed\n"),
    ],
)
def test_the_status_says_whether_a_url_is_allowed(file, capsys, url, status, said):
    assert (main(["robots", file, "geoscout", url]), capsys.readouterr().out) == (status, said)


def test_json_tells_the_rule(file, capsys):
    status = main(["robots", file, "geoscout", "http://example.org/private", "--json"])

    assert status == 1
    assert json.loads(capsys.readouterr().out) == {
        "allowed": False,
        "rule": "Disallow: /private",
        "crawl_delay": 2.0,
        "sitemaps": ["http://example.org/s.xml"],
    }


def test_file_may_come_from_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"User-agent: *\nDisallow: /")))

    assert main(["robots", "-", "geoscout", "http://example.org/"]) == 1
    assert main(["robots", "none.txt", "geoscout", "http://example.org/"]) == 2
    assert "none.txt" in capsys.readouterr().err


@pytest.mark.parametrize(
    "url", ["/private", "example.org/private", "ftp://example.org/", "http://"]
)
def test_url_that_is_not_absolute_has_status_2(file, url, capsys):
    status = main(["robots", file, "geoscout", url])

    shown = capsys.readouterr()
    assert (status, shown.out) == (2, "")
    assert shown.err.count("\n") == 1
    assert "https://" in shown.err
