"""One suite for every import format, and what they have in common."""

from pathlib import Path

import pytest

from geoscout_places.gazetteer.imports import formats as checks
from geoscout_places.gazetteer.imports.files import MalformedLineError, Member, Sample
from geoscout_places.gazetteer.imports.formats import (
    ImportFormat,
    ImportRow,
    country_code,
    region_code,
)
from geoscout_places.gazetteer.imports.run import COLUMNS, FORMATS
from tests.conftest import PROJECT
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

every_format = pytest.mark.parametrize("chosen", FORMATS, ids=lambda chosen: chosen.name)


def read(chosen: ImportFormat, content: bytes) -> list[tuple[int, object]]:
    name, _ = FILES[chosen.name]
    return list(chosen.read(stream(content), Member(name, 0, Path(name)), ""))


def rows_of(chosen: ImportFormat) -> list[ImportRow]:
    found = (rows for _, rows in read(chosen, FILES[chosen.name][1]))
    return [row for rows in found if isinstance(rows, (list, tuple)) for row in rows]


@every_format
def test_a_file_is_recognised_by_its_own_format_only(chosen):
    sample = Sample(*FILES[chosen.name])

    assert next(other for other in FORMATS if other.recognises(sample)) is chosen


@every_format
def test_rows_have_the_columns_of_their_table_and_no_cell_breaks_its_line(chosen):
    rows = rows_of(chosen)

    assert {len(row) for row in rows} == {len(COLUMNS[chosen.table])}
    assert not set("\t\r\n") & set("".join(cell for row in rows for cell in row))


@every_format
def test_lines_come_in_order(chosen):
    numbers = [line for line, _ in read(chosen, FILES[chosen.name][1])]

    assert numbers == sorted(numbers)


@every_format
@pytest.mark.parametrize("junk", [b"", b"\n\n", b"\x00\xff" * 400, b"prose\n" * 30, b'"\n"\n'])
def test_junk_gives_no_rows_and_no_error(chosen, junk):
    found = [rows for _, rows in read(chosen, junk)]

    assert all(isinstance(rows, MalformedLineError) or not rows for rows in found)
    assert not chosen.recognises(Sample("file.bin", junk))


@every_format
def test_every_format_says_what_it_expects_and_has_a_section_in_the_documentation(chosen):
    text = (PROJECT / "docs" / "gazetteer-import.md").read_text(encoding="utf-8")

    assert len(chosen.expects) > 40
    assert f"\n## `{chosen.name}`\n" in text


@pytest.mark.parametrize(("table", "columns"), COLUMNS.items())
def test_every_column_of_a_table_is_documented(table, columns):
    text = (PROJECT / "docs" / "gazetteer-import.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith(f"| `{table}` |")]

    assert [column for column in columns if column not in line] == []


@pytest.mark.parametrize(
    ("latitude", "longitude"),
    [("91", "0"), ("0", "-180.1"), ("nan", "0"), ("inf", "0"), ("north", "0"), ("", "")],
)
def test_coordinates_off_the_globe_are_malformed(latitude, longitude):
    with pytest.raises(MalformedLineError, match="coordinates"):
        checks.check_coordinates(latitude, longitude)


@pytest.mark.parametrize("text", ["", "-1", "1.5", "x", "٣"])
def test_only_plain_digits_are_a_number(text):
    with pytest.raises(MalformedLineError, match="not a whole number"):
        checks.check_number(text, "id")


@pytest.mark.parametrize("text", ["", "D", "de", "DEU", "D1", "ÖÄ"])
def test_only_two_capital_letters_are_a_country(text):
    with pytest.raises(MalformedLineError, match="two-letter code"):
        checks.check_country(text)


def test_spaces_in_a_name_are_made_single():
    assert checks.check_name("  San \t José\n") == "San José"


@pytest.mark.parametrize("text", ["", " \t", "a" * 201, "bell\x07"])
def test_what_cannot_be_a_name_is_malformed(text):
    with pytest.raises(MalformedLineError):
        checks.check_name(text)


def test_a_long_bad_cell_is_shortened_in_the_reason():
    with pytest.raises(MalformedLineError) as raised:
        checks.check_number("x" * 1000, "id")

    assert len(str(raised.value)) < 80


@pytest.mark.parametrize(
    "junk", ["", "X", "LYS", "UNESCO"[:5], "www.paris.fr", "http://a.b", "75001", "a|b", "niu yue"]
)
def test_junk_is_no_alternate_name(junk):
    assert not checks.is_alternate(junk)


@pytest.mark.parametrize("name", ["L'Aquila", "თბილისი", "東京", "القاهرة", "’s-Gravenhage", "Årø"])
def test_names_in_any_script_are_alternate_names(name):
    assert checks.is_alternate(name)


def test_alternates_are_joined_once_each_and_without_the_main_name():
    joined = checks.join_alternates("Lyon", ["Lione", "Lyon", "LYS", " Lione", "Лион"])

    assert joined == "Lione|Лион"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("de", "DE"), ("Germany", "DE"), ("DEUTSCHLAND", "DE"), ("DEU", "DE"), ("USA", "US"),
        ("Österreich", "AT"), ("", ""), ("Atlantis", ""),
    ],
)  # fmt: skip
def test_a_country_is_found_by_code_name_and_abbreviation(text, code):
    assert country_code(text) == code


@pytest.mark.parametrize(
    ("country", "text", "code"),
    [
        ("US", "CA", "CA"), ("US", "ca", "CA"), ("US", "California", "CA"), ("US", "Calif.", "CA"),
        ("DE", "NI", "06"), ("CA", "ON", "08"), ("CA", "Québec", "10"), ("DE", "Bayern", "02"),
        ("PE", "Cajamarca", "06"), ("PE", "Departamento de Cajamarca", "06"),
        ("DE", "California", ""), ("US", "Province of", ""), ("US", "", ""),
    ],
)  # fmt: skip
def test_a_region_is_found_by_code_name_and_abbreviation_in_its_country(country, text, code):
    assert region_code(country, text) == code
