"""What a batch is asked for, and what a folder of results was made with."""

from __future__ import annotations

import hashlib
from pathlib import Path

from msgspec import Struct

from geoscout import __version__
from geoscout.settings import Settings
from geoscout_places.gazetteer.home import compiled_file
from geoscout_places.model import RelevanceRule


class BatchOptions(Struct, frozen=True, kw_only=True):
    """Everything that decides what the rows of a batch say; it travels to other machines."""

    format: str  # a key of `row_files.FORMATS`
    region: tuple[str, ...] = ()  # as the user wrote it; empty: relevance is not judged
    relevance: RelevanceRule
    sites: bool = False  # whether pages are read with what others tell of their sites
    pdf: bool = False  # whether PDF documents are read
    largest_page: int  # bytes after decompression; larger ones are counted and left out
    gazetteer: str  # names the gazetteer by what it was built from
    region_files: str = ""  # digest of the files that the region names; "" for none
    version: str = __version__  # of geoscout


def batch_options(
    settings: Settings,
    *,
    format: str,
    region: tuple[str, ...],
    relevance: RelevanceRule,
    sites: bool = False,
) -> BatchOptions:
    """The options of a batch on this machine."""
    return BatchOptions(
        format=format,
        region=region,
        relevance=relevance,
        sites=sites,
        pdf=settings.pdf,
        largest_page=int(2 * settings.body_megabytes * 1_000_000),  # as for a crawl, decompressed
        gazetteer=gazetteer_key(settings),
        region_files=_digest_of_files(region),
    )


def gazetteer_key(settings: Settings) -> str:
    """The name of this machine's gazetteer: the same for the same tables, extras and imports."""
    return compiled_file(settings).stem


def _digest_of_files(region: tuple[str, ...]) -> str:
    files = [Path(text) for text in region if Path(text).is_file()]
    if not files:
        return ""
    return hashlib.blake2b(b"\0".join(f.read_bytes() for f in files), digest_size=12).hexdigest()
