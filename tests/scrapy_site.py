"""A site whose pages about Oldenburg are a small part of it, some of them behind others."""

from collections.abc import Mapping

from tests.fakeweb import Site
from tests.fakeweb.sites import by_path, content

TOPICS, DEEP, SHOPS = 12, 6, 18


def pages() -> Mapping[str, str]:
    """Paths and bodies. The links to other topics are the last of each page."""
    found = {"/": _page("Start", ["/town/0", *(f"/topic{n}/0" for n in range(TOPICS))])}
    for topic in range(TOPICS):
        for n in range(DEEP):
            links = [f"/topic{topic}/{n + 1}"] if n + 1 < DEEP else []
            found[f"/topic{topic}/{n}"] = _page(f"Chess opening {topic * 31 + n * 7}", links)
    for n in range(SHOPS):
        links = [f"/town/{m}" for m in (2 * n + 1, 2 * n + 2) if m < SHOPS]
        address = f"<address>Lange Straße {n + 1}<br>26122 Oldenburg</address>"
        found[f"/town/{n}"] = _page(f"Laden {n} in Oldenburg", links, address)
    return found


def site() -> Site:
    handlers = {path: content(body.encode()) for path, body in pages().items()}
    return Site(by_path(handlers))


def _page(title: str, links: list[str], more: str = "") -> str:
    anchors = "".join(f'<p><a href="{link}">{_words(link)}</a>' for link in links)
    return f"<!doctype html><title>{title}</title><h1>{title}</h1>{more}{anchors}"


def _words(link: str) -> str:
    return f"Laden in Oldenburg {link}" if link.startswith("/town") else f"Opening {link}"
