"""The Parquet metadata of the Open Web Index, with our places and addresses in it.

The columns are those of its preprocessing, which its tools read; what a crawl does not know is
null. `ows_index` follows the page's own wish: a page that asks not to be indexed has false. What
our crawls have in addition, places and relevance, is in columns that begin with `geoscout_`.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import BinaryIO

from geoscout.errors import UsageError
from geoscout.model import Page, Response
from geoscout.shards.languages import three_letters
from geoscout.shards.owi_columns import load_arrow, owi_schema
from geoscout.shards.page_texts import rows_with_pages
from geoscout.store.export import ExportFormat, ExportSource
from geoscout.store.export_rows import Row
from geoscout.urls import has_public_suffix, registrable_domain, split

_GROUP = 1_000  # rows; they have texts
_ORIGIN = "geoscout"


def create() -> ExportFormat:
    """The format `owi`."""
    return ExportFormat("application/vnd.apache.parquet", "parquet", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the pages in groups.

    Raises:
        UsageError: other rows than pages are asked for, or the package for Parquet is missing.
    """
    if source.what != "pages":
        raise UsageError(f"the Open Web Index has pages, not {source.what}: use parquet")
    arrow, parquet = load_arrow()
    schema = owi_schema(arrow)
    rows = _rows(source)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while group := list(islice(rows, _GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))


def _rows(source: ExportSource) -> Iterator[Row]:
    for row, response, page in rows_with_pages(source):
        yield {
            **_of_url(row["url"]),
            **_of_response(response),
            "id": sha256(row["url"].encode()).hexdigest(),
            "record_id": str(row["n"]),
            "title": row["title"] or None,
            "plain_text": page.text,
            "warc_date": row["fetched_at"],
            "language": three_letters(row["language"]),
            "valid": response is not None,
            "ows_resource_type": _ORIGIN,
            "ows_index": _may_be_indexed(response, page),
            "outgoing_links": [link.url for link in page.links],
            "geoscout_relevant": row["relevant"],
            "geoscout_relevance": row["relevance"],
            "geoscout_lat": row["lat"],
            "geoscout_lon": row["lon"],
            "geoscout_places": row["places"],
        }


def _of_url(url: str) -> Row:
    parts = split(url)
    domain = registrable_domain(parts.host)
    name, _, suffix = domain.partition(".")
    is_domain = has_public_suffix(parts.host)
    return {
        "url": url,
        "url_scheme": parts.scheme,
        "url_path": parts.path,
        "url_query": parts.query or None,
        "url_subdomain": parts.host.removesuffix(domain).rstrip(".") or None,
        "url_domain": name if is_domain else parts.host,
        "url_suffix": suffix if is_domain else None,
    }


def _of_response(response: Response | None) -> Row:
    if response is None:
        return {}
    kind, _, rest = response.header("content-type").partition(";")
    charset = rest.partition("charset=")[2].strip(" \"'").lower()
    return {
        "mime_type": kind.strip().lower() or None,
        "charset": charset or None,
        "http_server": response.header("server") or None,
        "warc_ip": response.address or None,
        "ows_fetch_response_time": int(response.seconds * 1000),
    }


def _may_be_indexed(response: Response | None, page: Page) -> bool:
    """Whether neither header nor markup says noindex."""
    said = [value for name, value in page.meta if name in ("robots", _ORIGIN)]
    if response is not None:
        said += [value for name, value in response.headers if name == "x-robots-tag"]
    words = " ".join(said).lower().replace(",", " ").split()
    return not {"noindex", "none"} & set(words)
