"""The commands of docs/how-to/watch.md, on a local site that changes."""

from xml.etree import ElementTree

import pytest

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


def test_watch_finds_what_is_new_has_changed_or_is_gone(tmp_path, typed):
    folder = tmp_path / "oldenburg"
    files = {"/": page("home"), "/a": page("alpha"), "/b": page("beta"), "/c": page("gamma")}
    with served(files) as site:
        files["/feed"] = feed(f"{site}a")
        words = ["--region", "Oldenburg, Germany", "--seeds", site, "--out", folder]
        assert typed("crawl", *words, "--allow-private", "--set", "delay_seconds=0").status == 0
        assert typed("index", folder).status == 0
        files["/new"], files["/feed"] = page("delta"), feed(f"{site}new")
        files["/a"] = page("alpha", "and now for something completely different")
        del files["/b"]
        once = ["--set", "rounds=1", "--set", "delay_seconds=0"]
        watched = typed("watch", folder, "--budget", "50", *once)

    assert watched.status == 0
    assert "1 feeds and sitemaps: 1 new pages" in watched.err
    assert "5 asked: 1 new, 1 changed, 1 gone" in watched.err
    hits = [typed("search", folder, name, "--json").facts["hits"] for name in ("delta", "beta")]
    assert [[hit["title"] for hit in found] for found in hits] == [["delta in Oldenburg"], []]

    entries = ElementTree.fromstring(
        typed("export", folder, "--format", "atom", "--since", "1d").out
    )
    atom = {"atom": "http://www.w3.org/2005/Atom", "georss": "http://www.georss.org/georss"}
    titles = {entry.text for entry in entries.findall("atom:entry/atom:title", atom)}
    assert titles == {f"{name} in Oldenburg" for name in ("home", "alpha", "gamma", "delta")}
    assert len(entries.findall("atom:entry/georss:point", atom)) == len(titles)


@pytest.mark.parametrize("words", [["--budget", "0"], ["--every", "0"], ["--set", "rounds=0"]])
def test_numbers_that_make_no_sense_are_told(tmp_path, words, typed):
    done = typed("watch", tmp_path, *words)

    assert (done.status, "must be more than 0" in done.err) == (2, True)
