"""The pages of a crawl as Markdown, one after the other, each with what is known of it in front.

What is known stands between two lines of three dashes, as JSON, which is YAML as well.
"""

from contextlib import suppress
from typing import BinaryIO

import orjson

from geoscout.store.export import ExportFormat, ExportSource
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.parse.markdown import to_markdown

_KNOWN = ("url", "title", "language", "fetched_at", "relevant", "relevance")


def write_markdown(source: ExportSource, stream: BinaryIO) -> None:
    """Write each page whose response the archive holds."""
    store = source.store
    if source.what != "pages" or store is None:
        raise UsageError(f"markdown has pages, not {source.what}: use jsonl or csv")
    for row in source.rows():
        with suppress(DamagedDataError):
            response = store.response(row["n"])
            known = {name: row[name] for name in _KNOWN}
            known["places"] = [" > ".join(place["path"]) for place in row["places"][:3]]
            text = to_markdown(response.body, response.url, response.header("content-type"))
            head = orjson.dumps(known, option=orjson.OPT_INDENT_2)
            stream.write(b"---\n%s\n---\n\n%s\n" % (head, text.encode()))


MARKDOWN = ExportFormat("text/markdown", "md", write_markdown)
