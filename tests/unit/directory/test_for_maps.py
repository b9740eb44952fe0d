"""What maps take: entries as All The Places has them, tasks, and facts of the first party."""

import base64
import hashlib
import io

import orjson
import pytest
from msgspec.structs import replace

from geoscout_directory.for_maps import OwnSites, as_place, write_map_format
from geoscout_directory.listing.finding import ListedEntry, SourcePage
from geoscout_directory.merging import make_entry
from geoscout_directory.records import MapChange, MapMatch, MapStatus, PageEntry
from geoscout_places.model import Precision
from tests.unit.directory.test_merging import SALON

DAY = 1_780_000_000.0  # 2026-05-28
OWN = replace(
    SALON,
    url="http://salon.example/kontakt",
    website="http://salon.example/",
    is_own=True,
    hours="Mo 09:00-12:00",
    categories=("shop=hairdresser",),
)
GUIDE = replace(SALON, url="http://guide.example/7", phones=("+4989999",), website="")


def listed(*said: PageEntry, match: MapMatch | None = None) -> ListedEntry:
    entry = replace(make_entry(said, ()), map=match)
    return ListedEntry(entry.id, entry, DAY, DAY)


def written(format: str, *entries: ListedEntry) -> bytes:
    stream = io.BytesIO()
    pages = {"http://salon.example/kontakt": SourcePage(1, DAY)}
    write_map_format(entries, lambda _id: pages, format, stream, "oldenburg")
    return stream.getvalue()


def test_a_file_of_all_the_places_names_its_spider_and_each_feature_by_hash():
    one = listed(OWN)
    document = orjson.loads(written("atp", one))
    (feature,) = document["features"]
    digest = hashlib.sha1(f"{one.id}geoscout_oldenburg".encode(), usedforsecurity=False).digest()

    assert document["dataset_attributes"]["@spider"] == "geoscout_oldenburg"
    assert document["dataset_attributes"]["spider:lineage"].startswith("S_ATP_")
    assert feature["id"] == base64.urlsafe_b64encode(digest).decode()
    assert feature["properties"]["ref"] == one.id


def test_facts_are_tags_with_their_page_and_day():
    (feature,) = orjson.loads(written("atp", listed(OWN)))["features"]
    tags = feature["properties"]

    assert (tags["shop"], tags["phone"]) == ("hairdresser", "+498141526077")
    assert (tags["addr:street"], tags["addr:postcode"]) == ("Augsburger Str.", "82256")
    assert tags["opening_hours"] == "Mo 09:00-12:00"
    assert tags["opening_hours:url"] == tags["source:name"] == "http://salon.example/kontakt"
    assert tags["check_date:opening_hours"] == tags["check_date"] == "2026-05-28"
    assert "email" not in tags  # what is unknown is left out


def test_only_exact_points_are_on_the_map():
    assert OWN.address is not None
    rough = replace(OWN, address=replace(OWN.address, precision=Precision.POSTCODE))
    exact = replace(OWN, address=replace(OWN.address, precision=Precision.HOUSE))
    features = orjson.loads(written("atp", listed(rough), listed(exact)))["features"]

    assert features[0]["geometry"] is None
    assert features[1]["geometry"]["coordinates"] == [11.25, 48.18]


def test_what_pages_contradict_is_marked():
    other = replace(OWN, url="http://salon.example/", hours="Mo 10:00-18:00")
    (feature,) = orjson.loads(written("atp", listed(OWN, other)))["features"]

    assert feature["properties"]["fixme"] == "pages disagree on hours"


def test_nothing_is_an_empty_collection():
    assert orjson.loads(written("atp"))["features"] == []


