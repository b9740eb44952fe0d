"""The crawls and reports at the addresses that are served, looked at again from time to time.

Crawls begin and folders vanish while a server runs. Names are the last parts of addresses, made
different where they repeat; what has a name keeps it as long as it is there, because links to pages
have it.

The mappings are replaced and never changed, so requests in other threads can go on with one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from geoscout.state.base import holds_crawl, is_url, name_of
from geoscout_places.errors import UsageError

REPORT_FILE = "results.json"
_MOST_FOLDERS = 200  # looked at below one that was given

T = TypeVar("T")


class Shelf(Generic[T]):
    """What is at some addresses, by name; a crawl is what `make` makes of its name and address."""

    def __init__(self, addresses: Sequence[Path | str], make: Callable[[str, str], T]) -> None:
        """Look at the addresses.

        Raises:
            UsageError: at one of them is neither crawl nor report, nor an empty folder.
        """
        self._given = [str(at) if is_url(at) else str(Path(at).resolve()) for at in addresses]
        self._make = make
        self._looking = threading.Lock()
        self._names: dict[str, str] = {}  # of crawls, by address
        self.crawls: Mapping[str, T] = {}
        self.reports: Mapping[str, Path] = {}
        for given, address in zip(self._given, addresses, strict=True):
            _check(given, str(address))
        self.look()

    @property
    def room(self) -> Path | None:
        """The folder for new crawls: the first that was given and is not a crawl itself, if any."""
        folders = (Path(at) for at in self._given if not is_url(at))
        return next((at for at in folders if at.is_dir() and not _is_shown(str(at))), None)

    def look(self) -> bool:
        """Look at the addresses again; True when a crawl or a report has come or gone."""
        with self._looking:
            inside = list(dict.fromkeys(at for given in self._given for at in _inside(given)))
            names = _named((at for at in inside if holds_crawl(at)), self._names)
            reports = _named(at for at in inside if _is_report(at))
            is_new = names != self._names or list(reports.values()) != list(self.reports)
            if names != self._names:
                old = {at: self.crawls[name] for at, name in self._names.items()}
                self.crawls = {
                    name: old[at] if at in old else self._make(name, at)
                    for at, name in names.items()
                }
                self._names = names
            self.reports = {name: Path(at) for at, name in reports.items()}
            return is_new


def _check(given: str, as_written: str) -> None:
    if any(_is_shown(at) for at in _inside(given)) or _is_empty(given):
        return
    raise UsageError(f"there is no crawl in {as_written}, nor a report of `geoscout compare`")


def _inside(address: str) -> Iterator[str]:
    """An address, and the folders below it unless it is a crawl."""
    yield address
    if not is_url(address) and Path(address).is_dir() and not holds_crawl(address):
        children = sorted(path for path in Path(address).iterdir() if path.is_dir())
        yield from (str(child.resolve()) for child in children[:_MOST_FOLDERS])


def _is_shown(address: str) -> bool:
    return holds_crawl(address) or _is_report(address)


def _is_report(address: str) -> bool:
    return not is_url(address) and (Path(address) / REPORT_FILE).is_file()


def _is_empty(address: str) -> bool:
    """Whether it is a folder in which the first crawl can begin."""
    return not is_url(address) and Path(address).is_dir() and not any(Path(address).iterdir())


def _named(addresses: Iterable[str], known: Mapping[str, str] | None = None) -> dict[str, str]:
    """Names by address; those that are known stay, and the second of a name gets a number."""
    known = known or {}
    listed = list(addresses)
    taken = {known[at] for at in listed if at in known}
    named: dict[str, str] = {}
    for address in listed:
        first = name_of(address)
        name, number = first, 2
        while address not in known and name in taken:
            name, number = f"{first}-{number}", number + 1
        named[address] = known.get(address, name)
        taken.add(named[address])
    return named
