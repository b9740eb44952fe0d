"""Follows every link of HTML pages, and makes an item of each page."""

from scrapy import Spider
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor

from geoscout.scrapy import GeoSpiderMixin


class TownSpider(GeoSpiderMixin, Spider):
    name = "town"
    links = LinkExtractor()

    def __init__(self, start="", *arguments, **options):
        super().__init__(*arguments, **options)
        self.start_urls = start.split()

    def parse(self, response):
        if not isinstance(response, TextResponse):
            return
        found = self.geo(response)
        self.logger.info("%s is about %s", response.url, found.place)
        yield {"url": response.url, "title": response.css("title::text").get()}
        for link in self.links.extract_links(response):
            yield response.follow(link)
