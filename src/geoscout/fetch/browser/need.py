"""Whether a page needs a browser, told from the response and from other pages of its host.

A browser costs a hundred times what parsing does, so it is asked only where the plain page shows
next to nothing and scripts could change that.
"""

from __future__ import annotations

import re
from collections import OrderedDict

_LOOKED_AT = 300_000  # bytes of a page; shells are small
_LITTLE_TEXT = 400  # characters; a page with more says something without a browser
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)
_UNSEEN = re.compile(
    rb"<(script|style|template|noscript|svg|head)\b.*?</\1\s*>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(rb"<[^>]*>")
_SPACE = re.compile(rb"(?:\s|&nbsp;|&#160;)+")
_TRIES = 3  # pages of a host that a browser showed no more of, before the host is left alone
_GAIN_RATIO, _GAIN = 1.5, 100  # of visible characters, where a browser was of use
_MOST_HOSTS = 50_000


def visible_length(body: bytes) -> int:
    """About how many characters of a page a reader sees without scripts.

    >>> visible_length(b"<title>Shop</title><body><div id=root></div><script src=a.js></script>")
    4
    """
    text = _TAG.sub(b" ", _UNSEEN.sub(b" ", body[:_LOOKED_AT]))
    return len(_SPACE.sub(b" ", text).strip())


def looks_empty(body: bytes) -> bool:
    """Whether a page has scripts and next to no text."""
    return _SCRIPT.search(body[:_LOOKED_AT]) is not None and visible_length(body) < _LITTLE_TEXT


class BrowserHistory:
    """What a browser has shown of hosts that others did not see."""

    def __init__(self) -> None:
        self._fruitless: OrderedDict[str, int] = OrderedDict()  # pages in a row, by host

    def is_worth(self, host: str) -> bool:
        """Whether the host's pages may need a browser."""
        return self._fruitless.get(host, 0) < _TRIES

    def learn(self, host: str, before: bytes, after: bytes) -> None:
        """Note what became of a page."""
        seen, shown = visible_length(before), visible_length(after)
        is_gain = shown > _GAIN_RATIO * seen + _GAIN
        self._fruitless[host] = 0 if is_gain else self._fruitless.get(host, 0) + 1
        self._fruitless.move_to_end(host)
        if len(self._fruitless) > _MOST_HOSTS:
            self._fruitless.popitem(last=False)
