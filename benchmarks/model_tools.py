"""What each tool of `geoscout mcp` costs: milliseconds, and tokens of its description and answer.

    python -m benchmarks.model_tools CRAWL QUERY

The client is the official one, in this process. A token is taken as four letters.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import median
from typing import Any

import anyio
from mcp.client import Client

from geoscout.settings import load_settings
from geoscout.web.model_tools import create_server
from geoscout.web.site import open_site
from geoscout_places.gazetteer import open_gazetteer

_TIMES, _LETTERS = 9, 4


def main() -> None:
    """Print a line for each tool; the first search is told apart, since it opens the index."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("crawl", type=Path)
    parser.add_argument("query")
    given = parser.parse_args()
    anyio.run(_measure, given.crawl, given.query)


async def _measure(crawl: Path, query: str) -> None:
    site = open_site([crawl], open_gazetteer(), load_settings())
    async with Client(create_server(site)) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        print(f"all descriptions: {sum(map(_size, listed.values()))} tokens")
        began = time.perf_counter()
        first = await client.call_tool("search_pages", {"query": query})
        print(f"first search: {1000 * (time.perf_counter() - began):.0f} ms")
        page = json.loads(_text(first))["hits"][0]["url"]
        asked = {"query": query, "page": page, "text": f"We met for {query}."}
        for name, tool in listed.items():
            needed = tool.input_schema.get("required", [])
            arguments = {key: asked[key] for key in needed}
            seconds = []
            for _ in range(_TIMES):
                began = time.perf_counter()
                answer = await client.call_tool(name, arguments)
                seconds.append(time.perf_counter() - began)
            tokens = len(_text(answer)) // _LETTERS
            times = f"{1000 * median(seconds):.0f} ms (most {1000 * max(seconds):.0f})"
            print(f"{name:16} {times}, answer {tokens} tokens, description {_size(tool)}")


def _text(answer: Any) -> str:
    return "".join(part.text for part in answer.content)


def _size(tool: Any) -> int:
    return len(tool.model_dump_json(exclude_none=True)) // _LETTERS


if __name__ == "__main__":
    main()
