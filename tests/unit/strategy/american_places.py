"""A small America for the tests of place evidence, and short ways to make links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from geoscout_places.gazetteer.areas.boundaries import encode
from geoscout_places.model import Kind, Link, Page, Place, Point, Request
from tests.fakes import FakeGazetteer

if TYPE_CHECKING:
    from geoscout.strategy.base import Source


def make_place(id: int, name: str, at: tuple[float, float], **facts: object) -> Place:
    known = {"kind": Kind.CITY, "country": "US", "population": 100_000, "timezone": "", "parent": 2}
    return Place(id, name, point=Point(*at), **{**known, **facts})  # type: ignore[arg-type]


AMERICA = make_place(
    2, "United States", (39.8, -98.5), kind=Kind.COUNTRY, parent=0, population=327_000_000
)
MASSACHUSETTS = make_place(3, "Massachusetts", (42.37, -71.11), kind=Kind.REGION)
BRITAIN = make_place(4, "United Kingdom", (54.0, -2.0), kind=Kind.COUNTRY, parent=0, country="GB")
ARIZONA = make_place(5, "Arizona", (34.5, -111.5), kind=Kind.REGION, population=6_000_000)
BOSTON = make_place(10, "Boston", (42.36, -71.06), parent=3, population=650_000)
CAMBRIDGE_MA = make_place(11, "Cambridge", (42.375, -71.106), parent=3, population=110_000)
CAMBRIDGE_GB = make_place(12, "Cambridge", (52.2, 0.12), parent=4, population=146_000, country="GB")
NEW_YORK = make_place(13, "New York", (40.71, -74.01), population=8_800_000)
SAN_FRANCISCO = make_place(14, "San Francisco", (37.77, -122.42), population=830_000)
SALT_LAKE_CITY = make_place(15, "Salt Lake City", (40.76, -111.89), population=190_000)
MESA = make_place(16, "Mesa", (33.42, -111.82), parent=5, population=470_000)
READING = make_place(17, "Reading", (40.34, -75.93), population=88_000)
HAMLET = make_place(18, "Stowford", (42.1, -71.2), parent=3, population=40)

# Roughly the contiguous states, and a far smaller Hawaii.
MAINLAND = ((-124.0, 48.0), (-124.0, 40.0), (-97.0, 26.0), (-81.0, 25.0), (-67.0, 45.0))
ISLANDS = ((-160.0, 22.0), (-155.0, 19.0), (-155.0, 22.0))

GAZETTEER = FakeGazetteer(
    [
        *(AMERICA, MASSACHUSETTS, BRITAIN, ARIZONA, BOSTON, CAMBRIDGE_MA, CAMBRIDGE_GB, NEW_YORK),
        *(SAN_FRANCISCO, SALT_LAKE_CITY, MESA, READING, HAMLET),
    ],
    aliases={2: ["US"], 3: ["MA"]},
    boundaries={2: encode([ISLANDS, MAINLAND])},
)


def make_link(url: str = "http://example.org/", anchor: str = "", **more: str) -> Link:
    """A link; `more` may have `before`, `after` and `alt`."""
    before, after, alt = (more.get(name, "") for name in ("before", "after", "alt"))
    return Link(url, anchor, alt=alt, before=before, after=after, tag_path="body/a")


def make_source() -> Source:
    from geoscout.strategy.base import Source  # noqa: PLC0415 - names alone need no strategies

    """A page that nobody looks at."""
    page = Page.empty("http://example.org/")
    return Source(Request("http://example.org/"), page, relevant=False)
