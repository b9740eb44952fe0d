"""Reads databases of IP addresses in MaxMind's format (`.mmdb`).

The reading is MaxMind's own library. It is an extra because only `--ip-locations` needs it; see
docs/why/libraries.md. This module turns its errors into ours: a file that users downloaded may be
cut short or be something else.
"""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from geoscout.errors import DamagedDataError
from geoscout.extras import import_extra

if TYPE_CHECKING:
    from maxminddb import Reader

# What the library raises for damaged files, besides its own InvalidDatabaseError: the library in C
# and the one in Python differ, and both were tried on some thousands of damaged files.
_SIGNS_OF_DAMAGE = (ValueError, TypeError, LookupError, SystemError, RecursionError)


class IpDatabase:
    """An open MaxMind DB file.

    Raises:
        DamagedDataError: it is not such a file.
        UsageError: the library that reads it is not installed.
    """

    def __init__(self, path: Path) -> None:
        maxminddb = import_extra("a MaxMind DB file", "ip-locations", "maxminddb")
        self._damage = (maxminddb.InvalidDatabaseError, *_SIGNS_OF_DAMAGE)
        try:
            self._reader: Reader = maxminddb.open_database(path)
            self._version = self._reader.metadata().ip_version
        except OSError as error:
            raise DamagedDataError(f"address database {path} cannot be read: {error}") from error
        except self._damage as error:
            raise DamagedDataError(f"{path} is not a MaxMind DB file: {error}") from error

    def close(self) -> None:
        self._reader.close()

    def find(self, address: str) -> Any:
        """The record of an address; None when there is none, or it is not an address.

        Raises:
            DamagedDataError: what should be a record is not one.
        """
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return None
        if parsed.version > self._version:
            return None
        try:
            return self._reader.get(parsed)
        except self._damage as error:
            raise DamagedDataError(f"the address database is damaged: {error}") from error
