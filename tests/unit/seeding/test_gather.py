"""Seeds from every kind of file, for a town of the test gazetteer."""

import bz2
import gzip
import json
from pathlib import Path

import pytest

from geoscout.seeding.gather import RankedSeed, gather_seeds, hints_of
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer import Region
from tests.unit.lab.archives import write_archive

INSIDE, OUTSIDE = (53.14, 8.21), (48.14, 11.58)  # Oldenburg and Munich


@pytest.fixture(scope="module")
def region(gazetteer):
    return Region.parse("Oldenburg, Germany", gazetteer)


def feature(number: int, where: tuple[float, float], **tags: str) -> dict[str, object]:
    point = {"type": "Point", "coordinates": [where[1], where[0]]}
    return {"type": "Feature", "id": f"node/{number}", "geometry": point, "properties": tags}


def map_file(path: Path, *features: dict[str, object]) -> Path:
    path.write_text(json.dumps({"type": "FeatureCollection", "features": list(features)}))
    return path


def entity(name: str, website: str, where: tuple[float, float]) -> dict[str, object]:
    point = {"latitude": where[0], "longitude": where[1]}
    return {
        "type": "item",
        "id": "Q1",
        "labels": {"de": {"language": "de", "value": name}},
        "claims": {
            "P856": [{"mainsnak": {"datavalue": {"value": website}}, "rank": "normal"}],
            "P625": [{"mainsnak": {"datavalue": {"value": point}}, "rank": "normal"}],
        },
    }


def found(gazetteer, region: Region, *paths: Path) -> list[RankedSeed]:
    return gather_seeds(paths, gazetteer, region, most=10)


def urls(seeds: list[RankedSeed]) -> list[str]:
    return [seed.url for seed in seeds]


def test_websites_of_a_map_are_seeds_if_they_are_in_the_region(tmp_path, gazetteer, region):
    path = map_file(
        tmp_path / "a.geojson",
        feature(1, INSIDE, name="Café Klinge", amenity="cafe", website="cafe-klinge.example"),
        feature(2, OUTSIDE, name="Hofbräu", amenity="pub", website="https://hofbraeu.example/"),
    )

    (seed,) = found(gazetteer, region, path)

    assert seed.url == "http://cafe-klinge.example/"
    assert seed.reasons == ("1 in the region (OpenStreetMap: Café Klinge)",)


def test_chain_comes_after_a_shop_of_the_town_and_keeps_the_page_of_its_branch(
    tmp_path, gazetteer, region
):
    chain = [
        feature(n, OUTSIDE, name="Chain", shop="shoes", website=f"https://chain.example/{n}")
        for n in range(2)
    ]
    path = map_file(
        tmp_path / "a.geojson",
        *chain,
        feature(7, INSIDE, name="Chain", shop="shoes", website="https://chain.example/oldenburg/7"),
        feature(8, INSIDE, name="Shop", shop="shoes", website="https://shop.example/"),
    )

    seeds = found(gazetteer, region, path)

    assert urls(seeds) == ["https://shop.example/", "https://chain.example/oldenburg/7"]
    assert "2 elsewhere" in seeds[1].reasons[0]


def test_town_hall_comes_first(tmp_path, gazetteer, region):
    path = map_file(
        tmp_path / "a.geojson",
        feature(1, INSIDE, name="Shop", shop="shoes", website="https://shop.example/"),
        feature(2, INSIDE, name="Rathaus", amenity="townhall", website="https://stadt.example/"),
    )

    assert urls(found(gazetteer, region, path))[0] == "https://stadt.example/"


def test_things_that_are_closed_are_left_out(tmp_path, gazetteer, region):
    path = map_file(
        tmp_path / "a.geojson",
        feature(
            1, INSIDE, **{"name": "Shop", "disused:shop": "yes", "website": "https://a.example"}
        ),
    )

    assert found(gazetteer, region, path) == []


@pytest.mark.parametrize(
    ("name", "packed"), [("a.json.gz", gzip.compress), ("a.json.bz2", bz2.compress)]
)
def test_dump_of_wikidata_gives_the_websites_of_things_in_the_region(
    tmp_path, gazetteer, region, name, packed
):
    things = [
        entity("Landesmuseum", "https://museum.example/", INSIDE),
        entity("Frauenkirche", "https://kirche.example/", OUTSIDE),
    ]
    lines = "[\n" + ",\n".join(json.dumps(thing) for thing in things) + "\n]\n"
    (tmp_path / name).write_bytes(packed(lines.encode()))

    (seed,) = found(gazetteer, region, tmp_path / name)

    assert seed.url == "https://museum.example/"
    assert "Wikidata: Landesmuseum" in seed.reasons[0]


