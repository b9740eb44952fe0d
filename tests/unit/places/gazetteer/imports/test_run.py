"""An import makes a whole table or nothing, and says what was wrong with a file."""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geoscout_places.errors import GeoscoutError, ImportFileError, UsageError
from geoscout_places.gazetteer.imports import Rejection, import_file
from geoscout_places.gazetteer.imports.files import find_members
from geoscout_places.gazetteer.imports.run import (
    choose_format,
    distinct,
    name_import,
    prepare_folder,
    write_table,
)
from geoscout_places.gazetteer.tables import NameRow, PlaceRow, read_table
from tests.unit.places.gazetteer.imports.samples import (
    LISBON,
    MUNICH_LINK,
    MUNICH_NAME,
    NAMELESS_BROOK,
    OPENADDRESSES,
    ROADS,
    TAGUS,
    imported,
    make_dbf,
    make_shp,
    write_text,
    write_zip,
)


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


def read_lines(home: Path) -> list[str]:
    (table,) = imported(home)
    return gzip.decompress(table.read_bytes()).decode().splitlines()


def test_a_dump_in_an_archive_becomes_a_table(tmp_path, home):
    members = {"readme.txt": "about", "PT.txt": f"{LISBON}\n{NAMELESS_BROOK}\n{TAGUS}\n"}

    report = import_file(write_zip(tmp_path / "PT.zip", members), home)

    (table,) = imported(home)
    assert [row.name for row in read_table(table, PlaceRow)] == ["Lisbon", "Tagus"]
    assert (report.format, report.rows, report.left_out, report.rejected) == ("geonames", 2, 1, 0)
    assert report.tables == ("geonames-PT.places.tsv.gz",)


def test_a_report_can_be_written_as_json(tmp_path, home):
    file = write_text(tmp_path / "PT.txt", LISBON, TAGUS, "prose")

    report = import_file(file, home)

    assert json.loads(json.dumps(asdict(report)))["first_rejections"] == [
        {"line": 3, "reason": "1 tab-separated columns instead of 19", "member": ""}
    ]


def test_malformed_lines_are_counted_and_the_first_five_kept(tmp_path, home):
    bad = [LISBON.replace("38.71667", "north")] * 7

    report = import_file(write_text(tmp_path / "PT.txt", *[LISBON] * 8, *bad), home)

    assert report.rejected == 7
    assert [rejection.line for rejection in report.first_rejections] == [9, 10, 11, 12, 13]


def test_a_line_that_is_not_utf8_is_one_malformed_line(tmp_path, home):
    file = tmp_path / "PT.txt"
    latin = LISBON.replace("Lissabon", "Lisbõa").encode("latin-1", "replace")
    file.write_bytes(b"\xef\xbb\xbf" + f"{LISBON}\n".encode() + latin)

    report = import_file(file, home)

    assert (report.rows, report.first_rejections) == (1, (Rejection(2, "not UTF-8 text"),))


def test_rejections_in_an_archive_name_the_member(tmp_path, home):
    members = {"DE.txt": f"{LISBON}\n", "PT.txt": f"{LISBON}\n{LISBON}\nprose\n"}

    report = import_file(write_zip(tmp_path / "both.zip", members), home)

    assert report.first_rejections[0].member == "PT.txt"


def test_a_file_of_mostly_malformed_lines_is_refused_with_what_was_expected(tmp_path, home):
    file = write_text(tmp_path / "PT.txt", LISBON, "prose", "more prose")

    with pytest.raises(ImportFileError, match=r"2 of 3 lines are malformed.*Expected 19") as raised:
        import_file(file, home)

    assert "\n" not in str(raised.value)
    assert imported(home) == []


def test_a_file_of_another_format_is_refused_with_the_right_one(tmp_path, home):
    file = write_text(tmp_path / "names.txt", MUNICH_NAME, MUNICH_LINK)

    with pytest.raises(ImportFileError, match="looks like geonames-names"):
        import_file(file, home, "geonames")


def test_a_hopeless_file_is_given_up_early(tmp_path, home):
    file = write_text(tmp_path / "PT.txt", *["prose"] * 30_000)

    with pytest.raises(ImportFileError, match="10,000 of 10,000 lines"):
        import_file(file, home, "geonames")


def test_a_file_with_nothing_wanted_is_refused(tmp_path, home):
    with pytest.raises(ImportFileError, match="nothing to import"):
        import_file(write_text(tmp_path / "PT.txt", NAMELESS_BROOK), home)

    assert imported(home) == []


