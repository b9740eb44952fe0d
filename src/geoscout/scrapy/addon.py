"""One line in a Scrapy project instead of four: puts the parts in their places."""

from __future__ import annotations

from scrapy.settings import BaseSettings

_ROOM = "geoscout.scrapy"
# Before HttpErrorMiddleware (50), so that strategies hear of pages that are missing, too.
_SPIDER_ORDER = 40
# Nearer to the engine than RetryMiddleware (550): it hears of requests that were given up.
_DOWNLOADER_ORDER = 90
_PIPELINE_ORDER = 100


class GeoscoutAddon:
    """Turns on the order of requests, the reading of pages and the pipeline for items."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Called by Scrapy; what a project sets itself counts more."""
        _add(settings, "SPIDER_MIDDLEWARES", "GeoSpiderMiddleware", _SPIDER_ORDER)
        _add(settings, "DOWNLOADER_MIDDLEWARES", "GeoDownloaderMiddleware", _DOWNLOADER_ORDER)
        _add(settings, "ITEM_PIPELINES", "GeoPipeline", _PIPELINE_ORDER)
        settings.set("SCHEDULER_PRIORITY_QUEUE", f"{_ROOM}.StrategyQueue", priority="addon")


def _add(settings: BaseSettings, name: str, part: str, order: int) -> None:
    if not any(str(key).endswith(part) for key in settings.getwithbase(name)):
        settings[name][f"{_ROOM}.{part}"] = order
