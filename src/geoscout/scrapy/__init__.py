"""geoscout inside Scrapy: its strategies order a spider's requests, its geoparser reads the pages.

    ADDONS = {"geoscout.scrapy.GeoscoutAddon": 500}
    GEOSCOUT_REGION = "Oldenburg, Germany"

docs/how-to/scrapy.md explains it. `focus.py` has what a spider run needs of geoscout and where
Scrapy calls it, `request_queue.py` the order of requests.
"""

from geoscout.scrapy.focus import (
    GeoDownloaderMiddleware,
    GeoPipeline,
    GeoscoutAddon,
    GeoSpiderMiddleware,
    GeoSpiderMixin,
)
from geoscout.scrapy.request_queue import StrategyQueue

__all__ = [
    "GeoDownloaderMiddleware",
    "GeoPipeline",
    "GeoSpiderMiddleware",
    "GeoSpiderMixin",
    "GeoscoutAddon",
    "StrategyQueue",
]
