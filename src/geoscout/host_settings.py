"""What a user sets for single hosts: how long to pause, how many pages, which header fields.

    [hosts."example.org"]
    delay_seconds = 10
    pages = 500

A name stands for the host and all hosts below it. Where several speak of a host, each value is
that of the nearest name that sets it. Fields with credentials are refused: geoscout reads what
everybody may read, and its archive and index would show to others what only an account may see.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache

from geoscout.url_patterns import host_and_parents
from geoscout_places.errors import SettingsError
from geoscout_places.urls import normalise, split

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CREDENTIALS = re.compile(r"auth|cookie|token|key|session|secret|passw|credential", re.IGNORECASE)
# Those that tell who we are, or that we write ourselves to bound and to understand responses.
_OURS = frozenset({
    "accept-encoding", "connection", "content-length", "content-type", "expect", "from", "host",
    "http2-settings", "if-match", "if-modified-since", "if-none-match", "if-range",
    "if-unmodified-since", "keep-alive", "proxy-connection", "range", "te", "trailer",
    "transfer-encoding", "upgrade", "user-agent", "via", "forwarded", "x-forwarded-for",
})  # fmt: skip
_HOSTS_REMEMBERED = 50_000


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
        """Whether a host is not asked at all."""
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
