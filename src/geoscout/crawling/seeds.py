"""Seeds of a crawl: read from arguments and files, and looked at before it begins, if asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from geoscout.errors import UsageError
from geoscout.fetch.base import Fetcher
from geoscout.fetch.registry.lookup import Registrations
from geoscout.strategy.rank.formulas import Ranking
from geoscout.urls import normalise


def read_seeds(texts: Sequence[str]) -> list[str]:
    """URLs in normal form from URLs and files of them, each once, in order.

    Raises:
        UsageError: a text is neither, or there is no URL at all.
    """
    seeds: dict[str, None] = {}
    for text in texts:
        for line in _seed_lines(text):
            url = normalise(line)
            if url is None:
                raise UsageError(f"{line!r} is no http(s) URL")
            seeds[url] = None
    if not seeds:
        raise UsageError("no seed is an http(s) URL; give URLs or files with one a line")
    return list(seeds)


def _seed_lines(text: str) -> Iterator[str]:
    if "://" in text:
        yield text
        return
    try:
        lines = Path(text).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{text!r} is neither an http(s) URL nor a file of them") from error
    yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))


async def filter_seeds(
    urls: Sequence[str],
    fetcher: Fetcher,
    ranking: Ranking,
    registrations: Registrations | None = None,
) -> list[str]:
    """The seeds that speak of a place, those that speak of it most clearly first.

    Raises:
        UsageError: none does.
    """
    from geoscout.crawling.seeding import choose_seeds  # noqa: PLC0415 - rarely asked for

    try:
        chosen = await choose_seeds(urls, fetcher, ranking, registrations)
    finally:
        await fetcher.close()
    if not chosen.kept:
        raise UsageError("no seed speaks of a place; crawl without --filter-seeds")
    for url in chosen.dropped:
        print(f"geoscout: seed left out, it speaks of no place: {url}", file=sys.stderr)
    return [url for url, _ in chosen.kept]
