"""Words for the people of a place: countries by the CIA World Factbook, the rest by hand.

The Factbook writes them with their plural ("Irishman(men), Irishwoman(women)"); the table
holds singulars and adjectives, and its reader adds the plural. Places are given by their
GeoNames id, because "AF" is Africa as well as Afghanistan.
"""

import re
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.derive.countries import Area
from tools.derive.pins import COUNTRY_FACTS
from tools.derive.sources import Library, SourceError
from tools.derive.tables import read_curated

_QUERY = """
    SELECT noun, adjective, alpha2 FROM country_demonym
    JOIN country ON country.id = country_id WHERE country_demonym.language_code = 'en'
"""
_REMARK = re.compile(r"\s*\([^)]*\)|; note.*")
_SEPARATOR = re.compile(r",? or |[,;/]\s*")
_NOT_A_DEMONYM = re.compile(r"NA|.* Islanders")


def read_demonyms(library: Library, areas: Iterable[Area]) -> list[tuple[str, str]]:
    """Pairs of demonym and GeoNames id, sorted; a demonym may belong to several places."""
    ids = {_key(area): str(area.id) for area in areas}
    pairs = set(_curated_pairs(ids))
    own = {word for word, _ in pairs}
    dropped = {(word, ids[code]) for word, code in read_curated("not_demonyms.tsv")}
    data = library.read(COUNTRY_FACTS, "pyworldatlas/data/atlas.sqlite3")
    for noun, adjective, code in query_sqlite(data, _QUERY):
        words = split_terms(noun or "", adjective or "") - own
        pairs.update((word, ids[code]) for word in words if code in ids)
    return sorted(pairs - dropped)


def _key(area: Area) -> str:
    return f"continent {area.code}" if area.kind == "continent" else area.code


def _curated_pairs(ids: dict[str, str]) -> Iterator[tuple[str, str]]:
    for word, place in read_curated("demonyms.tsv"):
        if not place.isdigit() and place not in ids:
            raise SourceError(f"demonyms.tsv: no area {place}")
        yield word, place if place.isdigit() else ids[place]


def split_terms(*texts: str) -> set[str]:
    """The single words or phrases in the Factbook's notation.

    >>> sorted(split_terms("Croat(s), Croatian(s)", "Croatian"))
    ['Croat', 'Croatian']
    """
    words = {word.strip() for text in texts for word in _SEPARATOR.split(_REMARK.sub("", text))}
    return {word for word in words if word and not _NOT_A_DEMONYM.fullmatch(word)}


def query_sqlite(data: bytes, query: str) -> list[tuple[str, ...]]:
    """The rows of a query on a database given as bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "source.sqlite3"
        path.write_bytes(data)
        connection = sqlite3.connect(path)
        try:
            return connection.execute(query).fetchall()
        finally:
            connection.close()
