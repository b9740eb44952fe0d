"""Small archives for the tests of batches."""

from geoscout.warc import pack

DATE = "2024-05-03T08:00:00Z"
HTML = (
    "<html lang=de><title>Da Carla</title><main><p>Pizza in Oldenburg, nicht in Bremen.</p></main>"
    "<footer><address>Lange Straße 12<br>26122 Oldenburg</address></footer></html>"
).encode()


def record(kind: str, url: str, block: bytes, **fields: str) -> bytes:
    """A record; fields are named with underscores: `content_type`."""
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    head = "\r\n".join(
        [
            "WARC/1.0",
            f"WARC-Type: {kind}",
            f"WARC-Target-URI: {url}",
            f"WARC-Date: {DATE}",
            *lines,
            f"Content-Length: {len(block)}",
        ]
    )
    return head.encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def page(
    url: str,
    body: bytes = HTML,
    *,
    status: str = "200 OK",
    headers: str = "Content-Type: text/html",
) -> bytes:
    block = f"HTTP/1.1 {status}\r\n{headers}\r\n\r\n".encode() + body
    return record("response", url, block, content_type="application/http")


def text(url: str, body: str, **fields: str) -> bytes:
    """A record as WET files have them."""
    return record("conversion", url, body.encode(), content_type="text/plain", **fields)


def packed(*records: bytes) -> bytes:
    return b"".join(map(pack, records))