def test_answer_of_a_query_gives_websites_and_not_the_items_themselves(tmp_path, gazetteer, region):
    def row(website: str, point: str) -> dict[str, dict[str, str]]:
        item = "http://www.wikidata.org/entity/Q1"
        cells = {"item": item, "itemLabel": "Museum", "website": website, "coord": point}
        return {name: {"type": "literal", "value": value} for name, value in cells.items()}

    rows = [
        row("https://museum.example/", "Point(8.21 53.14)"),
        row("https://b.example/", "Point(11 48)"),
    ]
    path = tmp_path / "query.json"
    path.write_text(json.dumps({"head": {"vars": []}, "results": {"bindings": rows}}))

    assert urls(found(gazetteer, region, path)) == ["https://museum.example/"]


def test_lists_give_the_hosts_that_name_the_region(tmp_path, gazetteer, region):
    (tmp_path / "tranco.csv").write_text("1,google.com\n2,oldenburg-tourismus.de\n")
    (tmp_path / "de.zone").write_text(
        "; a zone\nkino-oldenburg.de.\t86400\tin\tns\ta.nic.de.\n"
        "kino-oldenburg.de. 86400 in ns b.nic.de.\n"
    )
    (tmp_path / "urls.txt").write_text(
        "https://example.org/oldenburg/hotels\nhttps://example.org/x\n"
    )

    seeds = found(gazetteer, region, *sorted(tmp_path.iterdir()))

    assert set(urls(seeds[:2])) == {"http://oldenburg-tourismus.de/", "http://kino-oldenburg.de/"}
    assert urls(seeds[2:]) == ["https://example.org/oldenburg/hotels"]


def test_index_of_an_archive_gives_pages_and_no_pictures(tmp_path, gazetteer, region):
    lines = [
        'de,kino-oldenburg)/ 2025 {"url": "https://kino-oldenburg.de/", "mime": "text/html"}',
        'de,bild-oldenburg)/a 2025 {"url": "https://bild-oldenburg.de/a", "mime": "image/png"}',
        'de,weg-oldenburg)/ 2025 {"url": "https://weg-oldenburg.de/", "status": "404"}',
        "damaged {",
    ]
    (tmp_path / "cdx-0001.gz").write_bytes(b"")
    path = tmp_path / "a.cdxj.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))

    assert urls(found(gazetteer, region, path)) == ["https://kino-oldenburg.de/"]


def test_pages_of_an_archive_are_told_by_urls_and_titles(tmp_path, gazetteer, region):
    path = write_archive(
        tmp_path / "pages.warc.gz",
        {
            "http://kino-oldenburg.example/": "<title>Programm</title>",
            "http://a.example/1": "<title>Hotels in Oldenburg</title>",
            "http://a.example.org/2": "<title>Hotels</title>",
        },
    )

    assert urls(found(gazetteer, region, path)) == [
        "http://kino-oldenburg.example/",
        "http://a.example/1",
    ]


def test_index_in_parquet_may_have_urls_or_hosts(tmp_path, gazetteer, region):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"url_host_name": ["kino-oldenburg.de", "example.de", None]})
    parquet.write_table(table, tmp_path / "hosts.parquet")
    other = pyarrow.table({"url": ["https://a.example/"], "title": ["Hotels in Oldenburg"]})
    parquet.write_table(other, tmp_path / "pages.parquet")

    seeds = found(gazetteer, region, tmp_path / "hosts.parquet", tmp_path / "pages.parquet")

    assert urls(seeds) == ["http://kino-oldenburg.de/", "https://a.example/"]


