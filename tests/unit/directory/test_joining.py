"""Entries of a directory and objects of a map: which are the same, new or changed."""

import csv
import io
import random
from typing import Any

import orjson
from msgspec.structs import replace

from geoscout.cli.main import main
from geoscout.osm.records import OsmObject
from geoscout_directory.formats import as_card, as_schema_org, write_entries
from geoscout_directory.joining import join_entries
from geoscout_directory.merging import merge_entries
from geoscout_directory.opening import read_week
from geoscout_directory.records import DirectoryEntry, MapMatch, MapStatus
from geoscout_places.model import Point, Precision
from tests.unit.directory.test_merging import ADDRESS, SALON
from tests.unit.search.worlds import make_crawl, page

HERE = Point(48.1805, 11.2512)
STREET: dict[str, Any] = {"addr:street": "Augsburger Straße", "addr:housenumber": "2"}


def entry(**changed: Any) -> DirectoryEntry:
    return merge_entries([replace(SALON, **changed)])[0]


def thing(number: int, point: Point = HERE, **tags: Any) -> OsmObject:
    named = {key.replace("__", ":"): value for key, value in tags.items()}
    return OsmObject(id=f"node/{number}", tags={"shop": "hairdresser", **named}, point=point)


def house(number: int, point: Point = HERE, **tags: Any) -> OsmObject:
    named = {key.replace("__", ":"): value for key, value in tags.items()}
    return OsmObject(id=f"way/{number}", tags={**STREET, **named}, point=point)


def match(one: DirectoryEntry, *objects: OsmObject) -> MapMatch:
    (joined,) = join_entries([one], objects)
    assert joined.map is not None
    return joined.map


def test_name_and_address_make_the_same():
    found = match(entry(), thing(1, name="A2 Haar-Studio", **STREET))

    assert (found.status, found.osm_id) == (MapStatus.SAME, "node/1")
    assert "same address" in found.why
    assert found.lacks == ("phone",)


def test_what_the_map_does_not_have_is_new():
    tenant = thing(1, name="Weber Bau", **STREET)
    branch = thing(2, Point(48.3, 11.5), name="A2 Haarstudio")

    assert match(entry(), tenant, branch) == MapMatch(status=MapStatus.NEW, located_by="node/1")
    assert match(entry()).status is MapStatus.NEW


def test_other_telephone_hours_and_website_are_changes():
    one = entry(hours="Mo-Fr 09:00-18:00", website="http://neu.example/")
    found = match(
        one,
        thing(1, name="A2 Haarstudio", phone="+49 8141 1234567", website="http://alt.example/",
              opening_hours="Mo-Th 09:00-18:00; Fr 9:00-20:00; PH off", **STREET),
    )  # fmt: skip

    assert found.status is MapStatus.CHANGED
    assert [change.field for change in found.changes] == ["phone", "website", "opening_hours"]
    assert found.changes[0].on_pages == "+498141526077"


def test_the_same_hours_in_other_words_are_no_change():
    one = entry(hours="Mo-Fr 09:00-18:00; Su off")
    hours = "Mo,Tu,We,Th,Fr 9:00-18:00; PH off"

    assert match(one, thing(1, name="A2 Haarstudio", opening_hours=hours, **STREET)).changes == ()
    assert read_week("Mo-Fr sunrise-sunset") is None


def test_a_new_name_with_the_old_telephone_and_house_is_a_change():
    found = match(entry(), thing(1, name="Salon Ella", phone="08141 526077", **STREET))

    assert [(c.field, c.in_map) for c in found.changes] == [("name", "Salon Ella")]


def test_what_has_moved_is_found_by_its_telephone():
    old: dict[str, Any] = {"addr:street": "Am Markt", "addr:housenumber": "9"}
    found = match(entry(), thing(1, name="A2 Haarstudio", phone="+498141526077", **old))

    assert [(c.field, c.in_map) for c in found.changes] == [("address", "Am Markt 9")]
    assert found.located_by == ""  # the point of the old house is not taken


def test_what_the_map_calls_closed_is_a_change():
    closed = OsmObject(
        id="node/1",
        tags={"disused:shop": "hairdresser", "name": "A2 Haarstudio", **STREET},
        point=HERE,
    )

    assert [change.field for change in match(entry(), closed).changes] == ["closed"]


def test_the_number_of_a_chain_says_little():
    branches = [
        thing(n, Point(48.18 + n / 100, 11.25), name="A2 Haarstudio", phone="+498141526077",
              **{**STREET, "addr:housenumber": str(50 + n)})
        for n in range(4)
    ]  # fmt: skip

    assert match(entry(), *branches).status is MapStatus.NEW


