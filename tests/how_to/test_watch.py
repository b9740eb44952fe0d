"""The commands of docs/how-to/watch.md, on a local site that changes."""

import json
from xml.etree import ElementTree

import pytest

from geoscout.cli.main import main
from tests.local_server import LocalFile, served

LINKS = '<a href="/a">a</a> <a href="/b">b</a> <a href="/c">c</a>'
FEED = '<link rel="alternate" type="application/rss+xml" href="/feed">'


STREETS = {"home": "Lange Straße", "alpha": "Theaterwall", "beta": "Haarenstraße",
           "gamma": "Nadorster Straße", "delta": "Donnerschweer Straße"}  # fmt: skip


def page(title: str, words: str = "") -> LocalFile:
    text = (
        f"Der Verein {title} in Oldenburg: {STREETS[title]} {len(title)}, 26122 Oldenburg {words}"
    )
    html = f"<title>{title} in Oldenburg</title>{FEED}<h1>{title}</h1><p>{text}<p>{LINKS}"
    return LocalFile("text/html; charset=utf-8", html.encode())


def feed(*urls: str) -> LocalFile:
    items = "".join(f"<item><link>{url}</link></item>" for url in urls)
    return LocalFile("application/rss+xml", f"<rss><channel>{items}</channel></rss>".encode())


def test_watch_finds_what_is_new_has_changed_or_is_gone(
    tmp_path, settings, gazetteer, monkeypatch, capsys
):
    monkeypatch.setenv("GEOSCOUT_HOME", settings.home)
    monkeypatch.setenv("GEOSCOUT_EXTRAS", "no")
    folder = str(tmp_path / "oldenburg")
    files = {"/": page("home"), "/a": page("alpha"), "/b": page("beta"), "/c": page("gamma")}
    with served(files) as site:
        files["/feed"] = feed(f"{site}a")
        words = ["--region", "Oldenburg, Germany", "--seeds", site, "--out", folder]
        assert main(["crawl", *words, "--allow-private", "--set", "delay_seconds=0"]) == 0
        assert main(["index", folder]) == 0
        files["/new"], files["/feed"] = page("delta"), feed(f"{site}new")
        files["/a"] = page("alpha", "and now for something completely different")
        del files["/b"]
        capsys.readouterr()
        once = ["--set", "rounds=1", "--set", "delay_seconds=0"]
        assert main(["watch", folder, "--budget", "50", *once]) == 0

    told = capsys.readouterr().err
    assert "1 feeds and sitemaps: 1 new pages" in told
    assert "5 asked: 1 new, 1 changed, 1 gone" in told
    assert _titles(folder, "delta", capsys) == ["delta in Oldenburg"]
    assert _titles(folder, "beta", capsys) == []

    assert main(["export", folder, "--format", "atom", "--since", "1d"]) == 0
    entries = ElementTree.fromstring(capsys.readouterr().out)
    atom = {"atom": "http://www.w3.org/2005/Atom", "georss": "http://www.georss.org/georss"}
    titles = {entry.text for entry in entries.findall("atom:entry/atom:title", atom)}
    assert titles == {f"{name} in Oldenburg" for name in ("home", "alpha", "gamma", "delta")}
    assert len(entries.findall("atom:entry/georss:point", atom)) == len(titles)


def _titles(folder: str, words: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert main(["search", folder, words, "--json"]) == 0
    return [hit["title"] for hit in json.loads(capsys.readouterr().out)["hits"]]


@pytest.mark.parametrize("words", [["--budget", "0"], ["--every", "0"], ["--set", "rounds=0"]])
def test_numbers_that_make_no_sense_are_told(tmp_path, words, capsys):
    assert main(["watch", str(tmp_path), *words]) == 2
    assert "must be more than 0" in capsys.readouterr().err
