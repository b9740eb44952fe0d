from __future__ import annotations

from httpx import Client


def test_a_name_may_mean_several_places(client: Client) -> None:
    found = client.get("/api/places", params={"name": "Lisbon", "limit": 20}).json()

    assert found[0]["label"] == "Lisbon, Portugal"
    assert "Lisbon, New Hampshire, United States" in [place["label"] for place in found]


def test_an_unknown_name_gets_suggestions(client: Client) -> None:
    answer = client.get("/api/places", params={"name": "Lisbonn"})

    assert answer.status_code == 404
    assert any("Lisbon" in text for text in answer.json()["suggestions"])


def test_the_end_of_a_text_is_completed(client: Client) -> None:
    found = client.get("/api/places/complete", params={"text": "pizza in lis"}).json()

    assert (found[0]["place"]["name"], found[0]["start"]) == ("Lisbon", 9)


def test_several_words_are_completed_as_one_name(client: Client) -> None:
    found = client.get("/api/places/complete", params={"text": "hotel new yor"}).json()

    assert found[0]["place"]["name"].startswith("New York")
    assert found[0]["start"] == 6


def test_hierarchy_goes_down_to_where_pages_are(client: Client) -> None:
    top = client.get("/api/hierarchy").json()
    europe = next(
        node["place"]["id"] for node in top["children"] if node["place"]["name"] == "Europe"
    )

    branch = client.get("/api/hierarchy", params={"place": europe}).json()

    counts = {node["place"]["name"]: node["pages"] for node in branch["children"]}
    assert counts["Portugal"] >= 3
    assert "Norway" not in counts


def test_outline_of_a_country_is_known_and_of_a_town_estimated(client: Client) -> None:
    country = client.get("/api/places/2264397/outline").json()
    town = client.get("/api/places/2267057/outline").json()

    assert (country["properties"]["name"], country["properties"]["estimated"]) == (
        "Portugal",
        False,
    )
    assert (town["properties"]["name"], town["properties"]["estimated"]) == ("Lisbon", True)
    assert all(line[0] == line[-1] for line in town["geometry"]["coordinates"])


def test_a_place_that_is_not_there_is_a_problem(client: Client) -> None:
    assert client.get("/api/places/1").status_code == 404