def test_of_two_that_agree_as_much_none_is_taken():
    one, other = (thing(n, Point(48.18 + n / 50, 11.25), name="A2 Haarstudio") for n in (0, 1))
    phone = replace(one, tags={**one.tags, "phone": "+498141526077"})
    twin = replace(other, tags={**other.tags, "phone": "+498141526077"})

    assert match(entry(), phone).osm_id == "node/0"
    assert match(entry(), phone, twin).status is MapStatus.NEW


def test_the_point_is_that_of_the_object_or_of_its_house():
    (by_object,) = join_entries([entry()], [thing(1, name="A2 Haarstudio", **STREET)])
    (by_house,) = join_entries([entry()], [house(7)])
    (kept,) = join_entries([entry(address=replace(ADDRESS, precision=Precision.HOUSE))], [house(7)])

    assert (by_object.point, by_object.precision) == (HERE, Precision.HOUSE)
    assert by_house.point == HERE
    assert by_house.map == MapMatch(status=MapStatus.NEW, located_by="way/7")
    assert kept.point == ADDRESS.point


def test_houses_of_one_address_far_apart_give_no_point():
    far = Point(48.2, 11.3)
    (unsure,) = join_entries([entry()], [house(7), house(8, far)])
    (sure,) = join_entries([entry()], [house(7), house(8, far, addr__postcode="82256")])

    assert unsure.precision is Precision.POSTCODE
    assert sure.point == far


def test_an_entry_without_an_address_takes_that_of_the_map():
    objects = [thing(1, name="A2 Haarstudio", phone="+498141526077", **STREET)]
    (joined,) = join_entries([entry(address=None)], objects)

    assert joined.street_line == "Augsburger Straße 2"
    assert joined.point == HERE


def test_the_result_does_not_depend_on_the_order_of_the_map():
    objects = [thing(n, name=f"A2 Haarstudio {n % 3}", **STREET) for n in range(9)]
    objects += [house(n) for n in range(3)]
    expected = join_entries([entry()], objects)
    for seed in range(5):
        random.Random(seed).shuffle(objects)

        assert join_entries([entry()], objects) == expected


def test_every_format_says_what_the_map_has_if_there_is_one():
    objects = [thing(1, name="A2 Haarstudio", phone="+49 8141 1234567", **STREET)]
    joined = join_entries([entry()], objects)

    def written(format: str, *, with_map: bool = True) -> str:
        stream = io.BytesIO()
        write_entries(lambda: joined if with_map else [entry()], format, stream, joined=with_map)
        return stream.getvalue().decode()

    (row,) = csv.DictReader(io.StringIO(written("csv")))
    whole = orjson.loads(written("jsonl"))["osm"]
    assert (row["osm_id"], row["osm_status"]) == ("node/1", "changed")
    assert row["osm_changes"] == "phone: +49 8141 1234567 → +498141526077"
    assert (whole["status"], whole["changes"][0]["map"]) == ("changed", "+49 8141 1234567")
    assert as_schema_org(joined[0])["sameAs"] == "https://www.openstreetmap.org/node/1"
    assert "X-OSM-STATUS:changed" in as_card(joined[0])
    assert orjson.loads(written("geojson"))["features"][0]["properties"]["osm_id"] == "node/1"
    assert "osm" not in written("csv", with_map=False)


def test_the_command_lists_what_is_new_and_what_has_changed(tmp_path, geoparser, settings, capsys):
    inn = page("Corner Inn", "12 Main Street, Lubbock, TX 79403", "Phone 806-765-4321")
    shop = page("Blue Door Bakery", "34 Main Street, Lubbock, TX 79403")
    make_crawl(tmp_path, [("http://a.example/", inn), ("http://b.example/", shop)], geoparser)
    tags = {"name": "Corner Inn", "amenity": "bar", "phone": "+1 806 765 0000",
            "addr:street": "Main St", "addr:housenumber": "12"}  # fmt: skip
    element = {"type": "node", "id": 5, "lat": 33.6, "lon": -101.83, "tags": tags}
    map_file = tmp_path / "map.json"
    map_file.write_bytes(orjson.dumps({"elements": [element]}))
    asked = ["directory", str(tmp_path), "--home", settings.home]

    assert main([*asked, "--osm", str(map_file)]) == 0
    told = capsys.readouterr()
    assert "changed: phone  node/5" in told.out
    assert "0 same, 1 changed, 1 new; 1 have the point of a house, 0 before" in told.err
    assert main([*asked, "--osm", str(map_file), "--set", "osm_status=new", "--explain"]) == 0
    told = capsys.readouterr()
    assert "Blue Door Bakery" in told.out
    assert "Corner Inn" not in told.out
    assert main([*asked, "--set", "osm_status=new"]) == 2
