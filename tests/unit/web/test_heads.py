from __future__ import annotations

import asyncio

import pytest
from httpx import Client
from starlette.types import Message, Receive, Scope, Send

from geoscout.web.heads import HeadsAsGets


@pytest.mark.parametrize("path", ["/", "/api/site", "/api/docs", "/assets/js/main.js"])
def test_head_is_get_without_its_body(client: Client, path: str) -> None:
    head, get = client.head(path), client.get(path)

    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-type", "content-length", "content-security-policy"):
        assert head.headers[name] == get.headers[name]


def test_head_of_what_is_not_there(client: Client) -> None:
    assert client.head("/api/nothing").status_code == 404


def test_the_head_of_a_stream_ends(client: Client) -> None:
    head = client.head("/api/events", timeout=10)

    assert head.headers["content-type"].startswith("text/event-stream")


def test_docs_leads_to_the_list_of_operations(client: Client) -> None:
    answer = client.get("/docs")

    assert (answer.status_code, answer.headers["location"]) == (307, "/api/docs")


def test_a_head_leaves_a_stream_that_has_no_end() -> None:
    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (await receive())["type"] != "http.disconnect":
            await send({"type": "http.response.body", "body": b"more", "more_body": True})

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "HEAD"}
    asyncio.run(asyncio.wait_for(HeadsAsGets(endless)(scope, receive, send), 5))

    assert [message.get("body") for message in sent] == [None, b""]
