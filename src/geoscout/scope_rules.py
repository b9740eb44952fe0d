"""Which URLs a crawl may ask for: patterns that a user writes for hosts and paths.

A pattern is a host and a path as robots.txt writes one, because users know that: `example.org`,
`*.example.org/shop/`, `/*.php$`. It is not a regular expression: the pieces between its stars are
looked for from the left, one after the other, so no pattern and no URL takes more than their
lengths. Patterns of plain hosts are found by the host, so that a list of 100,000 of them costs a
URL no more than a short one.

What a user sets for single hosts: how long to pause, how many pages, which header fields.

    [hosts."example.org"]
    delay_seconds = 10
    pages = 500

A name stands for the host and all hosts below it. Where several speak of a host, each value is
that of the nearest name that sets it. Fields with credentials are refused: geoscout reads what
everybody may read, and its archive and index would show to others what only an account may see.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from geoscout_places.errors import Mistakes, SettingsError, UsageError
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
        return any(not (p.path or p.port or p.scheme) for p in self._exclude.of_host(host))

    def may_have_pages(self, host: str) -> bool:
        """Whether some page of a host may be asked for."""
        if self._include and not self._include.of_host(host):
            return False
        return not self.excludes_host(host)


def _read_all(texts: Iterable[str], mistakes: Mistakes) -> Iterator[UrlPattern]:
    for text in texts:
        with mistakes.noted():
            yield read_pattern(text)


def read_pattern_lists(texts: Iterable[str]) -> tuple[str, ...]:
    """Patterns, with those of the files that are named as `@FILE` in their place.

    A file has one pattern on each line; empty lines and those that begin with # say nothing.
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


_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CREDENTIALS = re.compile(r"auth|cookie|token|key|session|secret|passw|credential", re.IGNORECASE)
# Those that tell who we are, or that we write ourselves to bound and to understand responses.
_OURS = frozenset({
    "accept-encoding", "connection", "content-length", "content-type", "expect", "from", "host",
    "http2-settings", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "keep-alive", "proxy-connection", "range", "te", "trailer",
    "transfer-encoding", "upgrade", "user-agent", "via", "forwarded", "x-forwarded-for",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class HostSettings:
    """The settings of one name; None: not set."""

    host: str = ""
    delay_seconds: float | None = None  # in place of the setting of that name
    pages: int | None = None  # in place of `pages_per_host`; 0: no limit
    headers: tuple[tuple[str, str], ...] | None = None  # sent with every request
    off: bool | None = None  # the host is not asked at all


_VALUES = tuple(field.name for field in fields(HostSettings) if field.name != "host")


class HostTable:
    """The settings of hosts by their names."""

    def __init__(self, settings: Sequence[HostSettings] = ()) -> None:
        self._named = {entry.host: entry for entry in settings}
        self.of = lru_cache(_HOSTS_REMEMBERED)(self._of)

    def __bool__(self) -> bool:
        return bool(self._named)

    def _of(self, host: str) -> HostSettings:
        found = HostSettings(host)
        for name in host_and_parents(host):
            entry = self._named.get(name)
            if entry is not None:
                missing = {v: getattr(entry, v) for v in _VALUES if getattr(found, v) is None}
                found = replace(found, **missing)
        return found

    def is_off(self, host: str) -> bool:
        return bool(self._named) and bool(self.of(host).off)

    def pages_of(self, host: str) -> int | None:
        """The pages that a host may give; None where nothing is set for it."""
        return self.of(host).pages


def read_host_settings(value: object, origin: str) -> tuple[HostSettings, ...]:
    """The settings in a table of tables, by name of the host.

    Raises:
        SettingsError: a key or a value that is not one of theirs.
    """
    if isinstance(value, tuple):
        return value
    if not isinstance(value, Mapping):
        raise SettingsError(
            f'{origin}: hosts is a table in a settings file, such as [hosts."example.org"]'
        )
    return tuple(_read_host(name, table, origin) for name, table in value.items())


def _read_host(name: str, table: object, origin: str) -> HostSettings:
    where = f"{origin}: hosts.{name!r}"
    normal = normalise(f"http://{name}/")
    host = split(normal).host if normal else ""
    if not host or normal != f"http://{host}/":
        raise SettingsError(f"{where} is not the name of a host, such as 'example.org'")
    if not isinstance(table, Mapping):
        raise SettingsError(f"{where} is a table with {', '.join(_VALUES)}")
    for key in table:
        if key not in _VALUES:
            raise SettingsError(f"{where} has no {key!r}; it has: {', '.join(_VALUES)}")
    return HostSettings(
        host,
        _seconds(table.get("delay_seconds"), where),
        _pages(table.get("pages"), where),
        _headers(table.get("headers"), where),
        _switch(table.get("off"), where),
    )


def _seconds(value: object, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise SettingsError(f"{where}: delay_seconds is a number of seconds, not {value!r}")
    return float(value)


def _pages(value: object, where: str) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise SettingsError(f"{where}: pages is a number, 0 for no limit, not {value!r}")
    return value


def _switch(value: object, where: str) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise SettingsError(f"{where}: off is true or false, not {value!r}")
    return value


def _headers(value: object, where: str) -> tuple[tuple[str, str], ...] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise SettingsError(f'{where}: headers is a table, such as {{ "Accept-Language" = "de" }}')
    for name, text in value.items():
        _check_header(name, text, where)
    return tuple(value.items())


def _check_header(name: str, text: object, where: str) -> None:
    if not _TOKEN.fullmatch(name) or not isinstance(text, str):
        raise SettingsError(f"{where}: {name!r} is not a header field with a text")
    if not text.isascii() or not text.isprintable():
        raise SettingsError(f"{where}: the field {name!r} has printable ASCII characters only")
    if _CREDENTIALS.search(name):
        raise SettingsError(
            f"{where}: {name!r} is refused: geoscout reads only what is there for everybody, so it"
            " sends no credentials (docs/how-to/scope-rules.md)"
        )
    if name.lower() in _OURS:
        raise SettingsError(f"{where}: the field {name!r} is set by geoscout itself")
