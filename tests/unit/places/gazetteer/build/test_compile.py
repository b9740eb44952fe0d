import gzip
import lzma
from pathlib import Path

import pytest
from msgspec.structs import replace

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer import SqliteGazetteer
from geoscout_places.gazetteer.build.compile import build, kind_of
from geoscout_places.gazetteer.home import Sources
from geoscout_places.gazetteer.imports import import_file
from geoscout_places.model import Kind, Point

COLUMNS = {
    "areas": "id code name kind latitude longitude country population timezone codes names",
    "countries": "code iso3 name capital tld languages neighbours postal_regex continent",
    "landmarks": "id name kind latitude longitude country names",
    "places.all": (
        "id name latitude longitude country admin1 admin2 population timezone feature names"
    ),
    "postcodes": "country code place region latitude longitude names",
}
ROWS = {
    "areas": [
        "1 EU Europe continent 50 10 - 0 - - -",
        "2 AD Examplia country 50 10 AD 1000000 Europe/Test XAM Beispielland",
        "3 AD.01 North region 51 10 AD 500000 - N. -",
        "4 AD.01.11 Northshire district 51 10 AD 300000 - - -",
    ],
    "countries": ["AD XAM Examplia Capital .xa en - - EU"],
    "landmarks": ["-9 Testsea water 52 11 - -"],
    "places.all": [
        "10 Capital 51.0 10.0 AD 01 11 250000 Europe/Test PPLC Hauptstadt",
        "11 Oldtown 51.01 10.01 AD 01 11 9000 Europe/Test PPLX -",
        "12 Capital 49.0 10.0 AD - - 700 Europe/Test PPL -",
    ],
    "postcodes": ["AD 01100 Capital 01 51.02 10.0 -", "AD 01199 Nowhere 01 51.0 10.02 -"],
}


def write_tables(folder: Path) -> Sources:
    """A world of one country; a dash is an empty cell."""
    for table, columns in COLUMNS.items():
        rows = [["" if c == "-" else c for c in row.split()] for row in ROWS[table]]
        text = "".join("\t".join(row) + "\n" for row in [columns.split(), *rows])
        (folder / f"{table}.tsv.xz").write_bytes(lzma.compress(text.encode()))
    (folder / "demonyms.tsv").write_text("demonym\tarea\nExamplian\t2\n")
    return Sources(folder, use_extras=False)


@pytest.fixture
def small(tmp_path):
    (tmp_path / "data").mkdir()
    build(tmp_path / "small.sqlite", write_tables(tmp_path / "data"))
    return SqliteGazetteer(tmp_path / "small.sqlite")


def test_hierarchy_is_complete(small):
    capital = small.candidates("Hauptstadt")[0].place

    assert small.path(capital) == ["Europe", "Examplia", "North", "Northshire", "Capital"]


def test_larger_bearer_of_a_name_comes_first(small):
    assert [c.place.id for c in small.candidates("capital")] == [10, 12]


def test_neighbourhood_is_adopted_by_its_city(small):
    assert small.candidates("Oldtown")[0].place.parent == 10


def test_demonym_and_code_keep_their_role(small):
    assert small.candidates("Examplian")[0].role == "demonym"
    assert small.candidates("XAM")[0].role == "code"


def test_postal_code_finds_its_town_by_name_or_by_extent(small):
    assert [row.place_id for row in small.postcodes("AD", "01100")] == [10]
    assert [row.place_id for row in small.postcodes("AD", "01199")] == [10]


def test_broken_build_leaves_nothing(tmp_path):
    (tmp_path / "data").mkdir()
    sources = write_tables(tmp_path / "data")
    (tmp_path / "data" / "postcodes.tsv.xz").write_bytes(b"garbage")

    with pytest.raises(DamagedDataError, match="postcodes"):
        build(tmp_path / "out" / "small.sqlite", sources)

    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("step", ["automaton", "arrays", "done"])
def test_interrupted_build_leaves_nothing(tmp_path, step):
    (tmp_path / "data").mkdir()

    def interrupt(what: str, share: float) -> None:
        if what == step:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(tmp_path / "out" / "small.sqlite", write_tables(tmp_path / "data"), interrupt)

    assert list((tmp_path / "out").iterdir()) == []


def test_key_changes_with_the_sources(tmp_path):
    (tmp_path / "imports").mkdir()
    write_tables(tmp_path)
    sources = Sources(tmp_path, tmp_path / "imports", use_extras=False)
    before = sources.key()

    (tmp_path / "imports" / "mine.places.tsv.gz").write_bytes(b"x")

    assert sources.key() != before
    assert Sources(tmp_path, use_extras=False).key() == before


