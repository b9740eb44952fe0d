"""What reading a page costs, and what hostile pages cost.

    python benchmarks/parse.py
    python benchmarks/parse.py --archives FILE... --pages 500

Reads a page of 30 KB with 100 links, as it is and with structured data, and prints the CPU time
next to that of lexbor alone, and of what a plain crawler does with lexbor: the text and the links
with their anchors. `extruct` is measured where it is installed. Then reads pages made to break
parsers, 1 MB each. Times are the best of many runs, because other work on the machine only adds.

With archives (.warc.gz), their pages are read by the compiled kernels and by Python alone, in turn.
Printed are the pages that differ, of which there must be none, and the CPU time of a page.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from geoscout.batch.documents import ArchivePages
from geoscout_places.model import Page
from geoscout_places.parse import parse_html
from geoscout_places.parse.blocks import drop_marks
from geoscout_places.parse.charset import decode
from geoscout_places.parse.html import tree_of, walked_page
from geoscout_places.parse.limits import pieces_of, tame

URL = "https://inn.example/rooms/index.html"
RUNS = 200
HOSTILE = {
    "nested <div>": "<div>",
    "nested <ul><li>": "<ul><li>",
    "<a>": "<a>",
    "links": "<a href=x>y",
    "tables in tables": "<table><tr><td>",
    "unclosed <font>": "<p><font size=%d>x",
    "<body> again and again": "<body a%d=1>",
    "attributes": " a%d=1",
    "line breaks": "x<br>",
    "comments": "<!--",
    "items in items": "<div itemscope itemprop=a>x",
}
STRUCTURED = (
    '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Hotel",'
    '"name": "Inn", "address": {"@type": "PostalAddress", "streetAddress": "Lake Road 5",'
    '"addressLocality": "Springfield"}, "geo": {"latitude": 39.8, "longitude": -89.6}}</script>'
    '<div itemscope itemtype="https://schema.org/Hotel"><b itemprop="name">Inn</b></div>'
)


def ordinary_page(extra: str = "") -> bytes:
    """About 30 KB with 100 links: a menu, paragraphs, a table, a footer with an address."""
    menu = "".join(f'<li class="item"><a href="/menu/{i}">Entry {i}</a></li>' for i in range(30))
    text = "The house stands by the lake, ten minutes from the station, and was built in 1908. "
    paragraphs = "".join(
        f'<p>{text * 3}See <a href="../towns/{i}.html" title="Town {i}">Town {i}</a> and <b>the '
        f"market</b>. {text}</p>\n"
        for i in range(50)
    )
    rows = "".join(
        f'<tr><td>Room {i}</td><td><a href="room.php?id={i}">{i * 10} euros</a></td></tr>\n'
        for i in range(20)
    )
    return (
        f'<!doctype html><html lang="en"><head><title>Inn</title><meta name="description" '
        f'content="An inn"><link rel="canonical" href="/">{extra}</head><body><header><nav><ul>'
        f"{menu}</ul></nav></header><main><h1>Inn</h1>{paragraphs}<table>{rows}</table></main>"
        "<footer><address>Inn<br>Lake Road 5<br>Springfield, IL 62701</address></footer></body>"
    ).encode()


def plain(body: bytes) -> tuple[str, list[tuple[str | None, str]]]:
    """What a crawler does that only wants text and links."""
    tree = LexborHTMLParser(body)
    links = [(node.attributes.get("href"), node.text()) for node in tree.css("a[href]")]
    return tree.text(separator=" "), links


def milliseconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """CPU time of one run, the best of many."""
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1000


def hostile_page(pattern: str, length: int = 1_000_000) -> bytes:
    count = length // len(pattern)
    body = "".join(pattern % i for i in range(count)) if "%d" in pattern else pattern * count
    return (f"<div{body}>" if pattern.startswith(" ") else body).encode()


def show(what: str, value: float, note: str = "") -> None:
    print(f"{what:<44} {value:>9.2f} ms   {note}")


def by_python(body: bytes, url: str, content_type: str) -> Page:
    """`parse_html` without any kernel."""
    pieces = pieces_of(tame(drop_marks(decode(body, content_type, url))))
    return walked_page(map(tree_of, pieces), url)


def compare(archive: Path, most: int) -> bool:
    """Read the pages of an archive both ways; whether both say the same."""
    pages = differing = 0
    seconds = {parse_html: 0.0, by_python: 0.0}
    html = ArchivePages(archive, 10_000_000, frozenset({"text/html"}))
    for document in islice(html.documents(), most):
        results = []
        for read in seconds:
            start = time.process_time()
            results.append(read(document.body, document.url, document.content_type))
            seconds[read] += time.process_time() - start
        pages += 1
        differing += results[0] != results[1]
    compiled, python = (1000 * spent / max(pages, 1) for spent in seconds.values())
    note = f"{pages} pages, {differing} differ; {python:.2f} ms by Python, {compiled / python:.2f}"
    show(archive.name, compiled, note)
    return not differing


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--archives", nargs="+", type=Path, default=(), metavar="FILE")
    parser.add_argument("--pages", type=int, default=500, help="of each archive")
    words = parser.parse_args()
    if words.archives:
        equal = [compare(archive, words.pages) for archive in words.archives]
        sys.exit(not all(equal))
    measure()


def measure() -> None:
    page, structured = ordinary_page(), ordinary_page(STRUCTURED)
    links = len(parse_html(page, URL).links)
    print(f"a page of {len(page) / 1000:.0f} KB, {page.count(b'<')} tags, {links} links")
    alone = milliseconds(lambda: LexborHTMLParser(page))
    simple = milliseconds(lambda: plain(page))
    ours = milliseconds(lambda: parse_html(page, URL))
    show("lexbor, the tree alone", alone)
    show("lexbor, text and links with anchors", simple)
    show("parse_html", ours, f"{ours / simple:.1f} times that; 1 ms was the target")
    show("parse_html with JSON-LD and microdata", milliseconds(lambda: parse_html(structured, URL)))
    try:
        extruct = importlib.import_module("extruct")
    except ImportError:
        print("extruct is not installed")
    else:
        text = structured.decode()
        show("extruct, structured data alone", milliseconds(lambda: extruct.extract(text), 20))
    print("hostile pages of 1 MB")
    for name, pattern in HOSTILE.items():
        body = hostile_page(pattern)
        show(name, milliseconds(lambda body=body: parse_html(body, URL), 1))  # type: ignore[misc]


if __name__ == "__main__":
    main()
