from __future__ import annotations

from httpx import Client


def test_places_of_a_text_are_found(client: Client) -> None:
    answer = client.post("/api/geoparse", json={"text": "We met in Lisbon, Portugal."}).json()

    assert [found["name"] for found in answer["toponyms"]][:1] == ["Lisbon"]
    assert answer["scope"][0]["name"] == "Lisbon"
    assert answer["labels"][str(answer["toponyms"][0]["id"])] == "Lisbon, Portugal"


def test_offsets_of_html_count_in_the_text_of_the_answer(client: Client) -> None:
    answer = client.post("/api/geoparse", json={"html": "<p>In <b>Lisbon</b>, Portugal</p>"}).json()

    first = answer["toponyms"][0]
    assert answer["text"][first["start"] : first["end"]] == "Lisbon"


def test_one_of_text_and_html_is_needed(client: Client) -> None:
    assert client.post("/api/geoparse", json={}).status_code == 400
    assert client.post("/api/geoparse", json={"text": "a", "html": "b"}).status_code == 400


def test_what_is_too_long_is_refused(client: Client) -> None:
    long = client.post("/api/geoparse", json={"text": "a" * 1_000_001})
    huge = client.post("/api/geoparse", content=b"x" * 3_000_000)

    assert (long.status_code, huge.status_code) == (422, 413)
    assert "2,097,152 bytes" in huge.json()["detail"]
