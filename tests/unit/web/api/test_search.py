from __future__ import annotations

import pytest
import shapely
from httpx import Client


def titles(answer: dict) -> list[str]:
    return [hit["title"] for hit in answer["hits"]]


def test_search_tells_how_it_read_the_query(client: Client) -> None:
    answer = client.get("/api/search", params={"q": "pizza in Lisbon"}).json()

    assert answer["reading"]["label"] == "Lisbon, Portugal"
    labels = [other["label"] for other in answer["reading"]["alternatives"]]
    assert "Lisbon, New Hampshire, United States" in labels
    assert titles(answer)[0] in ("Pizzaria Alfama", "Forno do Chiado")


def test_another_place_can_be_meant(client: Client) -> None:
    first = client.get("/api/search", params={"q": "pizza in Lisbon"}).json()
    other = next(
        other["place"]["id"]
        for other in first["reading"]["alternatives"]
        if "New Hampshire" in other["label"]
    )

    answer = client.get("/api/search", params={"q": "pizza in Lisbon", "place": other}).json()

    assert titles(answer)[0] == "Main Street Pizza"


def test_a_box_keeps_the_search_inside(client: Client) -> None:
    answer = client.get("/api/search", params={"q": "pizza", "bbox": "-5,39,-2,42"}).json()

    assert titles(answer) == ["Pizza in Madrid"]


def test_a_facet_keeps_the_search_to_its_place(client: Client) -> None:
    facets = client.get("/api/search", params={"q": "pizza"}).json()["facets"]
    spain = next(facet["id"] for facet in facets if facet["name"] == "Spain")

    answer = client.get("/api/search", params={"q": "pizza", "within": f"id:{spain}"}).json()

    assert titles(answer) == ["Pizza in Madrid"]


def test_hits_are_explained_on_request(client: Client) -> None:
    plain = client.get("/api/search", params={"q": "pizza in Lisbon"}).json()
    told = client.get("/api/search", params={"q": "pizza in Lisbon", "explain": True}).json()

    assert plain["hits"][0]["explanation"] is None
    assert "Lisbon" in told["hits"][0]["explanation"]["reason"]


def test_paging_goes_on_where_it_ended(client: Client) -> None:
    everything = titles(client.get("/api/search", params={"q": "pizza restaurant"}).json())

    asked = {"q": "pizza restaurant", "limit": 2, "offset": 2}
    second = client.get("/api/search", params=asked).json()

    assert titles(second) == everything[2:4]


def test_an_empty_question_is_a_problem_with_a_sentence(client: Client) -> None:
    answer = client.get("/api/search")

    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert "the question is empty" in answer.json()["detail"]


def test_a_point_off_the_globe_is_a_problem(client: Client) -> None:
    answer = client.get("/api/search", params={"q": "pizza", "near": "91,0"})

    assert answer.status_code == 400
    assert "not a point on the globe" in answer.json()["detail"]


def test_a_crawl_that_is_not_served_is_a_problem(client: Client) -> None:
    answer = client.get("/api/search", params={"q": "pizza", "crawl": "nowhere"})

    assert answer.status_code == 404
    assert "there are: lisbon" in answer.json()["detail"]


def test_filters_keep_the_search_to_some_pages(client: Client) -> None:
    asked = {"q": "pizza", "host": "madrid.example", "evidence": "name"}
    answer = client.get("/api/search", params=asked).json()

    assert titles(answer) == ["Pizza in Madrid"]
    assert (answer["hits"][0]["host"], answer["hits"][0]["dated_at"]) == ("madrid.example", None)


def test_filters_that_cannot_be_read_are_problems(client: Client) -> None:
    asked = [{"since": "soon"}, {"language": "German!"}, {"evidence": "hearsay"}, {"place": 5}]
    answers = [client.get("/api/search", params={"q": "pizza", **one}) for one in asked]

    assert [answer.status_code for answer in answers] == [400, 400, 422, 404]
    assert all(answer.headers["content-type"] == "application/problem+json" for answer in answers)


def test_a_query_without_hits_is_offered_without_its_filters(client: Client) -> None:
    asked = {"q": "pizza", "host": "nowhere.example"}
    offer = client.get("/api/search", params=asked).json()["offers"][0]

    assert (offer["q"], offer["keeps_filters"]) == ("pizza", False)


@pytest.mark.parametrize(
    ("parameters", "headers"),
    [({"format": "geojson"}, {}), ({}, {"accept": "application/geo+json"})],
)
def test_hits_as_geojson(
    client: Client, parameters: dict[str, str], headers: dict[str, str]
) -> None:
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


def test_entries_of_the_directory_come_with_the_hits(client: Client) -> None:
    asked = {"q": "pizza in Lisbon, New Hampshire"}
    found = client.get("/api/search", params=asked).json()
    without = client.get("/api/search", params={**asked, "entries": "false"}).json()

    assert [entry["name"] for entry in found["entries"]] == ["Main Street Pizza"]
    assert found["entries_total"] == 1
    listed = client.get("/api/directory", params=found["entries_filters"]).json()
    assert [entry["id"] for entry in listed["entries"]] == [found["entries"][0]["id"]]
    assert (without["entries"], without["entries_total"]) == ([], 0)
    assert without["hits"] == found["hits"]
