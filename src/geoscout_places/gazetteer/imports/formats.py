"""The formats an import knows, and how the right one is found.

Other packages add formats by the entry points `geoscout.imports`; `create()` returns an `Importer`.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from geoscout_places.errors import ImportFileError, UsageError
from geoscout_places.gazetteer.imports.base import Importer
from geoscout_places.gazetteer.imports.geonames import (
    AlternateNames,
    GeonamesDump,
    GeonamesPostalCodes,
)
from geoscout_places.gazetteer.imports.source import Member
from geoscout_places.gazetteer.imports.streets import StreetList
from geoscout_places.gazetteer.imports.tiger import TigerLine
from geoscout_places.plugins import load_plugins

GROUP = "geoscout.imports"  # of the entry points

# In the order in which they are tried: a TIGER table would pass for a street list.
# They are a list and not entry points because entry points have no order.
IMPORTERS: tuple[Importer, ...] = (
    GeonamesDump(),
    AlternateNames(),
    GeonamesPostalCodes(),
    TigerLine(),
    StreetList(),
)


def importers() -> tuple[Importer, ...]:
    """All formats in the order in which they are tried.

    Those of other packages come first: a list of streets looks like many a table.
    """
    return (*(module.create() for module in load_plugins(GROUP).values()), *IMPORTERS)


def find_importer(name: str) -> Importer:
    """The format of this name.

    Raises:
        UsageError: there is none; the message lists those there are.
    """
    known = {importer.name: importer for importer in importers()}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}" if near else f"formats are {', '.join(known)}"
    raise UsageError(f"no import format is called {name!r}; {hint}")


def detect(members: Sequence[Member]) -> Importer | None:
    """The format of the first member that is of any."""
    formats = importers()
    for member in members:
        sample = member.sample()
        for importer in formats:
            if importer.recognises(sample):
                return importer
    return None


def choose_format(
    format: str | None, members: Sequence[Member], path: Path
) -> tuple[Importer, str]:
    """The format with its option: as the user wrote them, or from the look of the file.

    Raises:
        UsageError: there is no format of that name.
        ImportFileError: no format is given and the file is of none.
    """
    if format is not None:
        name, _, option = format.partition(":")
        return find_importer(name), option
    found = detect(members)
    if found is None:
        known = ", ".join(importer.name for importer in importers())
        raise ImportFileError(f"{path} is of no known format ({known}); name one with --format")
    return found, ""


def wanted_members(importer: Importer, members: Sequence[Member]) -> Sequence[Member]:
    """The members of the format; all of them when none looks like it, for `run` to judge."""
    recognised = [member for member in members if importer.recognises(member.sample())]
    return recognised or members
