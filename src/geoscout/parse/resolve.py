"""References to absolute URLs, as far as links need it.

`urls.resolve` takes 5 µs a link, as much as all the rest of a link costs. Most references are
absolute or start at the root and are told by their first characters; the others go that way.
Bringing URLs into one form is the business of the frontier, not of the parser.
"""

from __future__ import annotations

import re

from geoscout.urls import resolve

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_EDGES = "".join(map(chr, range(0x21)))
_BREAKS = re.compile(r"[\t\n\r]")
_LONGEST = 8192  # characters; longer ones are data, and no server takes them


class ReferenceResolver:
    """Resolves references against one base URL."""

    __slots__ = ("_above", "_base", "_directory", "_host_start", "_page")

    def __init__(self, base: str) -> None:
        self._base = base
        self._above: dict[int, str] = {}  # directories by the number of levels up
        self._page = re.split(r"[?#]", base, maxsplit=1)[0]
        scheme, slashes, rest = self._page.partition("://")
        host, _, path = rest.partition("/")
        self._host_start = f"{scheme}{slashes}{host}" if slashes else ""
        self._directory = f"{self._host_start}/{path.rpartition('/')[0]}".rstrip("/") + "/"

    def resolve(self, reference: str) -> str:
        """The absolute http(s) URL meant; "" when it is of another scheme, or the page itself."""
        if " " in reference or not reference.isprintable():
            reference = _BREAKS.sub("", reference.strip(_EDGES)).replace(" ", "%20")
        if not reference or reference[0] == "#" or len(reference) > _LONGEST:
            return ""
        if reference.startswith(("https://", "http://")):
            return reference if "/." not in reference else self._join(reference)
        if ":" in reference and _SCHEME.match(reference):
            # "http:page.html" is odd but has a meaning; "mailto:" leads to no page.
            return self._join(reference) if reference[:4].lower() == "http" else ""
        return self._relative(reference.replace("\\", "/"))

    def _relative(self, reference: str) -> str:
        if not self._host_start or reference.endswith("/.."):
            return self._join(reference)
        if "./" in reference:
            return self._dotted(reference)
        if reference[0] == "/":
            if reference.startswith("//"):
                return f"{self._host_start.partition('/')[0]}{reference}"
            return self._host_start + reference
        if reference[0] == "?":
            return self._page + reference
        return self._directory + reference

    def _dotted(self, reference: str) -> str:
        """Resolve "./" and "../" in front; dots further in take the long way."""
        rest = reference.removeprefix("./")
        levels = 0
        while rest.startswith("../"):
            rest = rest[3:]
            levels += 1
        if not rest or "./" in rest or rest[0] in "/?#":
            return self._join(reference)
        directory = self._above.get(levels)
        if directory is None:
            directory = self._above[levels] = self._directory_above(levels)
        return directory + rest

    def _directory_above(self, levels: int) -> str:
        kept = self._directory[len(self._host_start) + 1 :].split("/")[:-1]
        above = kept[: max(0, len(kept) - levels)]
        return "/".join((self._host_start, *above, ""))

    def _join(self, reference: str) -> str:
        return resolve(reference, self._base) or ""
