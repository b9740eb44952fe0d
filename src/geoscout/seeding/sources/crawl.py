"""The sites that an earlier crawl found good, whatever its region was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from geoscout.seeding.hints import SeedHint
from geoscout.state.base import open_state
from geoscout_places.urls import host_of, split

_FEWEST_PAGES = 2  # of a site, before their share means something


def is_crawl(path: Path) -> bool:
    """Whether a path is the folder of a crawl."""
    return (path / "crawl.sqlite").is_file()


def hints_of_crawl(path: Path) -> Iterator[SeedHint]:
    """The sites with relevant pages, with the share of them.

    Raises:
        UsageError: there is no crawl in the folder.
    """
    pages: Counter[str] = Counter()
    relevant: Counter[str] = Counter()
    first: dict[str, str] = {}  # a relevant page of each
    with open_state(path).reader as reader:
        for page in reader.pages():
            host = host_of(page.url)
            pages[host] += 1
            if page.relevant:
                relevant[host] += 1
                first.setdefault(host, page.url)
    for host, count in relevant.items():
        if pages[host] >= _FEWEST_PAGES:
            root = f"{split(first[host]).scheme}://{host}/"
            yield SeedHint(root, f"crawl {path.name}", share=count / pages[host])
