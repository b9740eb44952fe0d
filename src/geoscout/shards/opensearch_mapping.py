"""The mappings that an index of OpenSearch or Elasticsearch needs for an export, as JSON."""

from __future__ import annotations

from typing import Any, BinaryIO

import orjson

from geoscout.store.export import ExportFormat, ExportSource

_KEYWORD, _TEXT, _DATE = {"type": "keyword"}, {"type": "text"}, {"type": "date"}
_NUMBER, _WHOLE, _POINT = {"type": "double"}, {"type": "long"}, {"type": "geo_point"}
_NAME = {"type": "text", "fields": {"raw": {"type": "keyword", "ignore_above": 256}}}
_YES_OR_NO = {"type": "boolean"}
_PLACE_COLUMNS = (
    "name", "path", "country", "lat", "precision", "id", "geonameid", "kind", "mentions",
    "site_mentions", "score",
)  # fmt: skip
_TYPES: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("title", "name", "city", "street", "anchor"), _NAME),
    **dict.fromkeys(("text", "alt", "snippet"), _TEXT),
    **dict.fromkeys(("fetched_at", "visited_at"), _DATE),
    **dict.fromkeys(("relevance", "score", "priority"), _NUMBER),
    **dict.fromkeys(
        ("n", "size", "id", "geonameid", "mentions", "site_mentions", "population", "depth",
         "bridge", "status", "pages", "sites", "rank", "pages_mentioning", "pages_about",
         "pages_mainly_about"), _WHOLE,
    ),
    **dict.fromkeys(("relevant", "of_site"), _YES_OR_NO),
}  # fmt: skip


def create() -> ExportFormat:
    """The format `opensearch-mapping`."""
    return ExportFormat("application/json", "json", write)


def write(source: ExportSource, stream: BinaryIO) -> None:
    """Write what `PUT /INDEX` takes, for the rows of this kind."""
    columns = (*source.columns, "text") if source.what == "pages" else source.columns
    fields = {"dynamic": False, "properties": _properties(columns)}
    stream.write(orjson.dumps({"mappings": fields}, option=orjson.OPT_INDENT_2))
    stream.write(b"\n")


def _properties(columns: tuple[str, ...]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in columns:
        if name == "places":
            found[name] = {"type": "nested", "properties": _properties(_PLACE_COLUMNS)}
        elif name == "lat":
            found["location"] = _POINT
        elif name != "lon":
            found[name] = _TYPES.get(name, _KEYWORD)
    return found
