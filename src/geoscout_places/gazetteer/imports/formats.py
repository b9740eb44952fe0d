"""What an import format is, the checks that several make, and the codes of countries and regions.

A format says which files it recognises and turns their records into rows of one of geoscout's own
tables. It counts nothing, writes nothing and shows no progress: `run` does that once for all of
them. One format fills one table, so that one rename makes an import visible.

GeoNames' postal files say "NI" or "Niedersachsen", OpenAddresses "Calif." or "ON", where the
gazetteer says DE.06, US.CA and CA.08. The shipped table of areas knows all these names, so the
user's own spelling is settled here, once, and the builder compares codes only.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import BinaryIO, NamedTuple

from geoscout_places.gazetteer.imports.files import (
    ImportRecord,
    MalformedLineError,
    Member,
    Numbered,
    Sample,
)
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.tables import DATA_FOLDER, AreaRow, read_table

_LONGEST_NAME = 200
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
# Digits are in no usable alternate name but in many junk ones: codes, addresses, dates.
_SOUND = re.compile(r"[^\d@#<>_={}\[\]\\|\"“”?*:\x00-\x1f\x7f\ufffd]{2,60}")
_ABBREVIATION = re.compile(r"[A-Z]{1,5}")
_AFTER_LATIN = "\u0250"
# What a division is called may be part of its name in one source and not in the other.
_DIVISION_WORDS = frozenset(
    """
    canton county departamento departement department depto distrito district do estado governorate
    judetul ken maakond municipality nov oblast parish prefecture province provincia provincie
    region republic state territories territory to vilayeti voivodeship de del di du of the
    """.split()
)

ImportRow = tuple[str, ...]  # the cells of one line, in the order of its table's columns
# The rows of each record: none when it is sound but not wanted, an error when it is malformed.
ImportRows = Numbered[Sequence[ImportRow]]


class ImportFormat(NamedTuple):
    """One format of files that users have."""

    name: str
    table: str  # that it fills
    expects: str  # what a sound file looks like, for the user whose file is not
    recognises: Callable[[Sample], bool]  # whether a file of this look is of this format
    # Of an opened member; the text is the option that the user wrote after the name and a colon.
    # Raises a UsageError when the option makes no sense.
    read: Callable[[BinaryIO, Member, str], ImportRows]


def parse_each(
    records: Numbered[ImportRecord], parse: Callable[[ImportRecord], Sequence[ImportRow]]
) -> ImportRows:
    """Parse numbered records; one that could not even be cut out or decoded is an error already."""
    for line, record in records:
        try:
            yield line, record if isinstance(record, MalformedLineError) else parse(record)
        except MalformedLineError as error:
            yield line, error


def check_columns(cells: list[str], fewest: int, most: int) -> None:
    """Raise unless the number of cells is right."""
    if not fewest <= len(cells) <= most:
        wanted = str(most) if fewest == most else f"{fewest} to {most}"
        raise MalformedLineError(f"{len(cells)} tab-separated columns instead of {wanted}")


def check_number(text: str, what: str) -> str:
    """A whole number without a sign, as it stands."""
    if not (text.isascii() and text.isdigit()):
        raise MalformedLineError(f"{what} {shorten(text)!r} is not a whole number")
    return text


def check_country(text: str) -> str:
    """An ISO 3166 alpha-2 code, as it stands."""
    if not (len(text) == 2 and text.isascii() and text.isalpha() and text.isupper()):
        raise MalformedLineError(f"country {shorten(text)!r} is not a two-letter code")
    return text


def check_name(text: str, what: str = "name") -> str:
    """A text without control characters, with single spaces, and of a name's length."""
    is_plain = text.isprintable() and "  " not in text
    name = text.strip() if is_plain else " ".join(text.split())
    if not name:
        raise MalformedLineError(f"{what} is empty")
    if len(name) > _LONGEST_NAME or (not is_plain and _CONTROL.search(name)):
        raise MalformedLineError(f"{what} {shorten(name)!r} is not a name")
    return name


def check_coordinates(latitude: str, longitude: str) -> tuple[str, str]:
    """WGS 84 degrees, with the four decimals that all tables have.

    >>> check_coordinates("38.716667", "-9.13333")
    ('38.7167', '-9.1333')
    """
    try:
        north, east = float(latitude), float(longitude)
    except ValueError:
        north = east = float("nan")
    # Written so that "nan" fails too.
    if not (-90 <= north <= 90 and -180 <= east <= 180):
        found = f"{shorten(latitude)!r}, {shorten(longitude)!r}"
        raise MalformedLineError(f"coordinates {found} are not degrees of latitude and longitude")
    return f"{north:.4f}", f"{east:.4f}"


def is_alternate(name: str) -> bool:
    """Whether an untagged alternate name is one that people write.

    Sources mix in airport codes, web addresses and transliterations syllable by syllable; these
    would turn ordinary words into places.

    >>> [is_alternate(name) for name in ("Ausbourg", "lai sai si ka er", "LYS", "Лион")]
    [True, False, False, True]
    """
    return (
        _SOUND.fullmatch(name) is not None
        and not (name[0] < _AFTER_LATIN and name == name.lower())
        and not (len(name) <= 5 and _ABBREVIATION.fullmatch(name))
        and "www." not in name
    )


def join_alternates(main: str, names: Iterable[str]) -> str:
    """The usable names besides the main one, each once, joined by |."""
    return "|".join({name.strip(): "" for name in names if name != main and is_alternate(name)})


def shorten(text: str) -> str:
    """Enough of a bad cell to recognise it by."""
    return text if len(text) <= 30 else f"{text[:30]}…"


def country_code(text: str) -> str:
    """The ISO 3166 alpha-2 code of a country; "" when unknown."""
    return region_code("", text)


@lru_cache(maxsize=10_000)  # a file has few regions and repeats them on every line
def region_code(country: str, text: str) -> str:
    """GeoNames' first-level code, such as "CA" or "06", without the country; "" if unknown."""
    folded = fold(text)
    codes = _codes() if folded else {}
    return codes.get((country, folded)) or codes.get((country, _core(folded)), "")


@cache  # reading the table takes a second, and several formats and extras ask for it
def _codes() -> Mapping[tuple[str, str], str]:
    """Country and folded spelling to code; countries stand below the empty country.

    A code wins over an abbreviation, that over a name and that over a further name: "CA" is
    California before it is anything else. Last comes the name without words such as "Province".
    """
    ranked: list[dict[tuple[str, str], str]] = [{}, {}, {}, {}, {}]
    for row in read_table(DATA_FOLDER / "areas.tsv.xz", AreaRow):
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
