"""The Parquet metadata of the Open Web Index, with our places and addresses in it, and its texts.

The columns are those of its preprocessing, which its tools read; what a crawl does not know is
null. `ows_index` follows the page's own wish: a page that asks not to be indexed has false. What
our crawls have in addition, places and relevance, is in columns that begin with `geoscout_`.
"""

from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, NamedTuple

from geoscout.state.changes import read_pages
from geoscout.store.export import Columns, ExportFormat, ExportSource, Row, typed
from geoscout.store.records import ReadPage
from geoscout_places.errors import UsageError
from geoscout_places.extras import import_extra
from geoscout_places.model import Page, Response
from geoscout_places.urls import has_public_suffix, registrable_domain, split

_GROUP = 1_000  # rows; they have texts
_ORIGIN = "geoscout"
_TOGETHER = 100  # pages that are looked for in the archive together
# In the order of the Open Web Index; `_schema` knows the types that Arrow does not call so.
_COLUMNS = typed(
    "id record_id title plain_text json-ld microdata warc_date warc_ip url url_scheme url_path"
    " url_params url_query url_fragment url_subdomain url_domain url_suffix url_is_private:bool"
    " mime_type charset content_type_other:map http_server language valid:bool warc_file"
    " ows_canonical ows_resource_type ows_curlielabel ows_index:bool ows_genai:bool"
    " ows_genai_details ows_fetch_response_time:int32 ows_fetch_num_errors schema_metadata:map"
    " outgoing_links:texts geoscout_relevant:bool geoscout_relevance:float64"
    " geoscout_lat:float64 geoscout_lon:float64 geoscout_places:places"
)
_PLACE = typed(
    "name country kind precision path:texts lat:float64 lon:float64 score:float64 id:int64"
    " geonameid:int64 mentions:int64 site_mentions:int64"
)
# ISO 639-1 and 639-3. Of other languages the code stays as the page has it.
_THREE = dict(
    pair.split(":")
    for pair in (
        "ar:ara bg:bul bs:bos ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng es:spa et:est"
        " eu:eus fa:fas fi:fin fr:fra ga:gle gl:glg he:heb hi:hin hr:hrv hu:hun id:ind is:isl"
        " it:ita ja:jpn ko:kor lb:ltz lt:lit lv:lav mk:mkd mt:mlt nb:nob nl:nld nn:nno no:nor"
        " pl:pol pt:por ro:ron ru:rus sk:slk sl:slv sq:sqi sr:srp sv:swe th:tha tr:tur uk:ukr"
        " vi:vie zh:zho"
    ).split()
)


def create() -> ExportFormat:
    return ExportFormat("application/vnd.apache.parquet", "parquet", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write the pages in groups.

    Raises:
        UsageError: other rows than pages are asked for, or the package for Parquet is missing.
    """
    if source.what != "pages":
        raise UsageError(f"the Open Web Index has pages, not {source.what}: use parquet")
    arrow, parquet = load_arrow()
    schema = _schema(arrow)
    rows = _rows(source)
    with parquet.ParquetWriter(stream, schema, compression="zstd") as writer:
        while group := list(islice(rows, _GROUP)):
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))


def _rows(source: ExportSource) -> Iterator[Row]:
    for row, response, page in _rows_with_pages(source):
        yield {
            **_of_url(row["url"]),
            **_of_response(response),
            "id": sha256(row["url"].encode()).hexdigest(),
            "record_id": str(row["n"]),
            "title": row["title"] or None,
            "plain_text": page.text,
            "warc_date": row["fetched_at"],
            "language": _three_letters(row["language"]),
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


def _rows_with_pages(source: ExportSource) -> Iterator[tuple[Row, Response | None, Page]]:
    """The rows in their order; a page that the archive has lost has no response and no text."""
    rows = source.rows()
    while group := list(islice(rows, _TOGETHER)):
        responses: dict[int, Response] = {}
        pages: dict[int, ReadPage] = {}
        if source.store is not None:
            numbers = [row["n"] for row in group]
            responses = dict(source.store.responses(numbers))
            pages = dict(read_pages(source.store, numbers))
        for row in group:
            n, read = row["n"], pages.get(row["n"])
            yield row, responses.get(n), read.page if read else Page.empty(row["url"])


def load_arrow() -> tuple[ModuleType, ModuleType]:
    """The package for Parquet."""
    what = "the Open Web Index, which is in Parquet,"
    return import_extra(what, "parquet", "pyarrow"), import_module("pyarrow.parquet")


def _schema(arrow: ModuleType) -> Any:
    text = arrow.string()
    kinds = {"map": arrow.map_(text, text), "texts": arrow.list_(text)}

    def fields(columns: Columns) -> list[tuple[str, Any]]:
        return [(name, kinds.get(t) or arrow.type_for_alias(t)) for name, t in columns.items()]

    kinds["places"] = arrow.list_(arrow.struct(fields(_PLACE)))
    return arrow.schema(fields(_COLUMNS))


def _three_letters(language: str) -> str | None:
    """The code of three letters for what a page says of its language; None for nothing.

    >>> _three_letters("de-AT"), _three_letters("")
    ('deu', None)
    """
    code = language.partition("-")[0].lower()
    return _THREE.get(code, code) or None


_READ_TOGETHER = 256  # rows that are in memory at a time
_NEEDED = ("url", "plain_text")
_READ = (*_NEEDED, "title", "language", "warc_date")


class ShardRow(NamedTuple):
    number: int  # from 0
    position: int  # bytes of the file that are read, about
    url: str
    text: bytes  # title and text, in UTF-8
    language: str  # three letters; "" for none
    date: str  # as the shard has it; "" for none


def read_shard(path: Path) -> Iterator[ShardRow]:
    """Every page with a text, in the order of the shard."""
    arrow, parquet = load_arrow()
    try:
        file = parquet.ParquetFile(path)
    except (arrow.ArrowException, OSError) as error:
        raise UsageError(f"{path} cannot be read as Parquet: {error}") from error
    with file:
        names = set(file.schema_arrow.names)
        if missing := [name for name in _NEEDED if name not in names]:
            raise UsageError(
                f"{path} is not a shard of the Open Web Index: it has no column {missing[0]!r}"
            )
        total, size, number = max(file.metadata.num_rows, 1), path.stat().st_size, 0
        columns = [name for name in _READ if name in names]
        for batch in file.iter_batches(_READ_TOGETHER, columns=columns):
            for row in batch.to_pylist():
                number += 1
                if row["url"] and row["plain_text"]:
                    yield _row(row, number - 1, size * number // total)


def _row(row: dict[str, object], number: int, position: int) -> ShardRow:
    lines = (row.get("title"), row["plain_text"])
    text = "\n\n".join(str(line) for line in lines if line)
    return ShardRow(
        number, position, str(row["url"]), text.encode("utf-8", "replace"),
        language=str(row.get("language") or ""), date=str(row.get("warc_date") or ""),
    )  # fmt: skip
