"""A geocoding service over loopback that knows a few addresses, and counts what it is asked."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit


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

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = service.reply(self.path, self.headers["User-Agent"])
            self.send_response(service.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Not on the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
