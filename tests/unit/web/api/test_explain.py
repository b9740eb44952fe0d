from __future__ import annotations

import orjson
from httpx import Client

from geoscout.crawling.explain import as_document, explain_url
from geoscout.web.site import Site


def test_explanation_is_that_of_the_command(client: Client, site: Site) -> None:
    told = client.get("/api/explain", params={"url": "HTTP://Waiting.example/menu"}).json()

    url = "http://waiting.example/menu"
    explanation = as_document(explain_url(site.crawl("").where, url, site.settings))
    assert told == orjson.loads(orjson.dumps(explanation))
    assert (told["url"], told["state"], told["priority"]) == (url, "waiting", 0.7)
    assert "verdict" in told


def test_only_web_addresses_are_explained(client: Client) -> None:
    assert client.get("/api/explain", params={"url": "file:///etc/passwd"}).status_code == 400
