"""The harvest curve of a crawl, brought up to date by reading only what is new.

A crawl has up to millions of visits and a screen a thousand columns: visits are counted in steps,
and the step doubles whenever there are more than enough points.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from geoscout.store.base import Cursor, Totals
from geoscout.store.reader import CrawlFigures

_MOST_POINTS = 600
_Drawn = tuple[int, int, int, float]  # visits, pages, relevant ones, seconds since the first


@dataclass(frozen=True, slots=True)
class CurvePoints:
    """Counts up to each of these numbers of responses."""

    visits: list[int]
    pages: list[int]
    relevant: list[int]
    seconds: list[float]  # since the first response


@dataclass
class HarvestCurve:
    """The curve of one crawl; one for all requests."""

    _step: int = 1
    _cursor: Cursor = ""  # up to which it is drawn
    _totals: Totals = field(default_factory=Totals)  # up to there
    _points: list[_Drawn] = field(default_factory=list)
    _reading: threading.Lock = field(default_factory=threading.Lock)

    def read(self, crawl: CrawlFigures) -> CurvePoints:
        """The curve up to the last committed visit."""
        with self._reading:
            self._extend(crawl)
            return self._all_points()

    def totals(self, crawl: CrawlFigures) -> Totals:
        """The counts up to the last committed visit."""
        with self._reading:
            self._extend(crawl)
            return self._totals

    def _extend(self, crawl: CrawlFigures) -> None:
        known = self._totals
        visits, pages, relevant = known.visits, known.pages, known.relevant
        started, ended = known.first_at, known.last_at
        while (growth := crawl.growth(self._cursor)).steps:
            for step in growth.steps:
                drawn = visits // self._step
                visits, pages = visits + step.visits, pages + step.pages
                relevant, ended = relevant + step.relevant, step.at
                started = started or ended
                if visits // self._step > drawn:
                    self._add((visits, pages, relevant, round(ended - started, 2)))
            self._cursor = growth.cursor
            self._totals = Totals(visits, pages, relevant, started, ended)

    def _add(self, point: _Drawn) -> None:
        self._points.append(point)
        if len(self._points) > _MOST_POINTS:
            self._step *= 2
            self._points = self._points[1::2]

    def _all_points(self) -> CurvePoints:
        points, known = self._points, self._totals
        if known.visits and (not points or points[-1][0] != known.visits):
            seconds = round(known.last_at - known.first_at, 2)
            points = [*points, (known.visits, known.pages, known.relevant, seconds)]
        return CurvePoints(
            [point[0] for point in points],
            [point[1] for point in points],
            [point[2] for point in points],
            [point[3] for point in points],
        )
