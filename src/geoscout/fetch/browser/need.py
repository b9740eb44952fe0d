"""Whether a page needs a browser, told from the response and from other pages of its host.

A browser costs a hundred times what parsing does, so it is asked only where the plain page shows
next to nothing and scripts could change that. Pages are hostile: each byte is looked at once, and
what does not end hides the rest of the page.

When a browser is asked; apart from the rest, which is slow to import.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict

from geoscout_places.errors import UsageError
from geoscout_places.extras import require

_LOOKED_AT = 300_000  # bytes of a page; shells are small
_LITTLE_TEXT = 400  # characters; a page with more says something without a browser
_HIDDEN = frozenset((b"script", b"style", b"template", b"noscript", b"svg", b"title"))
_NAME = re.compile(rb"[a-z][a-z0-9]{0,10}")
_LONGEST_TAG = 2000  # bytes in which the attributes of a script are looked for
_TYPE = re.compile(rb"""\stype\s*=\s*["']?([^"'\s;>]*)""")
_SOURCE = re.compile(rb"""\ssrc\s*=\s*["']?([^"'\s?#>]*)""")
_RUNS = re.compile(rb"(?:|module|.*(?:java|ecma|j)script)")  # types of scripts; others are data
_TRIES = 3  # pages of a template that a browser showed no more of, before it is left alone
_HOST_TRIES = 12  # the same of a host, whatever its templates
_GAIN_RATIO, _GAIN = 1.5, 100  # of visible characters, where a browser was of use
_MOST_KEYS = 100_000


def visible_length(body: bytes) -> int:
    """About how many characters of a page a reader sees without scripts.

    >>> visible_length(b"<title>Shop</title><body>Our <b>shop</b><script src=a.js></script>")
    8
    """
    return _scan(body)[0]


def template_of(body: bytes) -> bytes | None:
    """What a page without text of its own has in common with others: its scripts, by address.

    None where a page has no scripts that run, or says something without them.
    """
    length, scripts = _scan(body)
    if not scripts or length >= _LITTLE_TEXT:
        return None
    return hashlib.sha1(b" ".join(sorted(scripts)), usedforsecurity=False).digest()


def is_gain(before: bytes, after: bytes) -> bool:
    """Whether a browser shows more of a page than is seen without it."""
    return visible_length(after) > _GAIN_RATIO * visible_length(before) + _GAIN


def _scan(body: bytes) -> tuple[int, set[bytes]]:
    """How many characters are seen, and the addresses of scripts that run; b"" in the page."""
    page = body[:_LOOKED_AT].lower()
    texts, scripts, at = [], set(), 0
    while (start := page.find(b"<", at)) >= 0:
        texts.append(page[at:start])
        end = page.find(b">", start)
        name = _NAME.match(page, start + 1)
        if name and name[0] == b"script" and end >= 0:
            scripts.update(_source(page[start : min(end, start + _LONGEST_TAG)]))
        at = _after(page, start, end, name[0] if name else b"")
        if at < 0:  # something that does not end
            break
    else:
        texts.append(page[at:])
    seen = b" ".join(texts).replace(b"&nbsp;", b" ").replace(b"&#160;", b" ")
    return len(b" ".join(seen.split())), scripts


def _after(page: bytes, start: int, end: int, name: bytes) -> int:
    """Where a page goes on after a tag and what it hides; -1 where it does not."""
    if page.startswith(b"<!--", start):
        close = page.find(b"-->", start + 2)
        return close if close < 0 else close + 3
    if name in _HIDDEN and end >= 0:
        return page.find(b"</" + name, end)
    return end if end < 0 else end + 1


def _source(tag: bytes) -> list[bytes]:
    """The address of a script, if it is one that runs."""
    kind, source = _TYPE.search(tag), _SOURCE.search(tag)
    runs = kind is None or _RUNS.fullmatch(kind[1])
    return [source[1] if source else b""] if runs else []


class BrowserHistory:
    """What a browser has shown of pages that others did not see, by host and template."""

    def __init__(self) -> None:
        self._fruitless: OrderedDict[tuple[str, bytes], int] = OrderedDict()  # pages in a row

    def is_worth(self, host: str, template: bytes) -> bool:
        """Whether the host's pages with this template may need a browser."""
        tries = self._fruitless
        return tries.get((host, template), 0) < _TRIES and tries.get((host, b""), 0) < _HOST_TRIES

    def learn(self, host: str, template: bytes, *, gained: bool) -> bool:
        """Note what became of a page; whether its host is given up now."""
        for key in ((host, template), (host, b"")):
            self._fruitless[key] = 0 if gained else self._fruitless.get(key, 0) + 1
            self._fruitless.move_to_end(key)
        while len(self._fruitless) > _MOST_KEYS:
            self._fruitless.popitem(last=False)
        return not gained and self._fruitless[host, b""] == _HOST_TRIES


NEVER, AUTO, ALWAYS = "never", "auto", "always"


def read_render(mode: str) -> str:
    """How pages are rendered.

    Raises:
        UsageError: there is no such mode, or no browser for it.
    """
    if mode not in (NEVER, AUTO, ALWAYS):
        raise UsageError(f"render is one of {NEVER}, {AUTO}, {ALWAYS}, not {mode!r}")
    if mode != NEVER:
        require("to render pages", "browser", "playwright")
    return mode
