"""Links, pages and outcomes for the tests of strategies."""

from collections.abc import Sequence

from geoscout.strategy import LinkOutcome, Source
from geoscout_places.model import Link, Page, Request

HERE = "http://example.org/"


def link(url: str, anchor: str = "", *, around: str = "", title: str = "") -> Link:
    before, _, after = around.partition("|")
    return Link(url, anchor, title=title, before=before, after=after, tag_path="body/p/a")


def source(url: str = HERE, *, relevant: bool = False, distance: int = 0) -> Source:
    return Source(Request(url, distance=distance), Page(url, "", "en", "", ()), relevant)


def outcome(
    url: str, *, relevant: bool = False, parent: str = "", status: int = 200
) -> LinkOutcome:
    return LinkOutcome(Request(url, parent=parent), status, relevant)


def urls(names: Sequence[str]) -> list[str]:
    return [f"{HERE}{name}" for name in names]
