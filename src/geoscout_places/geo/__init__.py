"""The geoparser: a page's addresses, place names and scope.

`load_geoparser().read(page)` gives all of it. The parts are pure functions and usable alone:
`geo.address.extract_addresses`, `geo.mentions.find_mentions`, `geo.structured.addresses_of`,
`geo.scope.find_scope`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geoscout_places.geo.geoparser import Geoparser, load_geoparser

__all__ = ["Geoparser", "load_geoparser"]


def __getattr__(name: str) -> Any:
    """Import the geoparser when it is asked for: a crawl reads pages in other processes."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from geoscout_places.geo import geoparser  # noqa: PLC0415

    return getattr(geoparser, name)
