from __future__ import annotations

import orjson
from httpx import Client

FORMATS = [
    "atom", "cdxj", "csv", "geojson", "jsonl", "owi", "parquet",
    "wacz", "warc",
]  # fmt: skip


def test_pages_are_exported_as_geojson(client: Client) -> None:
    answer = client.get("/api/export")

    assert answer.headers["content-type"] == "application/geo+json"
    assert answer.headers["content-disposition"] == 'attachment; filename="pages.geojson"'
    assert {feature["type"] for feature in answer.json()["features"]} == {"Feature"}


def test_visits_are_exported_as_csv(client: Client) -> None:
    answer = client.get("/api/export", params={"what": "visits", "format": "csv"})

    lines = answer.text.splitlines()
    assert lines[0].startswith("n,url,")
    assert len(lines) == 8


def test_what_has_no_coordinates_cannot_be_geojson(client: Client) -> None:
    answer = client.get("/api/export", params={"what": "links"})

    assert (answer.status_code, "have no coordinates" in answer.json()["detail"]) == (400, True)


def test_archive_can_be_had_too(client: Client) -> None:
    answer = client.get("/api/export", params={"format": "warc"})

    assert answer.headers["content-disposition"] == 'attachment; filename="pages.warc.gz"'
    assert answer.content.startswith(b"\x1f\x8b")


def test_unknown_format_is_refused_with_the_known_ones(client: Client) -> None:
    answer = client.get("/api/export", params={"format": "xml"})

    assert answer.status_code == 400
    assert f"there are: {', '.join(FORMATS)}" in answer.json()["detail"]


def test_schema_lists_the_formats(client: Client) -> None:
    parameters = client.get("/api/openapi.json").json()["paths"]["/api/export"]["get"]["parameters"]

    formats = next(p["schema"]["enum"] for p in parameters if p["name"] == "format")
    assert formats == FORMATS


def test_what_is_new_since_a_time_is_exported(client: Client) -> None:
    def pages(since: str) -> int:
        params = {"what": "places", "format": "jsonl", "since": since}
        return len(client.get("/api/export", params=params).text.splitlines())

    assert pages("1d") == pages("2001-01-01") > 0
    assert pages("2999-01-01") == 0
    assert client.get("/api/export", params={"since": "soon"}).status_code == 400


def test_addresses_can_be_had_once(client: Client) -> None:
    params = {"what": "addresses", "format": "csv", "distinct": "true"}
    answer = client.get("/api/export", params=params)

    assert "pages,sites" in answer.text.splitlines()[0]


def test_hits_of_a_search_are_exported(client: Client) -> None:
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


def test_hits_are_not_an_archive(client: Client) -> None:
    answer = client.get("/api/search/export", params={"q": "pizza", "format": "warc"})

    assert (answer.status_code, "not hits" in answer.json()["detail"]) == (400, True)
