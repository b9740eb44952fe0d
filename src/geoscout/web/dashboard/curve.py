"""The harvest curve of a crawl, brought up to date by reading only what is new.

A crawl has up to millions of visits and a screen a thousand columns: visits are counted in steps,
and the step doubles whenever there are more than enough points.
"""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass, field

from typing_extensions import TypedDict

_MOST_POINTS = 600


class CurveJson(TypedDict):
    """Cumulated counts after so many answers."""

    visits: list[int]
    pages: list[int]
    relevant: list[int]
    seconds: list[float]  # since the first answer


@dataclass(frozen=True, slots=True)
class Totals:
    """What a crawl has come to."""

    visits: int
    pages: int
    relevant: int
    first_at: float  # seconds since the epoch, UTC; 0 before the first answer
    last_at: float


@dataclass
class HarvestCurve:
    """The curve of one crawl; one for all requests."""

    _step: int = 1
    _last: int = 0  # the visit up to which it is drawn
    _started: float = 0.0
    _ended: float = 0.0
    _counts: tuple[int, int] = (0, 0)
    _points: list[tuple[int, int, int, float]] = field(default_factory=list)
    _reading: threading.Lock = field(default_factory=threading.Lock)

    def read(self, connection: sqlite3.Connection) -> CurveJson:
        """The curve up to the last committed visit."""
        with self._reading:
            self._extend(connection)
            return self._as_json()

    def totals(self, connection: sqlite3.Connection) -> Totals:
        """The counts up to the last committed visit."""
        with self._reading:
            self._extend(connection)
            return Totals(self._last, *self._counts, self._started, self._ended)

    def _extend(self, connection: sqlite3.Connection) -> None:
        rows = connection.execute(
            "SELECT n, is_page, relevant, fetched_at FROM visit WHERE n > ? ORDER BY n",
            (self._last,),
        )
        pages, relevant = self._counts
        for n, is_page, is_relevant, at in rows:
            self._started = self._started or at
            pages, relevant = pages + is_page, relevant + is_relevant
            self._last, self._ended = n, at
            if n % self._step == 0:
                self._add((n, pages, relevant, round(at - self._started, 2)))
        self._counts = (pages, relevant)

    def _add(self, point: tuple[int, int, int, float]) -> None:
        self._points.append(point)
        if len(self._points) > _MOST_POINTS:
            self._step *= 2
            self._points = [kept for kept in self._points if kept[0] % self._step == 0]

    def _as_json(self) -> CurveJson:
        points = self._points
        if self._last and (not points or points[-1][0] != self._last):
            seconds = round(self._ended - self._started, 2)
            points = [*points, (self._last, *self._counts, seconds)]
        return {
            "visits": [point[0] for point in points],
            "pages": [point[1] for point in points],
            "relevant": [point[2] for point in points],
            "seconds": [point[3] for point in points],
        }
