from __future__ import annotations

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
