"""What the markup of a page states besides its words: its date, and named things with coordinates.

The store keeps neither; both are read from the archive with the text while the index is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from geoscout_places.geo.structured import every_item, first_text, point_around
from geoscout_places.model import Item, Page

_CHANGED = ("dateModified", "datePublished", "dateCreated")  # what tells most of the content first
_CHANGED_META = (
    "article:modified_time", "og:updated_time", "last-modified", "article:published_time",
    "date", "dc.date", "dcterms.modified", "dcterms.created",
)  # fmt: skip
_PAGES = ("article", "posting", "page")  # how the types of things end that are pages
_EVENT = "event"  # its name says nothing of the place where it is
_LONGEST_NAME = 80
_MOST_LANDMARKS = 50  # of a page


class StatedLandmark(NamedTuple):
    """Something with a name and coordinates."""

    name: str
    latitude: float
    longitude: float


def date_of(page: Page) -> float:
    """When a page was changed or published, as it says, in seconds since the epoch; 0 for never."""
    stated = (*_dates_of_items(page), *_dates_of_meta(page))
    return next((time for text in stated if (time := _seconds(text))), 0.0)


def landmarks_of(page: Page) -> tuple[StatedLandmark, ...]:
    """The things that a page gives the coordinates of, each once."""
    found: dict[StatedLandmark, None] = {}
    for item in every_item(page.items):
        name = " ".join(first_text(item, "name").split())
        point = point_around(item) if 0 < len(name) <= _LONGEST_NAME and _has_place(item) else None
        if point is not None:
            found[StatedLandmark(name, point.latitude, point.longitude)] = None
        if len(found) == _MOST_LANDMARKS:
            break
    return tuple(found)


def _has_place(item: Item) -> bool:
    return bool(item.types) and not any(kind.lower().endswith(_EVENT) for kind in item.types)


def _dates_of_items(page: Page) -> Iterator[str]:
    pages = [item for item in page.items if any(t.lower().endswith(_PAGES) for t in item.types)]
    for name in _CHANGED:
        yield from (text for item in pages if (text := first_text(item, name)))


def _dates_of_meta(page: Page) -> Iterator[str]:
    stated = dict(reversed(page.meta))
    yield from (stated[name] for name in _CHANGED_META if name in stated)


def _seconds(text: str) -> float:
    """The seconds since the epoch of a time as ISO 8601 writes it; 0 for anything else.

    >>> _seconds("1970-01-02T01:00:00+0100"), _seconds("1970-01-02"), _seconds("yesterday")
    (86400.0, 86400.0, 0.0)
    """
    try:
        time = datetime.fromisoformat(text.strip())
        return max(0.0, (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return 0.0
