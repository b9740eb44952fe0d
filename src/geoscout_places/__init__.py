"""Reads places in any text or page: no network, no crawl.

from geoscout_places import Places

places = Places()
for mention in places.read("We moved from Lisbon to Porto.").mentions:
    print(mention.text, mention.place.point)
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geoscout_places.library import Found, Places

__all__ = ["Found", "Places"]


def __getattr__(name: str) -> Any:
    """Import the geoparser when it is asked for: every module of the house comes by here."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from geoscout_places import library  # noqa: PLC0415

    return getattr(library, name)
