"""Which URLs a crawl may ask for: patterns that a user writes for hosts and paths.

A pattern is a host and a path as robots.txt writes one, because users know that: `example.org`,
`*.example.org/shop/`, `/*.php$`. It is not a regular expression: the pieces between its stars are
looked for from the left, one after the other, so no pattern and no URL takes more than their
lengths. Patterns of plain hosts are found by the host, so that a list of 100,000 of them costs a
URL no more than a short one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from geoscout_places.errors import Mistakes, UsageError
from geoscout_places.urls import normalise, split, tidy_escapes

LONGEST_PATTERN = 2_000  # characters, as with URLs
NOT_INCLUDED = "not included"
_STARS = re.compile(r"\*+")
_HOST = re.compile(r"[\w*.-]+|\[[\da-f:.]+\]")
_PORT = re.compile(r"[1-9]\d{0,4}")
_HOSTS_REMEMBERED = 50_000
# Endings that somebody means as those of files, who forgets the slash.
_FILE_ENDINGS = (".pdf", ".htm", ".html", ".php", ".jpg", ".jpeg", ".png", ".gif", ".xml", ".css")


def star_pieces(pattern: str) -> tuple[str, ...]:
    """What stands between the stars of a pattern."""
    return tuple(_STARS.split(pattern))


def fits(pieces: tuple[str, ...], text: str, *, anchored: bool) -> bool:
    """Whether a text begins with the pieces, with any characters between each two.

    `anchored`: it must end with the last. There is no way back, so a pattern of a thousand stars
    costs no more than its length.

    >>> fits(star_pieces("/a*.php"), "/about/a.php?x", anchored=False)
    True
    """
    first = pieces[0]
    if not text.startswith(first):
        return False
    if len(pieces) == 1:
        return not anchored or text == first
    at = len(first)
    for piece in pieces[1:-1]:
        found = text.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    last = pieces[-1]
    if anchored:
        return text.endswith(last) and len(text) - len(last) >= at
    return text.find(last, at) >= 0


def host_and_parents(host: str) -> Iterator[str]:
    """A host, and the domains above it, the nearest first.

    >>> list(host_and_parents("www.example.org"))
    ['www.example.org', 'example.org', 'org']
    """
    while host:
        yield host
        host = host.partition(".")[2]


class UrlPattern(Struct, frozen=True):
    """A pattern that was read with `read_pattern`."""

    text: str
    scheme: str  # "": either
    host: str  # "": any; with stars, or plain and then also for all hosts below it
    port: str  # "": any
    path: tuple[str, ...]  # the pieces between its stars; empty for all paths
    anchored: bool  # the path must end where the pattern does

    def fits_host(self, host: str) -> bool:
        if "*" in self.host:
            return fits(star_pieces(self.host), host, anchored=True)
        return not self.host or host == self.host or host.endswith(f".{self.host}")

    def fits_rest(self, scheme: str, port: str, path: str) -> bool:
        """Whether it speaks of a URL whose host it speaks of."""
        if self.scheme and scheme != self.scheme:
            return False
        if self.port and (port or _DEFAULT_PORTS[scheme]) != self.port:
            return False
        return not self.path or fits(self.path, path, anchored=self.anchored)


_DEFAULT_PORTS = {"http": "80", "https": "443"}


def read_pattern(text: str) -> UrlPattern:
    """The pattern that a text means.

    >>> read_pattern("https://*.example.org/shop/*.php$").path
    ('/shop/', '.php')

    Raises:
        UsageError: it is not a pattern; the message says how to write one.
    """
    _check_text(text)
    scheme, has_scheme, rest = text.partition("://")
    if not has_scheme:
        scheme, rest = "", text
    elif scheme.lower() not in _DEFAULT_PORTS:
        raise _mistake(text, "only http and https are crawled")
    authority, slash, path = rest.partition("/")
    host, port = _host_and_port(text, authority)
    if not slash:
        if host.endswith(_FILE_ENDINGS):
            raise _mistake(text, f"that names a host; for files write '/{authority}$'")
        path = ""
    elif not host and has_scheme:
        raise _mistake(text, "it has no host; write * for any")
    anchored = path.endswith("$")
    whole = _path(slash + path.removesuffix("$"))
    is_all = whole in {"", "/"} and not anchored
    pieces = () if is_all else star_pieces(whole)
    return UrlPattern(
        text, scheme=scheme.lower(), host=host, port=port, path=pieces, anchored=anchored
    )


def _check_text(text: str) -> None:
    if not text or len(text) > LONGEST_PATTERN:
        raise _mistake(text, f"it has 1 to {LONGEST_PATTERN} characters")
    if not text.isprintable() or " " in text:
        raise _mistake(text, "it has no spaces; write %20")
    if text.startswith("^") or "\\" in text or "(?" in text:
        raise _mistake(text, "regular expressions are not used; * stands for any characters")
    if "#" in text:
        raise _mistake(text, "what follows # is not part of the URLs that are asked for")


def _host_and_port(text: str, authority: str) -> tuple[str, str]:
    if "@" in authority:
        raise _mistake(text, "names and passwords are not part of the URLs that are asked for")
    found = re.fullmatch(r"(.*?)(?::([^:\]]*))?", authority)
    host, port = found.groups(default="") if found else (authority, "")
    if ":" in authority and not authority.endswith("]") and not _PORT.fullmatch(port):
        raise _mistake(text, f"{port!r} is not a port")
    if host in {"", "*"}:
        return "", port
    host = host.lower().rstrip(".")
    if "*" not in host:
        normal = normalise(f"http://{host}/")  # international names as they are sent
        host = split(normal).host if normal else ""
    if not _HOST.fullmatch(host):
        raise _mistake(text, f"{authority!r} is not a host")
    return host, port


def _path(text: str) -> str:
    octets = text if text.isascii() else text.encode().decode("latin-1")
    return tidy_escapes(re.sub(r"[\x80-\xff]", lambda found: f"%{ord(found[0]):02X}", octets))


def _mistake(text: str, what: str) -> UsageError:
    shown = text if len(text) <= 80 else f"{text[:80]}…"
    return UsageError(
        f"{shown!r} is not a pattern for URLs: {what}; examples are example.org,"
        " *.example.org/shop/ and /*.php$"
    )


class _PatternSet:
    """Patterns, found by the host where they name a plain one."""

    def __init__(self, patterns: Iterable[UrlPattern]) -> None:
        self._by_host: dict[str, list[UrlPattern]] = {}
        self._others: list[UrlPattern] = []
        for pattern in patterns:
            if not pattern.host or "*" in pattern.host:
                self._others.append(pattern)
            else:
                self._by_host.setdefault(pattern.host, []).append(pattern)
        self.of_host = lru_cache(_HOSTS_REMEMBERED)(self._of_host)

    def __bool__(self) -> bool:
        return bool(self._by_host or self._others)

    def _of_host(self, host: str) -> tuple[UrlPattern, ...]:
        named = [p for name in host_and_parents(host) for p in self._by_host.get(name, ())]
        return (*named, *(p for p in self._others if p.fits_host(host)))

    def find(self, url: str) -> UrlPattern | None:
        """The first that speaks of a normal URL."""
        parts = split(url)
        path = f"{parts.path}?{parts.query}" if "?" in url else parts.path
        for pattern in self.of_host(parts.host):
            if pattern.fits_rest(parts.scheme, parts.port, path):
                return pattern
        return None


class UrlRules:
    """The URLs that a crawl may ask for; what is excluded is excluded although it is included."""

    def __init__(self, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        """Read the patterns; without any to include, all URLs are.

        Raises:
            UsageError: with a line for each that is not a pattern.
        """
        mistakes = Mistakes()
        self._include = _PatternSet(_read_all(include, mistakes))
        self._exclude = _PatternSet(_read_all(exclude, mistakes))
        mistakes.complain()

    def __bool__(self) -> bool:
        return bool(self._include or self._exclude)

    def refusal(self, url: str) -> str | None:
        """The pattern that excludes a normal URL, or `NOT_INCLUDED`; None if it may be asked."""
        if self._exclude and (found := self._exclude.find(url)):
            return found.text
        if self._include and self._include.find(url) is None:
            return NOT_INCLUDED
        return None

    def admits(self, url: str) -> bool:
        """Whether a normal URL may be asked for."""
        return self.refusal(url) is None

    def excludes_host(self, host: str) -> bool:
        """Whether everything of a host is excluded."""
        return any(_is_whole(pattern) for pattern in self._exclude.of_host(host))

    def may_have_pages(self, host: str) -> bool:
        """Whether some page of a host may be asked for."""
        if self._include and not self._include.of_host(host):
            return False
        return not self.excludes_host(host)


def _is_whole(pattern: UrlPattern) -> bool:
    return not (pattern.path or pattern.port or pattern.scheme)


def _read_all(texts: Iterable[str], mistakes: Mistakes) -> Iterator[UrlPattern]:
    for text in texts:
        with mistakes.noted():
            yield read_pattern(text)


def read_pattern_lists(texts: Iterable[str]) -> tuple[str, ...]:
    """Patterns, with those of the files that are named as `@FILE` in their place.

    A file has one pattern on each line; empty lines and those that begin with # say nothing.

    Raises:
        UsageError: a file cannot be read.
    """
    found: list[str] = []
    for text in texts:
        if not text.startswith("@"):
            found.append(text)
            continue
        try:
            lines = Path(text[1:]).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"the list of patterns {text[1:]} cannot be read: {error}") from error
        found += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return tuple(found)