def test_the_same_name_replaces_an_import(tmp_path, home):
    import_file(write_text(tmp_path / "a.txt", LISBON), home, name="mine")

    import_file(write_text(tmp_path / "b.txt", TAGUS), home, name="mine")

    assert [line.split("\t")[1] for line in read_lines(home)] == ["name", "Tagus"]


def test_streets_are_written_once_each_and_sorted(tmp_path, home):
    text = f"{OPENADDRESSES}-122.2,37.8,1,ADELINE ST,,BERKELEY,,CA,94703,,a3"

    report = import_file(write_text(tmp_path / "berkeley.csv", text), home, "streets:US")

    streets = [line.split("\t")[-2] for line in read_lines(home)]
    assert streets == ["street", "ADELINE ST", "SHATTUCK AVE"]
    assert report.rows == 2


ADDRESSED = {"FULLNAME": "Milam St", "LFROMHN": "100", "LTOHN": "198", "ZIPL": "77002"}


def test_lines_of_tiger_tell_where_streets_are(tmp_path, home):
    name = "tl_2023_48201_addrfeat"
    lines = make_shp([[(29.7631, -95.3613), (29.7625, -95.3622), (29.7618, -95.3630)]])
    members = {f"{name}.dbf": make_dbf([ADDRESSED]), f"{name}.shp": lines}

    import_file(write_zip(tmp_path / f"{name}.zip", members), home, "tiger")

    rows = [line.split("\t")[4:] for line in read_lines(home)[1:]]
    assert rows == [
        ["77002", "29.762", "-95.363", "Milam St", "9"],
        ["77002", "29.763", "-95.361", "Milam St", "5"],
    ]


def test_a_road_without_numbers_has_all_its_spots(tmp_path, home):
    file = tmp_path / "tl_2023_06037_roads.dbf"
    file.write_bytes(make_dbf(ROADS, deleted=1))
    line = [(34.1, -118.3), (34.1001, -118.3001), (34.11, -118.31)]
    file.with_suffix(".shp").write_bytes(make_shp([line, [(0.0, 0.0)], [(33.0, -118.0)]]))

    import_file(file, home)

    spots = [tuple(line.split("\t")[5:8]) for line in read_lines(home)[1:]]
    assert spots == [
        ("33.000", "-118.000", "Cañada Rd"),
        ("34.100", "-118.300", "Sunset Blvd"),
        ("34.110", "-118.310", "Sunset Blvd"),
    ]


@pytest.mark.parametrize("cut", [0, 50, 104, 130, -5])
def test_damaged_lines_leave_streets_without_coordinates(tmp_path, home, cut):
    name = "tl_2023_48201_addrfeat"
    lines = make_shp([[(29.7631, -95.3613), (29.7618, -95.3630)]])[:cut]
    members = {f"{name}.dbf": make_dbf([ADDRESSED]), f"{name}.shp": lines}

    report = import_file(write_zip(tmp_path / f"{name}.zip", members), home, "tiger")

    assert report.rows == 1
    assert read_lines(home)[1].split("\t")[4:] == ["77002", "", "", "Milam St", ""]


def test_a_folder_of_counties_becomes_one_table(tmp_path, home):
    counties = tmp_path / "counties"
    counties.mkdir()
    for code in ("06037", "36061"):
        name = f"tl_2023_{code}_roads"
        write_zip(counties / f"{name}.zip", {f"{name}.dbf": make_dbf(ROADS), f"{name}.prj": "x"})

    report = import_file(counties, home)

    assert (report.format, report.rows, report.left_out) == ("tiger", 4, 2)
    assert [line.split("\t")[1] for line in read_lines(home)[1:]] == ["CA", "CA", "NY", "NY"]


def test_progress_goes_from_nothing_to_all(tmp_path, home):
    file = write_text(tmp_path / "PT.txt", *[LISBON] * 50_000)
    seen: list[tuple[int, int]] = []

    import_file(file, home, progress=lambda done, total: seen.append((done, total)))

    size = file.stat().st_size
    assert seen[0] == (0, size)
    assert seen[-1] == (size, size)
    assert seen == sorted(seen)
    assert len(seen) > 3


class StoppedError(Exception):
    """Raised by a test in the middle of an import."""


def test_an_import_that_is_stopped_leaves_nothing(tmp_path, home):
    file = write_text(tmp_path / "PT.txt", *[LISBON] * 50_000)

    def stop(done: int, _total: int) -> None:
        if done:
            raise StoppedError

    with pytest.raises(StoppedError):
        import_file(file, home, progress=stop)

    assert [entry for entry in home.rglob("*") if entry.is_file()] == []


