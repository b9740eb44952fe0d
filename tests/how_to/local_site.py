"""A site on this machine, for the guides."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class LocalFile:
    type: str
    content: bytes


@contextmanager
def served(files: Mapping[str, LocalFile]) -> Iterator[str]:
    """Serve files by their paths; gives the address of the first page, with a slash."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            file = files.get(self.path)
            content = file.content if file else b""
            self.send_response(200 if file else 404)
            self.send_header("Content-Type", file.type if file else "text/html")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
