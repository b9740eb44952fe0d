"""The knowledge of places: what a name may mean, where that is, and what contains it.

`open_gazetteer()` gives the compiled gazetteer (built on first use from the tables in `data/`),
`Region` the area a crawl or a search is about. The stages ask through the `Gazetteer` Protocol.
"""

from geoscout.gazetteer.base import Gazetteer
from geoscout.gazetteer.home import build_gazetteer, open_gazetteer
from geoscout.gazetteer.region import Region
from geoscout.gazetteer.sqlite import SqliteGazetteer

__all__ = ["Gazetteer", "Region", "SqliteGazetteer", "build_gazetteer", "open_gazetteer"]