def test_a_task_says_what_the_map_has():
    change = MapChange("phone", "+49 1", "+49 2")
    changed = MapMatch(status=MapStatus.CHANGED, osm_id="node/7", changes=(change,))
    same = MapMatch(status=MapStatus.SAME, osm_id="node/8")
    lines = written("maproulette", listed(OWN, match=changed), listed(OWN, match=same)).split(b"\n")
    (feature,) = orjson.loads(lines[0].lstrip(b"\x1e"))["features"]

    assert lines[1:] == [b""]  # where the map says the same there is nothing to do
    assert feature["properties"]["@id"] == "node/7"
    assert feature["properties"]["map:phone"] == "+49 1"
    assert feature["geometry"]["type"] == "Point"


def test_the_first_party_is_the_thing_itself():
    entry = make_entry([OWN, GUIDE], ())
    reduced = OwnSites([entry]).reduced(entry)

    assert reduced is not None
    assert (reduced.id, reduced.phones) == (entry.id, OWN.phones)
    assert [said.url for said in reduced.said] == [OWN.url]


def test_a_guide_says_nothing_in_the_first_party():
    entry = make_entry([GUIDE], ())

    assert OwnSites([entry]).reduced(entry) is None


def test_a_website_of_many_names_is_a_list_and_one_of_branches_is_not():
    names = ("Haar Salon", "Gasthof Post", "Apotheke am Markt", "Zimmerei Huber")
    things = [make_entry([replace(OWN, name=name)], ()) for name in names]
    branches = [make_entry([replace(OWN, name=f"Haar Salon {n}")], ()) for n in "ABCDE"]

    assert all(OwnSites(things).reduced(entry) is None for entry in things)
    assert all(OwnSites(branches).reduced(entry) is not None for entry in branches)


def test_places_of_overture_are_geoparquet_with_nested_columns(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert OWN.address is not None
    exact = replace(OWN.address, precision=Precision.HOUSE, country="US", region="TX")
    apollo = replace(OWN, name="Zara", categories=("shop=clothes",), address=exact)
    (tmp_path / "places.parquet").write_bytes(written("overture", listed(apollo), listed(OWN)))
    table = parquet.read_table(tmp_path / "places.parquet")
    (place,) = table.to_pylist()  # one has no exact point

    assert place["names"]["primary"] == "Zara"
    assert place["brand"]["wikidata"] == "Q147662"
    assert place["addresses"][0]["region"] == "US-TX"
    assert [source["property"] for source in place["sources"]][:2] == ["", "/names"]
    assert (place["theme"], place["type"], place["version"]) == ("places", "place", 1)
    metadata = parquet.read_metadata(tmp_path / "places.parquet").metadata
    geo = orjson.loads(metadata[b"geo"])["columns"]["geometry"]
    assert geo["covering"]["bbox"]["xmin"] == ["bbox", "xmin"]


def test_places_of_overture_are_read_by_its_users(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    assert OWN.address is not None
    exact = replace(OWN, address=replace(OWN.address, precision=Precision.HOUSE))
    (tmp_path / "places.parquet").write_bytes(written("overture", listed(exact)))
    asked = (
        "SELECT names.primary, addresses[1].postcode, phones[1] FROM read_parquet(?)"
        " WHERE bbox.xmin BETWEEN 11 AND 12 AND sources[1].property = ''"
    )

    found = duckdb.execute(asked, [str(tmp_path / "places.parquet")]).fetchall()
    assert found == [(OWN.name, "82256", "+498141526077")]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_place_is_what_the_schema_of_overture_allows():
    places = pytest.importorskip("overture.schema.places.place")
    one = listed(replace(OWN, mails=("a@salon.de",)))
    assert one.entry.point is not None
    place = as_place(one, one.entry.point, {OWN.url: SourcePage(1, DAY)}, "geoscout_oldenburg")
    corners = place.pop("bbox")
    shape = {"type": "Point", "coordinates": [corners["xmin"], corners["ymin"]]}
    properties = {name: value for name, value in place.items() if value is not None}
    feature = {"type": "Feature", "id": properties.pop("id"), "geometry": shape}

    places.Place.model_validate_json(orjson.dumps({**feature, "properties": properties}))
