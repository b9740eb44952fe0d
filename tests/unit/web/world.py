"""A crawl and a report to serve: made by the real parser, geoparser, store and frontier."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from geoscout.crawling.options import NOTE, CrawlOptions, to_note
from geoscout.frontier.frontier import Frontier
from geoscout.state.sqlite import SqliteState
from geoscout.store.base import Failure, Topic, Visit
from geoscout_places.geo import Geoparser
from geoscout_places.model import RelevanceRule, Request, Response
from geoscout_places.parse import parse_html

HTML = "text/html; charset=utf-8"
RIGHT_TO_LEFT = "\u202e"
REGION = ["Lisbon, Portugal", "Lisbon, New Hampshire"]
HOSTILE_URL = "http://evil.example/"
HOSTILE = f"""<html lang="en"><head>
<title>&lt;script&gt;window.hacked = 1&lt;/script&gt; {RIGHT_TO_LEFT}koobemoclew Lisbon</title>
<meta http-equiv="refresh" content="0;url=http://outside.example/refresh">
<link rel="stylesheet" href="http://outside.example/style.css">
<link rel="preconnect" href="http://outside.example/">
<base href="http://outside.example/">
<script>window.hacked = 1; top.hacked = 1</script>
<script src="http://outside.example/script.js"></script></head>
<body onload="window.hacked = 1; parent.hacked = 1">
<h1>A hostile trattoria in Lisbon, Portugal &lt;img src=x onerror="window.hacked=1"&gt;</h1>
<p>Rua Augusta 24, 1100-053 Lisboa, Portugal.
Lisbon &lt;b&gt;bold&lt;/b&gt; {RIGHT_TO_LEFT}desrever</p>
<a href="javascript:window.hacked=1">javascript link to Lisbon</a>
<a href="data:text/html,<script>window.hacked=1</script>">data link</a>
<img src="http://outside.example/pixel.png" onerror="window.hacked=1">
<iframe src="http://outside.example/frame"></iframe>
<form action="http://outside.example/form"><button autofocus>send</button></form>
<svg onload="window.hacked=1"><script>window.hacked=1</script></svg>
<p>{"HugeText" * 20_000}</p></body></html>"""


def page(title: str, *paragraphs: str, links: tuple[str, ...] = ()) -> str:
    """The HTML of a page."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    anchors = "".join(f'<a href="{url}">more about {title}</a> ' for url in links)
    head = f"<head><title>{title}</title></head>"
    return f'<html lang="en">{head}<body><h1>{title}</h1>{body}{anchors}</body></html>'


PAGES = {
    "http://pizzaria.example/": page(
        "Pizzaria Alfama",
        "Our pizza restaurant is in the old town of Lisbon, Portugal.",
        "You find us in the middle of Lisbon, near the cathedral.",
        links=("http://forno.example/", "http://waiting.example/menu", "mailto:a@b.example"),
    ),
    "http://forno.example/": page(
        "Forno do Chiado",
        "A pizza restaurant with a wood oven in Lisbon. Lisbon is the capital of Portugal.",
        links=("http://pizzaria.example/",),
    ),
    "http://porto.example/": page(
        "Pizza no Porto", "A pizza restaurant in Porto. Porto is the second city of Portugal."
    ),
    "http://lisbon-nh.example/": page(
        "Main Street Pizza",
        "The only pizza restaurant in Lisbon, New Hampshire.",
        "12 Main Street, Lisbon, NH 03585",
    ),
    "http://madrid.example/": page("Pizza in Madrid", "A pizza restaurant in Madrid, Spain."),
    "http://bikes.example/": (
        '<html lang="en"><head><title>Bicycles</title></head><body><nav><ul><li>Home</li>'
        "<li>Prices</li><li>Contact</li></ul></nav><h1>Bicycles</h1><p>How to mend a bicycle:"
        " turn it upside down first.</p><footer>Imprint</footer></body></html>"
    ),
    HOSTILE_URL: HOSTILE,
}


def make_crawl(
    folder: Path,
    geoparser: Geoparser,
    pages: Mapping[str, str] | None = None,
    region: Sequence[str] = REGION,
) -> None:
    """A finished crawl of some pages, with requests that wait for all sorts of reasons."""
    state = SqliteState(folder)
    store, frontier = state.writer, state.frontier
    options = CrawlOptions(region=tuple(region), strategy="breadth", relevance=RelevanceRule.SCOPE)
    store.set_note(NOTE, to_note(options))
    frontier.put([Request(url, 1.0) for url in pages or PAGES])
    for number, (url, html) in enumerate((pages or PAGES).items()):
        request = frontier.next(time.time())
        assert request is not None
        frontier.bind(url.split("/")[2], "", time.time())
        headers = (("content-type", HTML),)
        response = Response(
            url, 200, headers, html.encode(), "", fetched_at=1e9 + number, seconds=0.2
        )
        parsed = parse_html(response.body, url, HTML)
        reading = geoparser.read(parsed)
        relevant = any(part.place.name == "Lisbon" for part in reading.scope)
        store.add(Visit(Request(url, 1.0), response, parsed, reading, relevant=relevant))
        frontier.done(request, time.time(), 0.0)
    add_waiting(frontier)
    store.add_failure(Failure(Request("http://gone.example/"), 1e9, "timeout", "after 60 s"))
    store.count_all(Topic.LINKS, {"nofollow": 3})
    store.count_all(Topic.STATUS, {"404": 2, "200": 8})
    state.save()
    state.close()


def add_waiting(frontier: Frontier) -> None:
    """Requests that are ready, wait for a retry, and whose host is left alone."""
    waiting = [
        Request("http://waiting.example/menu", 0.7, depth=1, parent="http://pizzaria.example/"),
        Request("http://later.example/", 0.5),
        Request("http://closed.example/", 0.3),
    ]
    frontier.put(waiting)
    now = time.time()
    taken = []
    while (request := frontier.next(now)) is not None:
        frontier.bind(request.url.split("/")[2], "", now)
        taken.append(request)
    for request in taken:
        if "later" in request.url:
            frontier.fail(request, now, 0.0, now + 3600)
        else:
            frontier.fail(request, now, 0.0, now)
    frontier.block("closed.example", now + 7200, "robots.txt")
    frontier.next(now + 1)  # brings back what is due; in flight it counts as waiting


def make_report(folder: Path) -> None:
    """A report as `geoscout compare` writes one."""
    folder.mkdir(parents=True)
    runs = [
        {"strategy": "breadth", "collaboration": "none", "web": "1", "harvest": 0.1, "recall": 0.2},
        {
            "strategy": "adaptive",
            "collaboration": "none",
            "web": "1",
            "harvest": 0.3,
            "recall": 0.5,
        },
    ]
    units = [{"profile": "ahlers2009", "pages": 5000}]
    command = ["geoscout", "compare", "--out", "my reports"]
    results = {"settings": {"units": units, "command": command, "budget": 3000}, "runs": runs}
    (folder / "results.json").write_text(json.dumps(results))
    (folder / "report.html").write_text("<!doctype html><title>r</title><h1>The report</h1>")
    (folder / "harvest.png").write_bytes(PIXEL)
    (folder / "secret.txt").write_text("not to be served")


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
)
