import json

import orjson
import pytest
import shapely


def titles(answer: dict) -> list[str]:
    return [hit["title"] for hit in answer["hits"]]


def test_search_tells_how_it_read_the_query(client):
    answer = client.get("/api/search", params={"q": "pizza in Lisbon"}).json()

    assert answer["reading"]["label"] == "Lisbon, Portugal"
    labels = [other["label"] for other in answer["reading"]["alternatives"]]
    assert "Lisbon, New Hampshire, United States" in labels
    assert titles(answer)[0] in ("Pizzaria Alfama", "Forno do Chiado")


def test_another_place_can_be_meant(client):
    first = client.get("/api/search", params={"q": "pizza in Lisbon"}).json()
    other = next(
        other["place"]["id"]
        for other in first["reading"]["alternatives"]
        if "New Hampshire" in other["label"]
    )

    answer = client.get("/api/search", params={"q": "pizza in Lisbon", "place": other}).json()

    assert titles(answer)[0] == "Main Street Pizza"


def test_a_box_keeps_the_search_inside(client):
    answer = client.get("/api/search", params={"q": "pizza", "bbox": "-5,39,-2,42"}).json()

    assert titles(answer) == ["Pizza in Madrid"]


def test_a_facet_keeps_the_search_to_its_place(client):
    facets = client.get("/api/search", params={"q": "pizza"}).json()["facets"]
    spain = next(facet["id"] for facet in facets if facet["name"] == "Spain")

    answer = client.get("/api/search", params={"q": "pizza", "within": f"id:{spain}"}).json()

    assert titles(answer) == ["Pizza in Madrid"]


def test_hits_are_explained_on_request(client):
    plain = client.get("/api/search", params={"q": "pizza in Lisbon"}).json()
    told = client.get("/api/search", params={"q": "pizza in Lisbon", "explain": True}).json()

    assert plain["hits"][0]["explanation"] is None
    assert "Lisbon" in told["hits"][0]["explanation"]["reason"]


def test_paging_goes_on_where_it_ended(client):
    everything = titles(client.get("/api/search", params={"q": "pizza restaurant"}).json())

    asked = {"q": "pizza restaurant", "limit": 2, "offset": 2}
    second = client.get("/api/search", params=asked).json()

    assert titles(second) == everything[2:4]


def test_filters_keep_the_search_to_some_pages(client):
    asked = {"q": "pizza", "host": "madrid.example", "evidence": "name"}
    answer = client.get("/api/search", params=asked).json()

    assert titles(answer) == ["Pizza in Madrid"]
    assert (answer["hits"][0]["host"], answer["hits"][0]["dated_at"]) == ("madrid.example", None)


def test_a_query_without_hits_is_offered_without_its_filters(client):
    asked = {"q": "pizza", "host": "nowhere.example"}
    offer = client.get("/api/search", params=asked).json()["offers"][0]

    assert (offer["q"], offer["keeps_filters"]) == ("pizza", False)


@pytest.mark.parametrize(
    ("parameters", "headers"),
    [({"format": "geojson"}, {}), ({}, {"accept": "application/geo+json"})],
)
def test_hits_as_geojson(client, parameters, headers):
    asked = {"q": "pizza in Lisbon, Portugal"}
    plain = client.get("/api/search", params=asked).json()
    answer = client.get("/api/search", params={**asked, **parameters}, headers=headers)

    found = answer.json()
    assert answer.headers["content-type"] == "application/geo+json"
    assert (found["type"], found["total"]) == ("FeatureCollection", plain["total"])
    features, hits = found["features"], plain["hits"]
    assert [one["properties"]["url"] for one in features] == [hit["url"] for hit in hits]
    first = hits[0]["points"][0]
    shape = shapely.geometry.shape(features[0]["geometry"])
    assert shape.distance(shapely.Point(first["lon"], first["lat"])) == 0


def test_facts_that_are_asked_for_come_with_the_page_that_says_so(client):
    asked = {"q": "address of pizza in Lisbon, New Hampshire"}
    found = client.get("/api/search", params=asked).json()
    plain = client.get("/api/search", params={"q": "pizza in Lisbon, New Hampshire"}).json()

    (fact,) = found["facts"]
    assert found["reading"]["asks"] == ["address"]
    assert (fact["kind"], fact["name"], fact["open"]) == ("address", "Main Street Pizza", None)
    assert fact["value"].startswith("12 Main Street")
    assert (fact["url"][:7], fact["fetched_at"][:2]) == ("http://", "20")
    assert plain["facts"] == []


