"""Places in meta elements: GeoTags, ICBM, and the location names of Open Graph."""

from __future__ import annotations

from collections.abc import Sequence

from geoscout_places.model import Item

_NAMES = frozenset(
    ("geo.position", "geo.region", "geo.placename", "geo.country", "icbm", "geo.lat", "geo.long",
     "city", "state", "zipcode", "country", "dc.coverage.spatial", "dcterms.spatial")
)  # fmt: skip
_PREFIXES = ("place:location:", "business:contact_data:", "og:latitude", "og:longitude",
             "og:street", "og:locality", "og:region", "og:postal", "og:country")  # fmt: skip


def read(names: Sequence[tuple[str, str]]) -> list[Item]:
    """One item with all that the meta elements say of a place; none when they say nothing."""
    said = tuple(
        (name, content)
        for name, content in names
        if content and (name in _NAMES or name.startswith(_PREFIXES))
    )
    return [Item("meta", (), said)] if said else []
