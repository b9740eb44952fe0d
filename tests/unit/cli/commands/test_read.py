"""The command `read`."""

import pytest

from geoscout.cli.main import main
from tests.unit.web.conftest import site

__all__ = ["site"]


def test_a_file_is_printed_as_markdown(tmp_path, capsys):
    page = tmp_path / "page.html"
    page.write_text("<nav><a href=/>Home</a></nav><h1>Museum</h1><p><a href=map>Map</a>")

    assert main(["read", str(page), "--url", "http://museum.example/"]) == 0

    assert capsys.readouterr().out == "# Museum\n\n[Map](http://museum.example/map)\n"


@pytest.mark.parametrize("page", ["1", "http://pizzaria.example/"])
def test_a_page_of_a_crawl_is_printed(site, page, capsys):
    assert main(["read", site.crawl("").where, page]) == 0

    assert "old town of Lisbon" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["{where}"], "name a page of the crawl"),
        (["{where}", "999"], "no visit 999"),
        (["{where}", "9" * 5000], "no visit 9007199254740992"),
        (["{where}", "nonsense"], "url must be"),
        (["missing.html"], "cannot read missing.html"),
    ],
)
def test_what_cannot_be_read_is_said(site, words, told, capsys):
    where = site.crawl("").where

    assert main(["read", *(word.format(where=where) for word in words)]) == 2

    assert told in capsys.readouterr().err
