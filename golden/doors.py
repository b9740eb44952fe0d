"""The only doors through which golden masters enter geoscout: its commands and its web application.

Nothing else here imports it, so that modules can move without a change to what is compared.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import httpx

from geoscout.cli.main import main
from geoscout.settings import load_settings
from geoscout.web.app import create_app
from geoscout.web.site import open_site
from geoscout_places.gazetteer import open_gazetteer

Question = tuple[str, Mapping[str, Any]]  # a path and its parameters
Answer = tuple[int, str, str]  # status, media type, text


def command(*words: object) -> str:
    """What a command prints.

    Raises:
        RuntimeError: it did not end well.
    """
    told, printed = io.StringIO(), io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    given = [str(word) for word in words]
    with redirect_stderr(told), redirect_stdout(printed):
        status = main(given)
    if status:
        raise RuntimeError(f"geoscout {' '.join(given)} ended with {status}: {told.getvalue()}")
    printed.seek(0)
    return printed.read()


def gazetteer_key() -> str:
    """The name of the gazetteer, built if it is not there; it changes with the tables."""
    found = re.search(r"gazetteer-\w+", command("gazetteer", "info"))
    return found[0] if found else ""


class Served:
    """The REST API over some folders, without a server between."""

    def __init__(self, app: Any) -> None:
        self._app = app

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """The answers to paths with parameters, one after the other."""
        return asyncio.run(self._ask(questions))

    async def _ask(self, questions: Sequence[Question]) -> list[Answer]:
        transport = httpx.ASGITransport(self._app)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", timeout=None
        ) as client:
            got = [await client.get(path, params=dict(given)) for path, given in questions]
        return [(one.status_code, one.headers.get("content-type", ""), one.text) for one in got]

    def json(self, path: str, **given: object) -> Any:
        """The document at a path."""
        return json.loads(self.ask([(path, given)])[0][2])


@contextmanager
def served(*folders: Path) -> Iterator[Served]:
    """Serve crawls and reports as `geoscout serve` does."""
    settings = load_settings()
    with (
        closing(open_gazetteer(settings)) as gazetteer,
        closing(open_site(folders, gazetteer, settings)) as site,
    ):
        yield Served(create_app(site))