def test_places_of_overture_and_foursquare_say_where_they_are(tmp_path, gazetteer, region):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    center = region.areas[0].shapes[0].bounding_box
    x, y = (center.west + center.east) / 2, (center.south + center.north) / 2
    overture = [
        {"names": {"primary": "Inn"}, "websites": ["http://inn.example/"],
         "bbox": {"xmin": x, "ymin": y}},
        {"names": {"primary": "Far"}, "websites": ["http://far.example/"],
         "bbox": {"xmin": -x, "ymin": -y}},
        {"names": None, "websites": None, "bbox": {"xmin": x, "ymin": y}},
    ]  # fmt: skip
    foursquare = [{"name": "Café", "website": "cafe.example", "latitude": y, "longitude": x}]
    for name, rows in (("overture", overture), ("foursquare", foursquare)):
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / f"{name}.parquet")

    hints = [
        (hint.url, hint.title, hint.inside)
        for name in ("overture", "foursquare")
        for hint in hints_of(tmp_path / f"{name}.parquet", region)
    ]

    assert hints == [
        ("http://inn.example/", "Inn", True),
        ("http://far.example/", "Far", False),
        ("http://cafe.example/", "Café", True),
    ]


def test_geojson_of_overture_is_a_map_too(tmp_path, region):
    box = region.areas[0].shapes[0].bounding_box
    spot = [(box.west + box.east) / 2, (box.south + box.north) / 2]
    properties = {"names": {"primary": "Inn"}, "websites": ["http://inn.example/"]}
    feature = {"type": "Feature", "id": "08f2", "properties": properties,
               "geometry": {"type": "Point", "coordinates": spot}}  # fmt: skip
    path = tmp_path / "places.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))

    assert [(h.url, h.title, h.inside) for h in hints_of(path, region)] == [
        ("http://inn.example/", "Inn", True)
    ]


def test_parquet_without_a_column_of_urls_is_an_error(tmp_path, region):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table({"n": [1]}), tmp_path / "a.parquet")

    with pytest.raises(UsageError, match="no column url"):
        list(hints_of(tmp_path / "a.parquet", region))


def test_links_of_articles_about_the_region_are_seeds(tmp_path, gazetteer, region):
    (tmp_path / "dewiki-geo_tags.sql").write_text(
        "INSERT INTO `geo_tags` VALUES (1,12,'earth',1,53.14,8.21,NULL,'city','O\\'b',NULL),"
        "(2,13,'earth',1,48.14,11.58,NULL,NULL,NULL,NULL),(3,x,'earth',1,53.14,8.21,NULL),"
        f"(4,{5000 * '1'},'earth',1,53.14,8.21,NULL);\n"
    )
    (tmp_path / "dewiki-externallinks.sql").write_text(
        "INSERT INTO `externallinks` VALUES (1,12,'https://de.example.www.','/a(b),c\\'d'),"
        "(2,13,'https://de.other.',''),(3,12,'https://org.archive.web.','/x'),"
        f"(4,{5000 * '1'},'https://de.damaged.','');\n"
    )

    assert urls(found(gazetteer, region, *sorted(tmp_path.iterdir()))) == [
        "https://www.example.de/a(b),c'd"
    ]


def test_links_of_articles_need_the_places_of_articles(tmp_path, gazetteer, region):
    (tmp_path / "externallinks.sql").write_text("")

    with pytest.raises(UsageError, match=r"geo_tags\.sql\.gz"):
        found(gazetteer, region, tmp_path / "externallinks.sql")


_DAMAGED = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xff\xff not deflated"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b'{"head": {}, "results": 1}', "not the JSON of a SPARQL service"),
        ("a.geojson", b"not json", "is not GeoJSON"),
        ("a.txt.gz", b"not gzip", "cannot read"),
        ("a.txt.gz", _DAMAGED, "cannot read"),
        ("a.geojson.gz", _DAMAGED, "cannot"),
    ],
)
def test_damaged_files_are_told(tmp_path, gazetteer, region, name, content, message):
    (tmp_path / name).write_bytes(content)

    with pytest.raises(UsageError, match=message):
        found(gazetteer, region, tmp_path / name)


def test_file_that_is_missing_is_told_before_others_are_read(tmp_path, gazetteer, region):
    with pytest.raises(UsageError, match="there is no file"):
        found(gazetteer, region, tmp_path / "a.txt")


def test_more_evidence_makes_a_site_more_local(tmp_path, gazetteer, region):
    path = map_file(
        tmp_path / "a.geojson",
        feature(1, INSIDE, name="Kino", amenity="cinema", website="https://kino-oldenburg.de/"),
        feature(2, INSIDE, name="Bar", amenity="bar", website="https://bar.fr/"),
    )

    kino, bar = found(gazetteer, region, path)

    assert kino.reasons[1:] == ("the host names a place of the region", "domain of the country")
    assert bar.reasons[1:] == ("domain of another country",)
    assert kino.local > 1 > bar.local