def build_with_import(folder: Path, file_name: str, content: str) -> SqliteGazetteer:
    (folder / "data").mkdir()
    (folder / file_name).write_text(content)
    write_tables(folder / "data")
    import_file(folder / file_name, folder / "home")
    build(
        folder / "b.sqlite", Sources(folder / "data", folder / "home" / "imports", use_extras=False)
    )
    return SqliteGazetteer(folder / "b.sqlite")


def geonames_line(id: int, name: str, feature: str, population: int) -> str:
    cells = [str(id), name, name, "", "51.2", "10.2", feature[0], feature[2:], "AD", "", "01", "11"]
    return "\t".join([*cells, "", "", str(population), "", "", "Europe/Test", "2024-01-01"]) + "\n"


def test_imported_places_join_the_hierarchy(tmp_path):
    lines = geonames_line(77, "Newtown", "P.PPL", 500) + geonames_line(3, "North", "A.ADM1", 9)

    built = build_with_import(tmp_path, "AD.txt", lines)

    town = built.candidates("Newtown")[0].place
    assert built.path(town) == ["Europe", "Examplia", "North", "Northshire", "Newtown"]
    assert [p.name for p in built.ancestors(town)][1] == "North"


def test_imported_streets_confirm_and_deny(tmp_path):
    built = build_with_import(
        tmp_path, "streets.csv", "street,city,country\nMain Street,Capital,AD\n"
    )

    capital = built.candidates("Hauptstadt")[0].place
    assert built.is_street("main street", capital) is True
    assert built.is_street("MAIN ST.", capital) is True
    assert built.is_street("Elm Street", capital) is False
    assert built.street_point("Main Street", "12", capital) is None


def test_houses_of_imported_streets_are_found_by_their_numbers(tmp_path):
    rows = ["street,number,city,country,lat,lon"]
    rows += [f"Main Street,{100 * block},Capital,AD,50.{block},10.5" for block in range(1, 6)]

    built = build_with_import(tmp_path, "streets.csv", "\n".join(rows) + "\n")

    capital = built.candidates("Hauptstadt")[0].place
    assert built.street_point("Main St", "203", capital) == Point(50.2, 10.5)
    assert built.street_point("Main St", "9000", capital) == Point(50.5, 10.5)
    assert built.street_point("Main St", "", capital) == Point(50.3, 10.5)
    assert built.street_point("Elm St", "203", capital) is None


def test_streets_of_a_county_are_found_in_its_towns_by_where_they_are(tmp_path):
    write_tables(tmp_path)
    (tmp_path / "imports").mkdir()
    header = "country\tregion\tdistrict\tcity\tpostcode\tlatitude\tlongitude\tstreet\tblock"
    rows = ["AD\t01\t11\t\t\t51.002\t10.003\tMain St\t", "AD\t01\t11\t\t\t51.9\t10.9\tElm St\t"]
    with gzip.open(tmp_path / "imports" / "mine.streets.tsv.gz", "wt") as file:
        file.write("\n".join([header, *rows]) + "\n")

    build(tmp_path / "b.sqlite", Sources(tmp_path, tmp_path / "imports", use_extras=False))

    built = SqliteGazetteer(tmp_path / "b.sqlite")
    capital = built.candidates("Hauptstadt")[0].place
    village = replace(capital, id=99, population=700, parent=4)
    for town in (capital, village):
        assert built.street_point("Main Street", "5", town) == Point(51.002, 10.003)
        assert built.is_street("Elm Street", town) is True
        assert built.street_point("Elm Street", "5", town) is None  # 117 km away


def test_imports_of_an_earlier_version_are_still_read(tmp_path):
    write_tables(tmp_path)
    (tmp_path / "imports").mkdir()
    header = "country\tregion\tdistrict\tcity\tpostcode\tlatitude\tlongitude\tstreet"
    row = "AD\t\t\tCapital\t\t\t\tMain Street"
    with gzip.open(tmp_path / "imports" / "mine.streets.tsv.gz", "wt") as file:
        file.write(f"{header}\n{row}\n")

    build(tmp_path / "b.sqlite", Sources(tmp_path, tmp_path / "imports", use_extras=False))

    built = SqliteGazetteer(tmp_path / "b.sqlite")
    assert built.is_street("Main Street", built.candidates("Hauptstadt")[0].place) is True


@pytest.mark.parametrize(
    ("feature", "kind"),
    [
        ("PPLX", Kind.NEIGHBOURHOOD),
        ("POST", Kind.CITY),
        ("PCLI", Kind.COUNTRY),
        ("ADM1", Kind.REGION),
        ("ADM4", Kind.DISTRICT),
        ("CONT", Kind.CONTINENT),
        ("RGN", Kind.AREA),
        ("LK", Kind.WATER),
        ("PK", Kind.LANDMARK),
    ],
)
def test_every_feature_has_a_kind(feature, kind):
    assert kind_of(feature) is kind
