"""Notices that a crawl has found nothing for a long time, and says what may help.

How long is long depends on the crawl. One that found a relevant page among every two and has found
none among a thousand has come to its end; one that finds a page in a hundred has not. Relevant
pages come in groups, a site or a directory at a time, so the longest stretch so far counts, too: a
crawl that has crossed a desert before may cross one again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec
from msgspec import Struct

from geoscout.settings import DEFAULT_RELEVANCE
from geoscout_places.model import Reading, RelevanceRule

BARREN = "barren"  # the name of the note
LEAST = 1000  # responses; some sites are large
BEFORE_THE_FIRST = 2000  # responses without one relevant page at all
# On synthetic webs, stretches of 80 mean gaps, and of 8 times the longest, have ended (not both);
# those numbers are of breadth first, by which relevant pages are found least evenly.
_MEAN_GAPS = 50
_LONGEST_GAPS = 4

_log = logging.getLogger(__name__)


class Stretch(Struct, frozen=True):
    """A stretch without a relevant page that is worth telling."""

    since: int  # responses of the crawl when it began
    near: int = 0  # pages in it that are about the region, but do not count by the rule
    rule: str = DEFAULT_RELEVANCE


class BarrenWatch:
    """Sees every response of a run."""

    def __init__(
        self,
        visits: int = 0,
        relevant: int = 0,
        *,
        after: int = 0,
        rule: str = DEFAULT_RELEVANCE,
        is_near: Callable[[Reading], bool] = lambda _: False,
    ) -> None:
        """`visits` and `relevant` are those of earlier runs.

        `after` is the length of a stretch that is told; 0: it follows from the harvest so far.
        `is_near` says whether a page that is not relevant is about the region nevertheless.
        """
        self._visits, self._relevant = visits, relevant
        self._began = visits  # when the present stretch began
        self._longest = 0
        self._after, self._rule, self._is_near = after, rule, is_near
        self._near = 0
        self.stretch: Stretch | None = None  # while the crawl is barren

    @property
    def limit(self) -> float:
        """How many responses without a relevant page make the crawl barren."""
        if self._after:
            return self._after
        if not self._relevant:
            return BEFORE_THE_FIRST
        mean = self._began / self._relevant
        return max(LEAST, _MEAN_GAPS * mean, _LONGEST_GAPS * self._longest)

    def see(self, reading: Reading | None, *, relevant: bool) -> bool:
        """Take a response; True when the crawl becomes barren by it, or is so no longer."""
        if not relevant and reading is not None and self._is_near(reading):
            self._near += 1
        return self.count(self._visits + 1, self._relevant + relevant)

    def count(self, visits: int, relevant: int) -> bool:
        """Take the totals of a crawl, after one response or several; the same answer."""
        before, self._visits = self._visits, visits
        if relevant > self._relevant:
            was_barren = self.stretch is not None
            self._relevant = relevant
            self._longest = max(self._longest, before - self._began)
            self._began, self._near, self.stretch = visits, 0, None
            return was_barren
        if self.stretch is not None or self._visits - self._began < self.limit:
            return False
        self.stretch = Stretch(self._began, self._near, self._rule)
        return True

    def tell(self) -> None:
        """Write to the log what `see` has found."""
        if self.stretch is None:
            _log.info("relevant pages are found again")
        else:
            _log.warning("%s", self.text())

    def text(self) -> str:
        """What people are told; "" where the crawl is not barren."""
        return "" if self.stretch is None else barren_text(self.stretch, self._visits)


def pack_stretch(stretch: Stretch | None) -> str:
    """The stretch as a note."""
    return "" if stretch is None else msgspec.json.encode(stretch).decode()


def unpack_stretch(note: str | None) -> Stretch | None:
    """The stretch of a note; None where the crawl is not barren."""
    try:
        return msgspec.json.decode(note, type=Stretch) if note else None
    except msgspec.MsgspecError:  # another version's
        return None


def barren_text(stretch: Stretch, visits: int) -> str:
    """What people are told; `visits` are all responses of the crawl until now.

    >>> barren_text(Stretch(282, near=0), 1282)
    'no relevant page among the last 1,000 responses; try more seeds, or another region'
    """
    found = f"no relevant page among the last {visits - stretch.since:,} responses"
    if stretch.near and stretch.rule != RelevanceRule.EITHER:
        lacks = "" if stretch.rule == RelevanceRule.ABOUT else f" without an {stretch.rule} there"
        return (
            f"{found}, though {stretch.near:,} of them are about the region{lacks}; try a new crawl"
            " with --set relevance=either, more seeds, or another region"
        )
    return f"{found}; try more seeds, or another region"
