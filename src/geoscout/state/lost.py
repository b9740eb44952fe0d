"""Requests whose responses the archive has lost wait again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from http import HTTPStatus

from geoscout.frontier.base import FrontierView
from geoscout.state.base import request_of
from geoscout.store.base import StoredVisit
from geoscout.store.reader import CrawlReader
from geoscout_places.model import Request, RequestKind

LOST = "lost"  # the kind of failure of a request whose response the archive has lost
LOST_DETAIL = "its response is damaged"


def requests_again(
    lost: Collection[StoredVisit], reader: CrawlReader, frontier: FrontierView
) -> Iterator[Request]:
    """The requests of visits that are lost, without those that have been made again since."""
    known = frontier.find({visit.url for visit in lost})
    for visit in lost:
        if not any(_replaces(later, visit, lost) for later in reader.visits_of(visit.url)):
            kind = known[visit.url].request.kind if visit.url in known else RequestKind.PAGE
            yield request_of(visit, kind)


def _replaces(later: StoredVisit, visit: StoredVisit, lost: Collection[StoredVisit]) -> bool:
    """Whether a visit of the same URL is as good as one that was lost before it."""
    is_newer = (later.fetched_at, later.n) > (visit.fetched_at, visit.n)
    is_same = later.node == visit.node and later.status != HTTPStatus.NOT_MODIFIED
    return is_newer and is_same and later not in lost
