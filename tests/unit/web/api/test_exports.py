from __future__ import annotations

from httpx import Client


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

    assert (answer.status_code, "geojson is for" in answer.json()["detail"]) == (400, True)
