"""The columns of the Open Web Index's metadata, and ours besides them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from geoscout.errors import UsageError

_TEXTS = (
    "id", "record_id", "title", "plain_text", "json-ld", "microdata", "warc_date", "warc_ip",
    "url", "url_scheme", "url_path", "url_params", "url_query", "url_fragment", "url_subdomain",
    "url_domain", "url_suffix",
)  # fmt: skip
_MORE_TEXTS = ("warc_file", "ows_canonical", "ows_resource_type", "ows_curlielabel")
_PLACE_TEXTS = ("name", "country", "kind", "precision")


def load_arrow() -> tuple[ModuleType, ModuleType]:
    """The package for Parquet.

    Raises:
        UsageError: it is missing.
    """
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise UsageError(
            "the Open Web Index is in Parquet, which needs a package:"
            " pip install 'geoscout[parquet]'"
        ) from error


def owi_schema(arrow: ModuleType) -> Any:
    """The schema, in the order of the Open Web Index."""
    text, number, flag = arrow.string(), arrow.float64(), arrow.bool_()
    mapping = arrow.map_(text, text)
    return arrow.schema([
        *((name, text) for name in _TEXTS),
        ("url_is_private", flag), ("mime_type", text), ("charset", text),
        ("content_type_other", mapping), ("http_server", text), ("language", text),
        ("valid", flag),
        *((name, text) for name in _MORE_TEXTS),
        ("ows_index", flag), ("ows_genai", flag), ("ows_genai_details", text),
        ("ows_fetch_response_time", arrow.int32()), ("ows_fetch_num_errors", text),
        ("schema_metadata", mapping), ("outgoing_links", arrow.list_(text)),
        ("geoscout_relevant", flag), ("geoscout_relevance", number),
        ("geoscout_lat", number), ("geoscout_lon", number),
        ("geoscout_places", arrow.list_(_place(arrow))),
    ])  # fmt: skip


def _place(arrow: ModuleType) -> Any:
    text, number, whole = arrow.string(), arrow.float64(), arrow.int64()
    return arrow.struct([
        *((name, text) for name in _PLACE_TEXTS),
        ("path", arrow.list_(text)),
        ("lat", number), ("lon", number), ("score", number),
        ("id", whole), ("geonameid", whole), ("mentions", whole), ("site_mentions", whole),
    ])  # fmt: skip
