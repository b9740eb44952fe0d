from __future__ import annotations

import orjson
from httpx import Client


def read_events(text: str) -> list[tuple[str, dict]]:
    events = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        events.append((name.removeprefix("event: "), orjson.loads(data.removeprefix("data: "))))
    return events


def test_a_finished_crawl_is_told_and_ended(client: Client) -> None:
    answer = client.get("/api/events")

    events = read_events(answer.text)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert [name for name, _ in events] == ["status", "pages", "end"]
    assert events[0][1]["visits"] == events[2][1]["visits"] == 7


def test_only_pages_after_the_last_known_are_told(client: Client) -> None:
    (told,) = (
        event for name, event in read_events(client.get("/api/events").text) if name == "pages"
    )

    events = read_events(client.get("/api/events", params={"after": told["last"]}).text)

    assert [name for name, _ in events] == ["status", "end"]


def test_a_cursor_that_nobody_gave_is_a_problem(client: Client) -> None:
    response = client.get("/api/events", params={"after": "«"})

    assert response.status_code == 400
    assert "«" in response.json()["detail"]
