"""Reads what pages must be like from texts, as flags and addresses on the web have it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit

from geoscout.index.base import Evidence, PageFilters
from geoscout_places.errors import UsageError

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*")
_HOST = re.compile(
    r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*"
)
_SHOWN = 6  # languages in a note


@dataclass(frozen=True, slots=True)
class FilterTexts:
    """Filters as they are written; "" for none."""

    language: str = ""
    host: str = ""
    since: str = ""  # a day, or a time with its offset; without one it is in UTC
    before: str = ""
    dated_since: str = ""
    dated_before: str = ""
    evidence: str = ""


def read_filters(given: FilterTexts) -> PageFilters:
    """The filters that texts describe.

    Raises:
        UsageError: one of them cannot be read; the message says what would be right.
    """
    return PageFilters(
        language=_read_language(given.language),
        host=_read_host(given.host),
        since=_read_time("since", given.since),
        before=_read_time("before", given.before),
        dated_since=_read_time("dated-since", given.dated_since),
        dated_before=_read_time("dated-before", given.dated_before),
        evidence=_read_evidence(given.evidence),
    )


def note_on_language(filters: PageFilters, languages: Mapping[str, int]) -> str:
    """What to say of a language that no page has; "" where there is nothing to say."""
    code = re.split("[-_]", filters.language.lower())[0]
    if not code or code in languages:
        return ""
    known = sorted((c for c in languages if c), key=lambda c: (-languages[c], c))[:_SHOWN]
    return f"no page is in the language {code!r}; there are {', '.join(known) or 'none'}"


def _read_language(text: str) -> str:
    if text and not _LANGUAGE.fullmatch(text.strip()):
        raise UsageError(f"a language is a code such as 'de' or 'en', not {text!r}")
    return text.strip()


def _read_host(text: str) -> str:
    """The host of a name or URL.

    >>> _read_host("Museum.example"), _read_host("https://museum.example:8080/a")
    ('museum.example', 'museum.example')
    """
    given = text.strip().lower()
    try:
        host = (urlsplit(given).hostname or "") if "://" in given else given
    except ValueError:
        host = ""
    if given and not _HOST.fullmatch(host):
        raise UsageError(f"a host is a name such as 'www.museum.example', not {text!r}")
    return host


def _read_time(name: str, text: str) -> float | None:
    if not text.strip():
        return None
    try:
        time = datetime.fromisoformat(text.strip())
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{name} is a day such as 2026-01-31, not {text!r}") from error


def _read_evidence(text: str) -> Evidence | None:
    if not text.strip():
        return None
    try:
        return Evidence(text.strip().lower())
    except ValueError as error:
        kinds = ", ".join(Evidence)
        raise UsageError(f"evidence is one of {kinds}, not {text!r}") from error
