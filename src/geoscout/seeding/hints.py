"""What a file says of a URL that may be a seed."""

from __future__ import annotations

from msgspec import Struct


class SeedHint(Struct, frozen=True, gc=False):
    """One mention of a URL in one file."""

    url: str  # in normal form
    source: str  # such as "OpenStreetMap"
    title: str = ""  # what the file calls it
    inside: bool | None = None  # whether it is located in the region; None where nothing says so
    is_hub: bool = False  # it is of a kind that has links to much of its town, as a town hall
    share: float = 0.0  # of its pages that an earlier crawl found relevant
