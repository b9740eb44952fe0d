"""A server on this machine: its files by their paths, or what a function answers."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class LocalFile:
    type: str
    content: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@contextmanager
def answering(
    answer: Callable[[str, Message], LocalFile | None], address: str = "127.0.0.1"
) -> Iterator[str]:
    """Answer each path with its headers, None with 404; gives the address, with a slash."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            file = answer(self.path, self.headers) or LocalFile("text/html", b"", 404)
            self.send_response(file.status)
            about = {"Content-Type": file.type, "Content-Length": str(len(file.content))}
            for name, value in (about | dict(file.headers)).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(file.content)

        def log_message(self, *_: object) -> None:
            """Not on the terminal."""

    with ThreadingHTTPServer((address, 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://{address}:{server.server_port}/"
        finally:
            server.shutdown()


@contextmanager
def served(files: Mapping[str, LocalFile]) -> Iterator[str]:
    """Serve files by their paths; gives the address of the first page, with a slash."""
    with answering(lambda path, _: files.get(path)) as address:
        yield address
