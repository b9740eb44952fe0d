"""Seeds of a crawl, read from arguments and files."""

import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from geoscout.fetch.base import Admission
from geoscout_places.errors import Mistakes, UsageError
from geoscout_places.urls import has_public_suffix, normalise

_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_log = logging.getLogger(__name__)


def read_seeds(texts: Sequence[str]) -> list[str]:
    """URLs in normal form from URLs and files of them, each once, in order."""
    seeds: dict[str, None] = {}
    mistakes = Mistakes()
    for text in texts:
        with mistakes.noted():
            for line in _seed_lines(text):
                with mistakes.noted():
                    seeds[_seed(line)] = None
    mistakes.complain()
    if not seeds:
        raise UsageError("no seed is an http(s) URL; give URLs or files with one a line")
    return list(seeds)


def admitted_seeds(urls: Sequence[str], admission: Admission) -> list[str]:
    """The seeds that the rules of the user admit; the others are left out with a warning."""
    kept = [url for url in urls if admission.admits(url)]
    for url in urls:
        if not admission.admits(url):
            _log.warning("seed left out, the patterns or settings exclude it: %s", url)
    if urls and not kept:
        raise UsageError(
            f"include and exclude admit no seed: {urls[0]} is excluded, or not included"
        )
    return kept


def seed_url(text: str) -> str | None:
    """The normal URL that a seed means; None for what is not one.

    People write hosts without a scheme. One counts where it ends in a real domain, so that the
    name of a file that is not there is not taken for a host.

    >>> seed_url("lisboa.pt"), seed_url("www.lisboa.pt/visit"), seed_url("seeds.txt")
    ('https://lisboa.pt/', 'https://www.lisboa.pt/visit', None)
    """
    if "://" in text:
        return normalise(text)
    host = text.partition("/")[0]
    is_host = _HOST.fullmatch(host) is not None and has_public_suffix(host.lower())
    return normalise(f"https://{text}") if is_host else None


def _seed(line: str) -> str:
    url = seed_url(line)
    if url is None:
        raise UsageError(f"{line!r} is not an http(s) URL")
    return url


def _seed_lines(text: str) -> Iterator[str]:
    if "://" in text:
        yield text
        return
    try:
        lines = Path(text).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        if seed_url(text) is not None:
            yield text
            return
        raise UsageError(f"{text!r} is neither an http(s) URL nor a file of them") from error
    yield from (line.strip() for line in lines if line.strip() and not line.startswith("#"))
