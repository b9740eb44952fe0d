"""A page of any size is read in bounded time."""

from __future__ import annotations

import time

from geoscout_places.gazetteer import Gazetteer
from geoscout_places.geo import Geoparser
from geoscout_places.geo.limits import ReadingLimits, cut_page
from geoscout_places.model import Block, Page, Part

ADDRESS = "1100 Congress Avenue, Austin, TX 78701. "


def page_of(*lines: str) -> Page:
    blocks, start = [], 0
    for line in lines:
        blocks.append(Block(start, start + len(line), Part.MAIN))
        start += len(line) + 1
    return Page("http://a.test/", "", "en", "\n".join(lines), tuple(blocks))


def test_page_ends_with_the_last_block_that_lies_within() -> None:
    page = page_of("first", "second", "third")

    assert cut_page(page, 18) is page
    assert cut_page(page, 13) == page_of("first", "second")
    assert cut_page(page, 11) == page_of("first")
    assert cut_page(page, 3) == page_of("fir")


def test_page_without_blocks_is_cut_too() -> None:
    page = Page("http://a.test/", "", "", "text", ())

    assert cut_page(page, 2).text == "te"


def test_no_more_addresses_and_names_are_taken_than_allowed(gazetteer: Gazetteer) -> None:
    limits = ReadingLimits(addresses=7, mentions=9)

    reading = Geoparser(gazetteer, limits=limits).read(page_of(ADDRESS * 30, "Austin Paris " * 30))

    assert (len(reading.addresses), len(reading.mentions)) == (7, 9)


def test_addresses_beyond_the_limit_take_no_time(gazetteer: Gazetteer) -> None:
    geoparser = Geoparser(gazetteer, limits=ReadingLimits(addresses=10))
    began = time.process_time()
    geoparser.read(page_of(ADDRESS * 100))
    few = time.process_time() - began
    began = time.process_time()

    geoparser.read(page_of(ADDRESS * 1000))

    assert time.process_time() - began < 10 * few + 1.0


def test_text_beyond_the_limit_is_not_looked_at(gazetteer: Gazetteer) -> None:
    geoparser = Geoparser(gazetteer, limits=ReadingLimits(text=100))

    reading = geoparser.read(page_of("Nothing here. " * 5, ADDRESS))

    assert reading.addresses == ()
