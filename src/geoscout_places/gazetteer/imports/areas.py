"""Turns what a file calls a country or a region into the codes of the gazetteer.

GeoNames' postal files say "NI" or "Niedersachsen", OpenAddresses "Calif." or "ON", where the
gazetteer says DE.06, US.CA and CA.08. The shipped table of areas knows all these names, so the
user's own spelling is settled here, once, and the builder compares codes only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from pathlib import Path

from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import DATA_FOLDER, AreaRow, read_table

# What a division is called may be part of its name in one source and not in the other.
_DIVISION_WORDS = frozenset(
    """
    canton county departamento departement department depto distrito district do estado governorate
    judetul ken maakond municipality nov oblast parish prefecture province provincia provincie
    region republic state territories territory to vilayeti voivodeship de del di du of the
    """.split()
)


class AreaCodes:
    """Looks up codes of countries and first-level regions; reads the table when first asked."""

    def __init__(self, table: Path) -> None:
        self._table = table
        self._known: dict[tuple[str, str], str] = {}

    def country(self, text: str) -> str:
        """The ISO 3166 alpha-2 code of a country; "" when unknown."""
        return self._find("", text)

    def region(self, country: str, text: str) -> str:
        """GeoNames' first-level code, such as "CA" or "06", without the country; "" if unknown."""
        return self._find(country, text)

    def _find(self, country: str, text: str) -> str:
        if not text:
            return ""
        key = country, text
        if key not in self._known:  # a file has few regions and repeats them on every line
            folded = fold(text)
            found = self._codes.get((country, folded)) or self._codes.get((country, _core(folded)))
            self._known[key] = found or ""
        return self._known[key]

    @cached_property
    def _codes(self) -> Mapping[tuple[str, str], str]:
        return index_codes(read_table(self._table, AreaRow))


@cache  # reading the table takes a second, and several formats and extras ask for it
def shipped_areas() -> AreaCodes:
    """The codes of the table that ships with geoscout."""
    return AreaCodes(DATA_FOLDER / "areas.tsv.xz")


def index_codes(rows: Iterable[AreaRow]) -> dict[tuple[str, str], str]:
    """Country and folded spelling to code; countries stand below the empty country.

    A code wins over an abbreviation, that over a name and that over a further name: "CA" is
    California before it is anything else. Last comes the name without words such as "Province".
    """
    ranked: list[dict[tuple[str, str], str]] = [{}, {}, {}, {}, {}]
    for row in rows:
        if row.kind not in ("country", "region"):
            continue
        around, _, code = row.code.rpartition(".")
        further = row.names.split("|")
        core = _core(fold(row.name))
        spellings = ((code,), row.codes.split("|"), (row.name,), further, (core,))
        for found, texts in zip(ranked, spellings, strict=True):
            for text in texts:
                if folded := fold(text):
                    found.setdefault((around, folded), code)
    return {key: code for found in reversed(ranked) for key, code in found.items()}


def _core(folded: str) -> str:
    return " ".join(word for word in folded.split() if word not in _DIVISION_WORDS)
