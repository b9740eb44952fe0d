"""What a page says of itself: title, language, meta, canonical address, base of its references."""

from __future__ import annotations

import re

from msgspec import Struct, field
from selectolax.lexbor import LexborNode

from geoscout_places.parse.elements import ElementAttributes

_REFRESH = re.compile(r"\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)
_MOST_META = 500
_NAMES = ("name", "property", "http-equiv", "itemprop")


class HtmlHead(Struct):
    """Filled while the page is walked; the first statement of a kind counts."""

    title: str = ""
    language: str = ""
    base: str = ""
    canonical: str = ""
    meta: list[tuple[str, str]] = field(default_factory=list)

    def add_meta(self, attributes: ElementAttributes) -> None:
        """Take down one meta element."""
        name = next((attributes[kind] for kind in _NAMES if attributes.get(kind)), None)
        if name and len(self.meta) < _MOST_META:
            content = attributes.get("content") or ""
            self.meta.append((name.strip().lower(), " ".join(content.split())))

    def add_link(self, attributes: ElementAttributes) -> None:
        """Take down one link element."""
        reference = attributes.get("href")
        if reference and not self.canonical:
            relations = (attributes.get("rel") or "").lower().split()
            if "canonical" in relations:
                self.canonical = reference

    def claimed_language(self) -> str:
        """BCP 47 as the page claims; "" where it does not."""
        named = self.language or self._meta("content-language", "language", "og:locale")
        return named.split(",")[0].strip().replace("_", "-")[:35]

    def _meta(self, *names: str) -> str:
        found = dict(reversed(self.meta))
        return next((found[name] for name in names if found.get(name)), "")


def language_of(root: LexborNode) -> str:
    """What the outermost element says; "" where it does not."""
    return root.attributes.get("lang") or root.attributes.get("xml:lang") or ""


def refresh_target(attributes: ElementAttributes) -> str:
    """Where a meta element sends the reader; "" when it does not, or only reloads.

    >>> refresh_target({"http-equiv": "Refresh", "content": "0; URL='/home'"})
    '/home'
    """
    if (attributes.get("http-equiv") or "").lower() != "refresh":
        return ""
    found = _REFRESH.match(attributes.get("content") or "")
    return found[1].strip() if found else ""
