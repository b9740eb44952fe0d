"""The website of an entry: a link next to it, or the site that the page is part of."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import itemgetter

from geoscout_directory.words import word_list
from geoscout_places.model import Page
from geoscout_places.urls import host_of, normalise, registrable_domain, split

# Where many have a page, and nobody a site.
_SHARED = word_list("shared_hosts")
_WRITTEN = re.compile(
    r"(?<![\w@.])(?:https?://[^\s<>\"]{4,200}|www\.[\w-]+(?:\.[\w-]+){1,3}(?:/[^\s<>\"]{0,100})?)",
    re.IGNORECASE,
)
_ABOUT_US = re.compile(
    r"impressum|imprint|kontakt|contact|about|ueber-uns|uber-uns|legal|mentions-legales|contatti|anfahrt",
    re.IGNORECASE,
)


def domain_of(url: str) -> str:
    """The registrable domain of a URL, or its host where there is none; "" without a host."""
    if "://" not in url:
        return ""
    host = host_of(url)
    return registrable_domain(host) or host


def home_of(url: str) -> str:
    """The home page of the site that a URL is part of."""
    return normalise(f"{url.partition('://')[0]}://{split(url).host}/") or url


def is_shared(url: str) -> bool:
    """Whether a URL is at a service where many have a page."""
    site = domain_of(url)
    return not site or site in _SHARED or site.partition(".")[0] in _SHARED


def is_about_site(url: str) -> bool:
    """Whether a page tells who its site is: its home, its imprint, its contact page."""
    path = url.partition("://")[2].partition("/")[2]
    return not path or _ABOUT_US.search(path) is not None


class LinkPlaces:
    """Where the links of a page to other sites stand in its text.

    A `Link` has no offsets. Links are in the order of the page, so each is looked for after the
    one before; the first place that has its words is never behind the true one.
    """

    def __init__(self, page: Page) -> None:
        own, at = domain_of(page.url), 0
        self._found: list[tuple[int, str]] = []
        for link in page.links:
            anchor = link.anchor or link.alt
            position = page.text.find(anchor, at) if link.anchor else at
            at = max(at, position)
            if domain_of(link.url) != own and not is_shared(link.url):
                self._found.append((position if position >= 0 else at, link.url))

    def between(self, start: int, end: int) -> list[str]:
        """The links to other sites in a stretch of the text."""
        first = bisect_left(self._found, start, key=itemgetter(0))
        last = bisect_right(self._found, end, key=itemgetter(0))
        return [url for _, url in self._found[first:last]]


def written_website(lines: Sequence[str], own_site: str) -> str:
    """The first URL that lines of a text spell out; "" for none. Links of the own site are none."""
    for line in lines:
        for match in _WRITTEN.finditer(line):
            text = match[0].rstrip(".,;:)]")
            url = normalise(text if "://" in text else f"http://{text}")
            if url and not is_shared(url) and domain_of(url) != own_site:
                return url
    return ""
