"""Every error geoscout raises on purpose, in one tree.

    GeoscoutError
    ├── UsageError             fix the input: a line for each mistake, exit status 2
    │   ├── SettingsError      a setting is unknown or has a value it cannot take
    │   ├── UnknownPlaceError  no place of that name; carries the nearest spellings
    │   ├── RegionError        a region that cannot be read
    │   ├── NoRoomError        a disk is full, here or of the server: make room
    │   └── ImportFileError    a file that is not what its format says
    ├── FetchError             a page could not be had; `kind` names the cause for the counts
    │   ├── TryLaterError      time-outs, resets, 429 and 5xx: ask again, perhaps not before a time
    │   └── NeverAgainError    refused by us or for good: too large, private address, robots
    ├── DatabaseLostError      the server that keeps the crawl does not answer: try later
    ├── FencedError            another process has taken over: stop, nothing was written
    └── DamagedDataError       never again with this file: rebuild it

The branches are what a caller can do about it, not where it happened. A `UsageError` goes to the
user from wherever it is raised: a docstring names it where somebody would not expect it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class GeoscoutError(Exception):
    """Anything geoscout raises on purpose."""


class UsageError(GeoscoutError):
    """The user can fix it; the message says what would have been right."""


class Mistakes:
    """Collects what the user can fix, so that all of it is told at once and not one by one."""

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self.lines = list(lines)

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Take a `UsageError` of the block, and go on after it."""
        try:
            yield
        except UsageError as error:
            self.lines += str(error).splitlines()

    def complain(self) -> None:
        """End here if there are any."""
        if self.lines:
            raise UsageError("\n".join(dict.fromkeys(self.lines)))


class SettingsError(UsageError):
    """A setting is unknown or has a value it cannot take."""


class NoRoomError(UsageError):
    """A disk is full, here or of the server that keeps the crawl."""


class UnknownPlaceError(UsageError):
    """The gazetteer has no place of that name."""

    def __init__(self, name: str, suggestions: Sequence[str] = ()) -> None:
        self.name = name
        self.suggestions = tuple(suggestions)
        hint = f"; did you mean {' or '.join(self.suggestions)}?" if suggestions else ""
        super().__init__(f"no place is called {name!r}{hint}")


class RegionError(UsageError):
    """A region description that cannot be read."""


class ImportFileError(UsageError):
    """A file that does not hold what its format says."""


class FetchError(GeoscoutError):
    """A page could not be had."""

    def __init__(self, kind: str, detail: str = "") -> None:
        self.kind = kind  # short and stable, such as "timeout": failures are counted by it
        super().__init__(f"{kind}: {detail}" if detail else kind)


class TryLaterError(FetchError):
    """The same request may succeed later."""

    def __init__(self, kind: str, detail: str = "", retry_after: float | None = None) -> None:
        self.retry_after = retry_after  # seconds the server asked for; None where it did not
        super().__init__(kind, detail)


class NeverAgainError(FetchError):
    """Asking again would not help or is not allowed."""


class DatabaseLostError(GeoscoutError):
    """The server that keeps the crawl does not answer; what was committed is safe."""


class FencedError(GeoscoutError):
    """Another process has taken over what this one held; nothing of this one is written."""


class DamagedDataError(GeoscoutError):
    """A data file that cannot be used and has to be built again."""


class DamagedIndexError(DamagedDataError):
    """A search index that cannot be used; it is made again from its crawl."""


def last_line(error: BaseException) -> str:
    """What went wrong, in one line; an error of another process has a whole traceback as text."""
    return (str(error).strip().splitlines() or [type(error).__name__])[-1]
