"""What a title says of the thing that a page is about: its name, without the tail of the site."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from geoscout_directory.lines import can_be_name, clean_line
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Page
from geoscout_places.urls import host_of, registrable_domain

_SEAMS = re.compile(r"\s+[|–—·»›•:]\s+|\s+-\s+|\s*[|»›]\s*|:\s+")
_PLACE_IN_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


def title_parts(title: str) -> list[str]:
    """The parts of a title, cleaned.

    >>> title_parts("Corner Inn (Lubbock, TX) - Hours | Guide")
    ['Corner Inn', 'Hours', 'Guide']
    """
    parts = (clean_line(_PLACE_IN_BRACKETS.sub("", part)) for part in _SEAMS.split(title))
    return [part for part in parts if part]


def title_of_site(page: Page) -> str:
    """What a page calls its site: og:site_name, or the part of its title that its host has."""
    stated = dict(reversed(page.meta)).get("og:site_name", "").strip()
    if stated:
        return stated
    return next((part for part in title_parts(page.title) if is_of_host(part, page.url)), "")


def is_of_host(name: str, url: str) -> bool:
    """Whether a name is that of a host: "Bäckerei Müller" of baeckerei-mueller.example."""
    label = _label_of(url)
    if len(label) <= _SHORTEST_LABEL:
        return False
    spelled = _NO_LETTERS.sub("", name.lower().translate(_UMLAUTS))
    return _fits(spelled, label) or _fits(fold(name).replace(" ", ""), label)


_SHORTEST_LABEL = 3
_NO_LETTERS = re.compile(r"[\W_]")


@lru_cache(maxsize=256)
def _label_of(url: str) -> str:
    """The first label of the domain of a URL, without marks."""
    domain = registrable_domain(host_of(url)) or host_of(url)
    return _NO_LETTERS.sub("", domain.partition(".")[0])


def _fits(form: str, label: str) -> bool:
    return form == label or (len(form) > _SHORTEST_LABEL + 1 and _is_most(form, label))


def _is_most(one: str, other: str) -> bool:
    """Whether one of two words is part of the other, and the larger part of it."""
    short, long = sorted((one, other), key=len)
    return short in long and 3 * len(short) > 2 * len(long)


_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def title_names(page: Page, headings: Sequence[str]) -> list[str]:
    """The names that title and first headings give the thing that a page is about, the best first.

    What names the site is left out, unless nothing else is there.
    """
    parts = [part for part in title_parts(page.title) if can_be_name(part)]
    site = fold(title_of_site(page))
    own = [part for part in parts if fold(part) != site and not is_of_host(part, page.url)]
    first = [clean_line(text) for text in headings[:2]]
    agreed = [h for h in first if can_be_name(h) and any(_agree(h, part) for part in parts)]
    return list(dict.fromkeys([*agreed, *own[:1], *(h for h in first[:1] if can_be_name(h))]))


def _agree(heading: str, part: str) -> bool:
    """Whether a heading and a part of the title name the same: one begins with the other."""
    one, other = fold(heading), fold(part)
    return bool(one and other) and (one.startswith(other) or other.startswith(one))
