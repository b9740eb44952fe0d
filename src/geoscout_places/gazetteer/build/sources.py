"""Where the rows of a build come from: shipped tables, installed extras, the user's imports.

Also gives the key that names the compiled file: as long as nothing in the sources changes the key
stays, so a start can tell in a millisecond whether the file it finds is still right.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

from msgspec import Struct

from geoscout_places.gazetteer import extras, tables

IMPORTS_FOLDER = "imports"
BuildProgress = Callable[[str, float], None]  # what is being done, the share of the build done
# The code that shapes the compiled file: a change in it is a change of the file.
# below gazetteer/
_SHAPING = (
    "arrays/file.py",
    "arrays/layout.py",
    "automaton.py",
    "names.py",
    "schema.py",
    "street_names.py",
    "build/arrays.py",
    "build/compile.py",
    "build/links.py",
    "build/trie.py",
    "build/villages.py",
    "build/writer.py",
)
_LANGUAGES = Path(__file__).parents[2] / "language"


def name_tables() -> Iterator[bytes]:
    """The table [names] of each shipped language: the automaton is compiled with its words.

    Cut out of the files, because parsing them takes a twentieth of a start.
    """
    for path in sorted(_LANGUAGES.glob("*.toml")):
        yield path.read_bytes().partition(b"\n[names]\n")[2].partition(b"\n[")[0]


class Sources(Struct, frozen=True):
    """The tables one build reads, in the order in which they win."""

    data: Path
    imports: Path | None = None
    use_extras: bool = True

    def key(self) -> str:
        """Changes with any source, by name, size and time, and with the code that builds."""
        digest = hashlib.blake2b(digest_size=8)
        for module in _SHAPING:
            digest.update((Path(__file__).parents[1] / module).read_bytes())
        for table in name_tables():
            digest.update(table)
        for path in self._files():
            stat = path.stat()
            imported = stat.st_mtime_ns if path.parent == self.imports else 0
            digest.update(f"{path.name} {stat.st_size} {imported};".encode())
        for extra in self._extras():
            stat = extra.file.stat()
            digest.update(f"{extra.name} {stat.st_size} {stat.st_mtime_ns};".encode())
        return digest.hexdigest()

    def describe(self) -> dict[str, str]:
        """What the build was made from, for `geoscout gazetteer info`."""
        imported = [p.name for p in self._files() if p.parent == self.imports]
        return {
            "extras": ", ".join(extra.name for extra in self._extras()) or "none",
            "imports": ", ".join(imported) or "none",
        }

    def areas(self) -> Iterator[tables.AreaRow]:
        return tables.read_table(self.data / "areas.tsv.xz", tables.AreaRow)

    def countries(self) -> Iterator[tables.CountryRow]:
        return tables.read_table(self.data / "countries.tsv.xz", tables.CountryRow)

    def demonyms(self) -> Iterator[tables.DemonymRow]:
        return tables.read_table(self.data / "demonyms.tsv", tables.DemonymRow)

    def landmarks(self) -> Iterator[tables.LandmarkRow]:
        return self._read("landmarks", tables.LandmarkRow)

    def places(self) -> Iterator[tables.PlaceRow]:
        yield from self._read("places", tables.PlaceRow)
        for extra in self._extras():
            yield from extra.places()

    def names(self) -> Iterator[tables.NameRow]:
        return self._read("names", tables.NameRow)

    def postcodes(self) -> Iterator[tables.PostcodeRow]:
        """Extras first: a full postcode's own town and point are better than a part's.

        Last those without coordinates, which get those of their town.
        """
        found = self._extras()
        for extra in found:
            yield from extra.postcodes() if extra.is_located else ()
        yield from self._read("postcodes", tables.PostcodeRow)
        for extra in found:
            yield from extra.postcodes() if not extra.is_located else ()

    def streets(self) -> Iterator[tables.StreetRow]:
        return self._read("streets", tables.StreetRow)

    def _read(self, table: str, row_type: type[tables.RowType]) -> Iterator[tables.RowType]:
        files = [p for p in self._files() if self._table_of(p) == table]
        return chain.from_iterable(tables.read_table(path, row_type) for path in files)

    def _table_of(self, path: Path) -> str:
        """Shipped tables are called TABLE.PART.tsv.xz, imported ones NAME.TABLE.tsv.gz."""
        return path.name.split(".")[1 if path.parent == self.imports else 0]

    def _extras(self) -> tuple[extras.Extra, ...]:
        return extras.available() if self.use_extras else ()

    def _files(self) -> list[Path]:
        imported = self.imports.glob("*.tsv.gz") if self.imports else ()
        return [*sorted(self.data.glob("*.tsv*")), *sorted(imported)]
