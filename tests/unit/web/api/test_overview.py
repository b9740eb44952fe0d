from __future__ import annotations

from httpx import Client


def test_a_crawl_at_a_glance(client: Client) -> None:
    found = client.get("/api/overview").json()

    assert found["pages"] == 7
    assert ("Lisbon", "city") in {(place["name"], place["kind"]) for place in found["places"]}
    assert all(page["relevant"] for page in found["newest"])
    assert found["newest"][0]["n"] == 7


def test_all_pages_on_the_map_are_counted_in_cells(client: Client) -> None:
    found = client.get("/api/map/pages").json()

    assert found["is_whole"]
    assert found["pages"] == sum(cell["pages"] for cell in found["cells"]) == 6
    spain = client.get("/api/map/pages", params={"bbox": "-5,40,-3,41"}).json()
    assert [cell["pages"] for cell in spain["cells"]] == [1]


def test_the_box_of_a_cell_is_one_that_can_be_searched(client: Client) -> None:
    cells = client.get("/api/map/pages", params={"bbox": "-5,40,-3,41"}).json()["cells"]

    found = client.get("/api/search", params={"bbox": cells[0]["bbox"]}).json()

    assert [hit["title"] for hit in found["hits"]] == ["Pizza in Madrid"]


def test_a_wrong_box_is_a_problem(client: Client) -> None:
    assert client.get("/api/map/pages", params={"bbox": "1,2,3"}).status_code == 400
