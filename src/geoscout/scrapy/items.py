"""What geoscout found in a page, for the callbacks of a spider and for its items."""

from __future__ import annotations

from typing import Any, Self

import msgspec
from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.exceptions import DropItem
from scrapy.http import Response

from geoscout.batch.rows import PageRow
from geoscout.scrapy.focus import Focus

_OF_ARCHIVES = ("date", "offset", "length", "url")  # columns that say nothing of a live page


class GeoSpiderMixin:
    """Adds `geo` and `is_relevant` to a spider: `class MySpider(GeoSpiderMixin, Spider)`."""

    crawler: Crawler  # set by Scrapy

    def geo(self, response: Response) -> PageRow | None:
        """Places, addresses, main place and relevance of a page; None for what is not a text."""
        found = Focus.of(self.crawler).found_in(response)
        return found.row if found else None

    def is_relevant(self, response: Response) -> bool:
        """Whether a page is about the region."""
        row = self.geo(response)
        return bool(row and row.relevant)


class GeoPipeline:
    """Gives each item what its page says of places, by the URL in the item.

    An item without such a URL, or with a `geo` of its own, is left as it is.
    """

    def __init__(self, focus: Focus, url: str, geo: str, *, drops: bool) -> None:
        """`url` and `geo` are names of fields; `drops`: items of other pages are dropped."""
        self._focus, self._url, self._geo, self._drops = focus, url, geo, drops

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        return cls(
            Focus.of(crawler),
            settings.get("GEOSCOUT_URL_FIELD", "url"),
            settings.get("GEOSCOUT_GEO_FIELD", "geo"),
            drops=settings.getbool("GEOSCOUT_DROP_OTHERS"),
        )

    def process_item(self, item: Any, spider: object = None) -> Any:  # noqa: ARG002
        """Add the field.

        Raises:
            DropItem: its page is not about the region, and such items are not wanted.
        """
        adapter = ItemAdapter(item)
        found = self._focus.found_at(str(adapter.get(self._url) or ""))
        if found is None:
            return item
        if self._drops and not found.row.relevant:
            raise DropItem("its page is not about the region")
        if not adapter.get(self._geo):
            adapter[self._geo] = geo_fields(found.row)
        return item


def geo_fields(row: PageRow) -> dict[str, Any]:
    """The columns of `geoscout geoparse --warc` as plain values, without those of archives."""
    fields: dict[str, Any] = msgspec.to_builtins(row)
    return {name: value for name, value in fields.items() if name not in _OF_ARCHIVES}
