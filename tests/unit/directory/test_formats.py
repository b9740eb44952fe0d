"""Entries in every format."""

import csv
import io

import orjson
from msgspec.structs import replace

from geoscout_directory.formats import ENTRY_FORMATS, write_entries
from geoscout_directory.merging import merge_entries
from geoscout_directory.records import DirectoryEntry
from tests.unit.directory.test_merging import SALON

ENTRY: DirectoryEntry = merge_entries(
    [replace(SALON, name="Haar; Salon, Ü", mails=("a@b.example",), hours="Mo 09:00-12:00; Su off",
             categories=("shop=hairdresser",), website="http://salon.example/")]
)[0]  # fmt: skip


def written(format: str) -> bytes:
    stream = io.BytesIO()
    write_entries(lambda: [ENTRY], format, stream)
    return stream.getvalue()


def test_csv_has_one_line_for_an_entry():
    (row,) = csv.DictReader(io.StringIO(written("csv").decode()))

    assert row["name"] == "Haar; Salon, Ü"
    assert (row["lat"], row["postcode"], row["pages"]) == ("48.18", "82256", "1")
    assert row["phones"] == "'+498141526077"  # no spreadsheet takes it for a formula


def test_forms_of_json_have_a_point_who_said_what_and_words_of_schema_org():
    (feature,) = orjson.loads(written("geojson"))["features"]
    row = orjson.loads(written("jsonl"))
    (thing,) = orjson.loads(written("jsonld"))["@graph"]

    assert feature["geometry"]["coordinates"] == [11.25, 48.18]
    assert feature["properties"]["opening_hours"] == "Mo 09:00-12:00; Su off"
    assert row["phones"] == ["+498141526077"]
    assert row["said"][0]["url"] == "http://guide.example/1"
    assert row["merged"] == []
    assert thing["address"]["streetAddress"] == "Augsburger Str. 2"
    assert thing["openingHours"] == ["Mo 09:00-12:00"]
    assert thing["geo"]["latitude"] == 48.18


def test_card_is_escaped_and_folded():
    card = written("vcard")

    assert b"FN:Haar\\; Salon\\, \xc3\x9c\r\n" in card
    assert b"TEL;VALUE=uri:tel:+498141526077\r\n" in card
    assert max(map(len, card.split(b"\r\n"))) <= 75


def test_feed_has_an_entry_with_its_address_and_point_and_parquet_is_written():
    text = written("atom").decode()

    assert "<georss:point>" in text
    assert text.count("<entry>") == text.count("</entry>") > 0
    assert written("parquet").startswith(b"PAR1")
    assert set(ENTRY_FORMATS) == {"atom", "csv", "geojson", "parquet", "jsonl", "jsonld", "vcard"}
