"""Small files like those users have, made here so that a test shows its whole world."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from geoscout_places.gazetteer.home import IMPORTS_FOLDER

LISBON = (
    "2267057\tLisbon\tLisbon\tLIS,Lisboa,Lissabon,li si ben,http://x.org,Лиссабон"
    "\t38.71667\t-9.13333\tP\tPPLC\tPT\t\t14\t1106\t110655\t\t517802\t\t45\tEurope/Lisbon\t2022-11-07"
)
TAGUS = (
    "2262740\tTagus\tTagus\tTejo,Tajo\t38.66667\t-9.4\tH\tSTM\tPT\t\t14\t\t\t\t0\t\t1"
    "\tEurope/Lisbon\t2018-02-20"
)
NAMELESS_BROOK = (
    "1\tBrook\tBrook\t\t38.5\t-9.5\tH\tSTM\tPT\t\t14\t\t\t\t0\t\t1\tEurope/Lisbon\t2018-02-20"
)
MUNICH_NAME = "1560000\t2867714\ten\tMunich\t1\t\t\t\t\t"
MUNICH_LINK = "1560001\t2867714\tlink\thttps://en.wikipedia.org/wiki/Munich\t\t\t\t\t\t"
OLDENBURG_CODE = (
    "DE\t26121\tOldenburg\tNiedersachsen\tNI\t\t00\tOldenburg\t03403\t53.1432\t8.2141\t4"
)
ROADS = (
    {"LINEARID": "1104", "FULLNAME": "Sunset Blvd", "RTTYP": "M", "MTFCC": "S1200"},
    {"LINEARID": "1105", "FULLNAME": "", "RTTYP": "", "MTFCC": "S1400"},
    {"LINEARID": "1106", "FULLNAME": "Cañada Rd", "RTTYP": "M", "MTFCC": "S1400"},
)
OPENADDRESSES = (
    "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n"
    "-122.2,37.8,12,SHATTUCK AVE,,BERKELEY,,CA,94704,,a1\n"
    "-122.2,37.8,14,SHATTUCK AVE,,BERKELEY,,CA,94704,,a2\n"
)


def write_text(file: Path, *lines: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return file


def write_zip(file: Path, members: Mapping[str, bytes | str]) -> Path:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file


def imported(home: Path) -> list[Path]:
    """The tables in a home, in the order of their names."""
    return sorted((home / IMPORTS_FOLDER).glob("[!.]*.tsv.gz"))


def stream(text: str | bytes) -> io.BytesIO:
    return io.BytesIO(text.encode() if isinstance(text, str) else text)


def make_shp(lines: Sequence[Sequence[tuple[float, float]]]) -> bytes:
    """A shapefile of lines of latitudes and longitudes."""
    records = b""
    for number, line in enumerate(lines, start=1):
        degrees = b"".join(struct.pack("<2d", east, north) for north, east in line)
        content = struct.pack("<i32xiii", 3, 1, len(line), 0) + degrees
        records += struct.pack(">ii", number, len(content) // 2) + content
    return bytes(100) + records


def make_dbf(
    records: Sequence[Mapping[str, str]], *, encoding: str = "utf-8", deleted: int = -1
) -> bytes:
    """A dBASE III table of text columns, 30 bytes each; `deleted` is the index of such a record."""
    names = list(records[0])
    width = 30
    header = struct.pack(
        "<B3BIHH20x", 3, 123, 1, 1, len(records), 33 + 32 * len(names), 1 + width * len(names)
    )
    columns = b"".join(struct.pack("<11sc4xB15x", name.encode(), b"C", width) for name in names)
    rows = b"".join(
        (b"*" if index == deleted else b" ")
        + b"".join(record[name].encode(encoding).ljust(width) for name in names)
        for index, record in enumerate(records)
    )
    return header + columns + b"\r" + rows + b"\x1a"
