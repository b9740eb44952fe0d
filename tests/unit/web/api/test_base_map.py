from __future__ import annotations

from httpx import Client


def test_countries_come_packed_with_their_outlines(client: Client) -> None:
    answer = client.get("/api/map/countries")

    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.json()) > 200
    assert all(country["rings"] for country in answer.json())


def test_regions_are_those_in_view(client: Client) -> None:
    found = client.get("/api/map/regions", params={"bbox": "-98,30,-97,31"}).json()

    assert [region["name"] for region in found] == ["Texas"]


def test_regions_are_found_across_the_antimeridian(client: Client) -> None:
    found = client.get("/api/map/regions", params={"bbox": "170,62,-170,70"}).json()

    assert "Chukotka" in " ".join(region["name"] for region in found)


def test_labels_have_the_large_places_first(client: Client) -> None:
    asked = {"bbox": "-10,36,-6,42", "zoom": 7}

    found = client.get("/api/map/labels", params=asked).json()

    towns = [label["name"] for label in found if label["kind"] == "city"]
    assert towns[:2] == ["Lisbon", "Porto"]
    assert len(towns) <= 120


def test_a_box_that_is_none_is_a_problem(client: Client) -> None:
    for box in ("1,2,3", "0,50,0,40", "a,b,c,d", "0,0,0,91", "nan,0,0,0"):
        answer = client.get("/api/map/regions", params={"bbox": box})

        assert (box, answer.status_code) == (box, 400)
