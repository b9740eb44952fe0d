"""A geocoding service over loopback that knows a few addresses, and counts what it is asked."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from urllib.parse import parse_qs, urlsplit

from tests.local_server import LocalFile, answering


@dataclass
class LoopbackGeocoder:
    """What the service knows: latitude, longitude and rank by the text of an address."""

    known: Mapping[str, tuple[float, float, int]]
    url: str = ""
    asked: list[str] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)
    status: int = 200
    body: bytes | None = None  # instead of a reply

    @property
    def setting(self) -> str:
        return f"nominatim:{self.url},1000"

    def reply(self, path: str, agent: str) -> bytes:
        query = parse_qs(urlsplit(path).query)
        text = (query.get("q") or query.get("text") or [""])[0]
        self.asked.append(text)
        self.agents.append(agent)
        if self.body is not None:
            return self.body
        found = self.known.get(text)
        if found is None:
            return b"[]"
        latitude, longitude, rank = found
        return json.dumps(
            [{"lat": f"{latitude}", "lon": f"{longitude}", "place_rank": rank}]
        ).encode()


@contextmanager
def run_geocoder(
    known: Mapping[str, tuple[float, float, int]] | None = None,
) -> Iterator[LoopbackGeocoder]:
    """A service that answers as Nominatim does."""
    service = LoopbackGeocoder(known or {})

    def answer(path: str, headers: Message) -> LocalFile:
        body = service.reply(path, headers["User-Agent"])
        return LocalFile("application/json", body, service.status)

    with answering(answer) as address:
        service.url = address.rstrip("/")
        yield service
