from __future__ import annotations

from httpx import Client


def test_explanation_is_that_of_the_command(client: Client) -> None:
    told = client.get("/api/explain", params={"url": "HTTP://Waiting.example/menu"}).json()

    assert told["url"] == "http://waiting.example/menu"
    assert told["reason"] == {"name": "priority", "value": 0.5}


def test_only_web_addresses_are_explained(client: Client) -> None:
    assert client.get("/api/explain", params={"url": "file:///etc/passwd"}).status_code == 400
