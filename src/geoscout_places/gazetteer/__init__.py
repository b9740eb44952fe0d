"""The knowledge of places: what a name may mean, where that is, and what contains it.

`open_gazetteer()` gives the compiled gazetteer (built on first use from the tables in `data/`),
`Region` the area a crawl or a search is about. The stages ask through the `Gazetteer` Protocol.
"""

from typing import TYPE_CHECKING, Any

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.home import build_gazetteer, open_gazetteer
from geoscout_places.gazetteer.sqlite import SqliteGazetteer

if TYPE_CHECKING:
    from geoscout_places.gazetteer.areas.region import Region

__all__ = ["Gazetteer", "Region", "SqliteGazetteer", "build_gazetteer", "open_gazetteer"]


def __getattr__(name: str) -> Any:
    """Import `Region` when it is asked for: a quarter of what `geoscout place` would import."""
    if name == "Region":
        from geoscout_places.gazetteer.areas.region import Region  # noqa: PLC0415

        return Region
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
