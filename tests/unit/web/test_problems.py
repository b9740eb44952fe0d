from __future__ import annotations

from httpx import Client


def test_an_invalid_parameter_is_named(client: Client) -> None:
    answer = client.get("/api/search", params={"q": "pizza", "limit": 1000})

    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"].startswith("query.limit: ")


def test_a_wrong_method_is_a_problem(client: Client) -> None:
    answer = client.delete("/api/search")

    assert (answer.status_code, answer.json()["status"]) == (405, 405)