def test_entries_of_the_directory_come_with_the_hits(client):
    asked = {"q": "pizza in Lisbon, New Hampshire"}
    found = client.get("/api/search", params=asked).json()
    without = client.get("/api/search", params={**asked, "entries": "false"}).json()

    assert [entry["name"] for entry in found["entries"]] == ["Main Street Pizza"]
    assert found["entries_total"] == 1
    listed = client.get("/api/directory", params=found["entries_filters"]).json()
    assert [entry["id"] for entry in listed["entries"]] == [found["entries"][0]["id"]]
    assert (without["entries"], without["entries_total"]) == ([], 0)
    assert without["hits"] == found["hits"]


FORMATS = [
    "atom", "cdxj", "csv", "geojson", "jsonl", "markdown", "owi", "parquet",
    "wacz", "warc",
]  # fmt: skip


def test_pages_are_exported_as_geojson(client):
    answer = client.get("/api/export")

    assert answer.headers["content-type"] == "application/geo+json"
    assert answer.headers["content-disposition"] == 'attachment; filename="pages.geojson"'
    assert {feature["type"] for feature in answer.json()["features"]} == {"Feature"}


def test_pages_are_exported_as_markdown(client):
    answer = client.get("/api/export", params={"format": "markdown"})
    refused = client.get("/api/export", params={"format": "markdown", "what": "links"})

    first = answer.text.split("\n---\n")[0].removeprefix("---\n")
    assert json.loads(first)["url"] == "http://pizzaria.example/"
    assert "\nOur pizza restaurant is in the old town of Lisbon" in answer.text
    assert answer.text.count("\n---\n") >= 7
    assert refused.status_code == 400


def test_visits_are_exported_as_csv(client):
    answer = client.get("/api/export", params={"what": "visits", "format": "csv"})

    lines = answer.text.splitlines()
    assert lines[0].startswith("n,url,")
    assert len(lines) == 8


def test_what_has_no_coordinates_cannot_be_geojson(client):
    answer = client.get("/api/export", params={"what": "links"})

    assert (answer.status_code, "have no coordinates" in answer.json()["detail"]) == (400, True)


def test_archive_can_be_had_too(client):
    answer = client.get("/api/export", params={"format": "warc"})

    assert answer.headers["content-disposition"] == 'attachment; filename="pages.warc.gz"'
    assert answer.content.startswith(b"\x1f\x8b")


def test_unknown_format_is_refused_with_the_known_ones(client):
    answer = client.get("/api/export", params={"format": "xml"})

    assert answer.status_code == 400
    assert f"there are: {', '.join(FORMATS)}" in answer.json()["detail"]


def test_schema_lists_the_formats(client):
    parameters = client.get("/api/openapi.json").json()["paths"]["/api/export"]["get"]["parameters"]

    formats = next(p["schema"]["enum"] for p in parameters if p["name"] == "format")
    assert formats == FORMATS


def test_what_is_new_since_a_time_is_exported(client):
    def pages(since: str) -> int:
        params = {"what": "places", "format": "jsonl", "since": since}
        return len(client.get("/api/export", params=params).text.splitlines())

    assert pages("1d") == pages("2001-01-01") > 0
    assert pages("2999-01-01") == 0
    assert client.get("/api/export", params={"since": "soon"}).status_code == 400


def test_addresses_can_be_had_once(client):
    params = {"what": "addresses", "format": "csv", "distinct": "true"}
    answer = client.get("/api/export", params=params)

    assert "pages,sites" in answer.text.splitlines()[0]


def test_hits_of_a_search_are_exported(client):
    found = client.get("/api/search", params={"q": "pizza", "limit": 100}).json()["hits"]

    lines = client.get("/api/search/export", params={"q": "pizza", "format": "jsonl"})
    points = client.get("/api/search/export", params={"q": "pizza"})

    assert found
    assert [orjson.loads(line)["url"] for line in lines.text.splitlines()] == [
        hit["url"] for hit in found
    ]
    assert points.headers["content-type"] == "application/geo+json"
    assert points.headers["content-disposition"] == 'attachment; filename="hits.geojson"'
    assert all(one["geometry"]["type"] == "Point" for one in points.json()["features"])


def test_hits_are_not_an_archive(client):
    answer = client.get("/api/search/export", params={"q": "pizza", "format": "warc"})

    assert (answer.status_code, "not hits" in answer.json()["detail"]) == (400, True)


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ({"q": ""}, 400, "the question is empty"),
        ({"near": "91,0"}, 400, "not a point on the globe"),
        ({"crawl": "nowhere"}, 404, "there are: lisbon"),
        ({"since": "soon"}, 400, ""),
        ({"language": "German!"}, 400, ""),
        ({"evidence": "hearsay"}, 422, "query.evidence: "),
        ({"place": 5}, 404, ""),
    ],
)
def test_what_cannot_be_answered_is_a_problem_with_a_sentence(client, asked, status, said):
    answer = client.get("/api/search", params={"q": "pizza", **asked})

    assert (answer.status_code, said in answer.json()["detail"]) == (status, True)
    assert answer.headers["content-type"] == "application/problem+json"
