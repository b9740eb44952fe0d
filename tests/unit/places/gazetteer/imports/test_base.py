"""One suite for every import format."""

from __future__ import annotations

import pytest

from geoscout_places.gazetteer.imports.areas import AreaCodes
from geoscout_places.gazetteer.imports.base import Importer, ImportTask, Outcome, Rejection, Sample
from geoscout_places.gazetteer.imports.folder import COLUMNS
from geoscout_places.gazetteer.imports.formats import IMPORTERS
from tests.unit.places.gazetteer.imports.samples import (
    LISBON,
    MUNICH_LINK,
    MUNICH_NAME,
    OLDENBURG_CODE,
    OPENADDRESSES,
    ROADS,
    TAGUS,
    make_dbf,
    stream,
)

FILES: dict[str, tuple[str, bytes]] = {
    "geonames": ("PT.txt", f"{LISBON}\n{TAGUS}\n".encode()),
    "geonames-names": ("alternateNamesV2.txt", f"{MUNICH_NAME}\n{MUNICH_LINK}\n".encode()),
    "geonames-postcodes": ("DE.txt", f"{OLDENBURG_CODE}\n".encode()),
    "tiger": ("tl_2023_06037_roads.dbf", make_dbf(ROADS)),
    "streets": ("us/ca/berkeley.csv", OPENADDRESSES.encode()),
}

every_format = pytest.mark.parametrize("importer", IMPORTERS, ids=lambda importer: importer.name)


def read(importer: Importer, content: bytes, areas: AreaCodes) -> list[Outcome]:
    member, _ = FILES[importer.name]
    return list(importer.read(stream(content), ImportTask(member, areas)))


@every_format
def test_a_file_is_recognised_by_its_own_format_only(importer: Importer) -> None:
    sample = Sample(*FILES[importer.name])

    first = next(other for other in IMPORTERS if other.recognises(sample))

    assert first is importer


@every_format
def test_rows_have_the_columns_of_their_table(importer: Importer, areas: AreaCodes) -> None:
    outcomes = read(importer, FILES[importer.name][1], areas)

    widths = {len(row) for outcome in outcomes for row in outcome.rows}
    assert widths == {len(COLUMNS[importer.table])}


@every_format
def test_no_cell_breaks_its_line(importer: Importer, areas: AreaCodes) -> None:
    outcomes = read(importer, FILES[importer.name][1], areas)

    text = "".join(cell for outcome in outcomes for row in outcome.rows for cell in row)
    assert not set("\t\r\n") & set(text)


@every_format
def test_lines_come_in_order(importer: Importer, areas: AreaCodes) -> None:
    numbers = [outcome.line for outcome in read(importer, FILES[importer.name][1], areas)]

    assert numbers == sorted(numbers)


@every_format
@pytest.mark.parametrize("junk", [b"", b"\n\n", b"\x00\xff" * 400, b"prose\n" * 30, b'"\n"\n'])
def test_junk_gives_no_rows_and_no_error(importer: Importer, junk: bytes, areas: AreaCodes) -> None:
    outcomes = read(importer, junk, areas)

    assert not any(outcome.rows for outcome in outcomes)
    assert not importer.recognises(Sample("file.bin", junk))


@every_format
def test_what_it_expects_can_be_told_to_a_user(importer: Importer) -> None:
    assert len(importer.expects) > 40


def test_a_rejection_reads_as_a_sentence() -> None:
    assert str(Rejection(3, "name is empty")) == "line 3: name is empty"
    assert str(Rejection(3, "name is empty", "DE.txt")) == "DE.txt, line 3: name is empty"
