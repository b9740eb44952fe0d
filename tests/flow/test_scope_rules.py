"""Rules for URLs and hosts, judged by what servers saw; and docs/how-to/scope-rules.md, run."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from geoscout.cli.main import main
from geoscout.fetch.http.rules import read_proxy
from geoscout.state.base import open_state
from tests.conftest import PROJECT
from tests.fakeweb import FakeWeb, Site
from tests.fakeweb import misbehaviour as bad
from tests.fakeweb.sites import by_path, chained, content, page
from tests.proxies import LocalProxy
from tests.unit.cluster.small_web import SEED, URLS, write_web
from tests.unit.lab.archives import write_archive

GUIDE = (PROJECT / "docs/how-to/scope-rules.md").read_text()
TOWN = "https://www.oldenburg.example"
LINKS = ("/town", "/town?print=1", "/calendar/", "https://forum.oldenburg.example/",
         "https://www.tourism.example/north/", "https://www.tourism.example/south/",
         "https://old.oldenburg.example/", "https://else.example/")  # fmt: skip
PAGES = {
    f"{TOWN}/": "".join(f'<p>Oldenburg <a href="{link}">{link}</a>' for link in LINKS),
    **{link if "://" in link else TOWN + link: f"<p>{link}" for link in LINKS},
}


@pytest.fixture
def web():
    """`a.test` leads to all others, by links, a redirect and a sitemap."""
    port = 0
    with FakeWeb({}) as free:
        port = free.port
    at = f"http://{{}}.test:{port}"
    links = [f"{at.format(host)}/" for host in ("b", "off", "out")]
    sitemap = f"<urlset><url><loc>{at.format('a')}/x/1</loc></url></urlset>".encode()
    handlers = {
        "/": page("Start", [*links, "/x/2", "/away", "/ok"]),
        "/away": bad.redirect(f"{at.format('out')}/from-redirect"),
        "/ok": page("Fine"),
        "/sitemap.xml": content(sitemap, "application/xml"),
    }
    sites = {
        "a.test": Site(by_path(handlers, page("Other"))),
        "b.test": Site(chained(9)),
        "off.test": Site(page("Off")),
        "out.test": Site(page("Out")),
    }
    with FakeWeb(sites, port=port) as served:
        yield served


def crawl(web: FakeWeb, folder: Path, *more: str) -> dict[str, object]:
    """Crawl the fake web; the status as the command prints it."""
    lines = [f"{address} {host}" for host, address in web.resolver.addresses.items()]
    (folder / "hosts.txt").write_text("\n".join(lines))
    done = subprocess.run(
        [
            sys.executable, "-m", "geoscout", "crawl", "--region", "Oldenburg",
            "--seeds", web.url("a.test"), "--set", "fetcher=live:hosts=hosts.txt",
            "--allow-private",
            "--set", "delay_seconds=0", "--strategy", "breadth", "--out", "c", "--json", *more,
        ],
        cwd=folder, env=os.environ, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = done.stdout
    found: dict[str, object] = json.loads(shown)
    return found


def test_nothing_that_is_excluded_is_asked(web, in_folder):
    (in_folder / "geoscout.toml").write_text(
        '[hosts."off.test"]\noff = true\n'
        '[hosts."b.test"]\npages = 3\nheaders = { "Accept-Language" = "de" }\n'
    )
    status = crawl(web, in_folder, "--exclude", "out.test", "--exclude", "/x/", "--max-pages", "20")

    assert web.hits("off.test") == web.hits("out.test") == []
    assert "/ok" in web.paths("a.test")
    assert "/sitemap.xml" in web.paths("a.test")
    assert not any(path.startswith("/x/") for path in web.paths("a.test"))
    assert web.paths("b.test") == ["/robots.txt", "/", "/1", "/2"]
    assert {hit.headers.get("accept-language") for hit in web.hits("b.test")} == {"de"}
    assert {hit.headers.get("accept-language") for hit in web.hits("a.test")} == {None}
    assert status["links left out"]["excluded"] == 5  # type: ignore[index]


def test_only_what_is_included_is_asked_also_through_a_proxy(web, in_folder):
    with LocalProxy(web.resolver.addresses) as proxy:
        (in_folder / "geoscout.toml").write_text(
            f'proxy = "socks5h://127.0.0.1:{proxy.socks_port}"'
        )
        crawl(web, in_folder, "--include", "a.test", "--include", "b.test/1")

    assert {hit.host for hit in web.log} == {"a.test"}
    assert set(proxy.asked) == {f"SOCKS a.test:{web.port}"}


def test_commands_of_the_guide_do_what_it_says(in_folder, capsys):
    write_archive(in_folder / "pages.warc.gz", PAGES)
    first, second = (
        shlex.split(line)[1:] for line in re.findall(r"^\$ (.+)$", GUIDE, re.MULTILINE)
    )
    (in_folder / "geoscout.toml").write_text(re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)[0])

    assert main([*first, "--replay", "pages.warc.gz", "--max-pages", "1"]) == 0
    assert main(second) == 0

    with open_state("oldenburg") as state:
        urls = {visit.url for visit in state.reader.visits()}
        excluded = dict(state.reader.tally("links"))["excluded"]  # type: ignore[arg-type]
    assert urls == {f"{TOWN}/", f"{TOWN}/town", "https://www.tourism.example/north/"}
    assert excluded == 5  # and /calendar/, which waited when it was excluded
    main(["status", "oldenburg", "--json"])
    shown = capsys.readouterr().out
    assert json.loads(shown[shown.rindex("\n{") :])["failures"] == {"excluded": 1}


def test_addresses_of_proxies_in_the_guide_can_be_read():
    found = re.findall(r"(?:http|socks5h?)://[\w.:@]+:\d+", GUIDE)

    assert [text for text in found if read_proxy(text) is None] == []
    assert len(found) >= 2


def test_mistakes_are_told_before_anything_is_written(in_folder, capsys):
    words = ["crawl", "--region", "Oldenburg", "--seeds", TOWN, "--out", "c", "--contact", "a@b.de"]

    assert main([*words, "--include", "ftp://x", "--exclude", "*.pdf"]) == 2
    told = capsys.readouterr().err
    assert "'ftp://x' is not a pattern" in told
    assert "'/*.pdf$'" in told
    assert main([*words, "--include", "other.example"]) == 2
    assert "admit no seed" in capsys.readouterr().err
    assert not (in_folder / "c").exists()


@pytest.mark.slow
def test_workers_follow_the_patterns_of_their_crawl(postgres_address, tmp_path, settings):
    archive = write_web(tmp_path / "web.warc.gz")
    made = subprocess.run(
        [
            sys.executable, "-m", "geoscout", "crawl", "--region", "Lisbon", "--seeds", SEED,
            "--replay", str(archive), "--strategy", "breadth", "--on", postgres_address,
            "--archive", str(tmp_path / "pages"), "--partitions", "4",
            "--exclude", "www.site3.example", "--exclude", "/5.html$",
        ],
        env={**os.environ, "GEOSCOUT_HOME": settings.home},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip

    assert made.returncode == 0, made.stderr
    with open_state(postgres_address) as state:
        urls = {visit.url for visit in state.reader.visits()}
    left = {u for u in URLS if "site3." not in u and not u.endswith("/5.html")}
    assert urls < left
    assert len(urls) > len(left) / 2  # some pages are behind excluded ones