KILLED = """
import os, signal, sys
from pathlib import Path
from geoscout_places.gazetteer.imports import import_file

def kill(done, total):
    if done:
        os.kill(os.getpid(), signal.SIGKILL)

import_file(Path(sys.argv[1]), Path(sys.argv[2]), progress=kill)
"""


def test_an_import_that_is_killed_leaves_nothing_to_see_and_the_next_removes_it(tmp_path, home):
    import_file(write_text(tmp_path / "PT.txt", TAGUS), home)
    before = read_lines(home)
    file = write_text(tmp_path / "PT.txt", *[LISBON] * 50_000)
    killed = subprocess.run([sys.executable, "-c", KILLED, str(file), str(home)], check=False)

    assert killed.returncode == -signal.SIGKILL
    assert read_lines(home) == before
    assert len(list(home.rglob("*.part"))) == 1
    report = import_file(file, home)
    files = [entry.name for entry in home.rglob("*") if entry.is_file()]
    assert files == list(report.tables)


def test_a_format_is_found_by_its_name_and_keeps_its_option(tmp_path):
    chosen, option = choose_format("streets:US.CA", [], tmp_path)

    assert (chosen.name, option) == ("streets", "US.CA")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("geoname", "did you mean 'geonames'"),
        ("shapefile", "geonames-postcodes, tiger, streets"),
    ],
)
def test_an_unknown_format_gets_the_nearest_one_or_the_list_of_all(name, said):
    with pytest.raises(UsageError, match=said):
        choose_format(name, [], Path("x"))


def test_a_file_of_no_format_is_refused_with_the_list_of_all(tmp_path):
    file = write_text(tmp_path / "letter.txt", "Dear reader,")

    with pytest.raises(ImportFileError, match="no known format"):
        choose_format(None, find_members(file), file)


def test_a_written_table_is_read_by_the_builder_and_is_the_same_each_time(tmp_path):
    prepare_folder(tmp_path)
    file, count = write_table(tmp_path, "mine", "names", ["1\ten\tMunich\tp"])
    second, _ = write_table(tmp_path, "b", "names", ["1\ten\tMunich\tp"])

    assert count == 1
    assert list(read_table(file, NameRow)) == [NameRow("1", "en", "Munich", "p")]
    assert file.read_bytes() == second.read_bytes()


def test_a_table_that_fails_half_way_leaves_the_old_one(tmp_path):
    prepare_folder(tmp_path)
    file, _ = write_table(tmp_path, "mine", "names", ["1\ten\told\t"])

    def broken() -> Iterator[str]:
        yield "1\ten\tnew\t"
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        write_table(tmp_path, "mine", "names", broken())

    assert b"old" in gzip.decompress(file.read_bytes())
    assert [entry.name for entry in file.parent.iterdir()] == [file.name]


def test_what_a_dead_process_left_is_removed_and_what_a_live_one_writes_is_not(tmp_path):
    imports = prepare_folder(tmp_path)
    dead = imports / ".mine.names.999999999.part"
    live = imports / f".mine.names.{os.getpid()}.part"
    dead.touch()
    live.touch()

    prepare_folder(tmp_path)

    assert list(imports.iterdir()) == [live]


def test_a_home_that_cannot_be_written_or_vanished_is_an_error_of_ours(tmp_path):
    home = tmp_path / "home"
    home.touch()
    with pytest.raises(GeoscoutError, match="cannot make"):
        prepare_folder(home)
    with pytest.raises(GeoscoutError, match="cannot write"):
        write_table(tmp_path / "none", "mine", "names", [])


def test_an_import_is_called_by_format_and_file():
    name = name_import("geonames", Path("/data/all Countries.v2.zip"), None)

    assert name == "geonames-all-Countries"


@pytest.mark.parametrize("name", ["", "a.b", "../up", "a/b", "ä", "x" * 81])
def test_a_name_that_is_no_file_name_is_refused(name):
    with pytest.raises(UsageError, match="letters, digits"):
        name_import("geonames", Path("PT.txt"), name)


@given(lines=st.lists(st.sampled_from("abcdefgh")), most=st.integers(1, 5))
def test_each_line_comes_once_and_in_order(lines, most):
    folder = Path(tempfile.gettempdir())

    assert list(distinct(lines, folder, most)) == sorted(set(lines))


def test_nothing_is_left_in_the_folder(tmp_path):
    lines = distinct((str(number) for number in range(100)), tmp_path, 10)

    next(lines)

    assert list(tmp_path.iterdir()) == []
    assert len(list(lines)) == 99
