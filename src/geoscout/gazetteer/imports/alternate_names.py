"""GeoNames' table of alternate names: `alternateNamesV2`, or the older one without dates.

Here, unlike in the dump, a name says its language and whether it is preferred, short, colloquial
or historic. Links, codes and historic names are left out: nobody finds a page of today by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO, ClassVar

from geoscout.gazetteer.imports.base import ImportRow, ImportTask, Outcome, Sample, parse_each
from geoscout.gazetteer.imports.checks import (
    check_columns,
    check_name,
    check_number,
    is_alternate,
)
from geoscout.gazetteer.imports.text import read_lines

_FEWEST_COLUMNS, _MOST_COLUMNS = 8, 10
# GeoNames' pseudo-languages of what is no name: links, postal and airport codes, phonetics, the
# French names of the revolution.
_NOT_NAMES = frozenset(
    {"link", "wkdt", "post", "iata", "icao", "faac", "tcid", "unlc", "phon", "fr_1793"}
)
_ABBREVIATION = "abbr"
_FLAGS = {4: "p", 5: "s", 6: "c"}  # column and flag: preferred, short, colloquial
_HISTORIC_COLUMN = 7


class AlternateNames:
    """Further names of places, by GeoNames id."""

    name: ClassVar[str] = "geonames-names"
    table: ClassVar[str] = "names"
    expects: ClassVar[str] = (
        "8 to 10 tab-separated columns, as in alternateNamesV2.txt of GeoNames: "
        "id of the name, id of the place, language, name, four flags …"
    )

    def recognises(self, sample: Sample) -> bool:
        return any(
            _FEWEST_COLUMNS <= len(cells) <= _MOST_COLUMNS
            and cells[0].isdigit()
            and cells[1].isdigit()
            for cells in sample.lines
        )

    def read(self, stream: BinaryIO, task: ImportTask) -> Iterator[Outcome]:  # noqa: ARG002 - no options
        return parse_each(read_lines(stream), parse_name)


def parse_name(line: str) -> Sequence[ImportRow]:
    """The row of a line, or none when it is no name in use today.

    Raises:
        MalformedLineError: the line is no line of an alternate-names table.
    """
    cells = line.split("\t")
    check_columns(cells, _FEWEST_COLUMNS, _MOST_COLUMNS)
    check_number(cells[0], "id of the name")
    place = check_number(cells[1], "id of the place")
    language = cells[2]
    if language in _NOT_NAMES or cells[_HISTORIC_COLUMN] == "1":
        return ()
    name = check_name(cells[3], "alternate name")
    if language == _ABBREVIATION:
        return ((place, "", name, "a"),)
    if not is_alternate(name):
        return ()
    flags = "".join(flag for column, flag in _FLAGS.items() if cells[column] == "1")
    return ((place, language, name, flags),)
