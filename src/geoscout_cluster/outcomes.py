"""Workers learn from each other: every group tells what became of the links it followed.

Outcomes are shared, not weights. A worker notes each outcome that its strategy learns from, the
notes go out with the group of their lane, and the other workers read them and have their own
strategies learn from them a little later. So every strategy that learns profits without knowing of
it, and sixteen workers keep the focus of one (docs/scale.md); sums or means of weights did not do
that.

A row belongs to a group of one partition, and each partition has one writer, so the rows of a
partition become visible in order, and a reader remembers no more than the last group of each.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from psycopg import Cursor

from geoscout.strategy import LinkOutcome, Scores, Source, Strategy, abilities_of
from geoscout_cluster.engine.base import Write
from geoscout_places.codec import Codec
from geoscout_places.model import Link, Request

KEPT_SECONDS = 600  # a worker that hears nothing for longer goes on without what it missed
SAVE_SECONDS = 30.0  # between two saves of what a lane has learned
MOST_LEARNED = 1000  # outcomes of others at a time; of more, the relevant ones and a sample
_MOST_ROWS = 500  # read at a time

_Row = tuple[str, str, int, int, bytes, int, bool, bool, tuple[tuple[int, ...], ...] | None]
_codec: Codec[list[_Row]] = Codec(list[_Row])

_TELL = """
INSERT INTO outcome (partition, groups, worker, packed)
SELECT number, groups, %(worker)s, %(packed)s FROM partition WHERE number = %(partition)s
"""
_FORGET = """
DELETE FROM outcome WHERE partition = %(partition)s
AND at < clock_timestamp() - make_interval(secs => %(seconds)s)
"""
_HEAR = """
SELECT partition, groups, packed FROM outcome
LEFT JOIN unnest(%(partitions)s::smallint[], %(groups)s::bigint[]) AS heard(partition, last)
    USING (partition)
WHERE groups > coalesce(heard.last, 0) AND worker <> %(worker)s
ORDER BY at, partition, groups LIMIT %(rows)s
"""
_LAST_GROUPS = "SELECT partition, max(groups) FROM outcome GROUP BY partition"


class NotingStrategy:
    """The strategy of a worker in one of its lanes: notes what it learns there.

    It has every ability of a strategy; where the strategy itself lacks one, this one does nothing.
    """

    def __init__(self, strategy: Strategy, worker: str, partition: int) -> None:
        self._abilities = abilities_of(strategy)
        self._worker = worker
        self._partition = partition
        self._notes: list[_Row] = []
        self._save_at = 0.0  # not before this time of `time.monotonic`

    def __getattr__(self, name: str) -> Any:  # whatever else a crawl asks of a strategy
        return getattr(self._abilities, name)

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        return self._abilities.score(source, links)

    def learn(self, outcome: LinkOutcome) -> None:
        self._abilities.learn(outcome)
        self._notes.append(_row(outcome))

    def save(self) -> bytes:
        """What was learned; nothing when it was saved a moment ago.

        A lane ends and begins again whenever something is sent to it, and keeps what it learned
        each time.
        """
        now = time.monotonic()
        if now < self._save_at:
            return b""
        self._save_at = now + SAVE_SECONDS
        return self._abilities.save()

    def save_soon(self) -> None:
        """Let the next save be one, whenever the last was: the lane ends."""
        self._save_at = 0.0

    def cut(self) -> Write:
        """What tells the others all that was noted, in the transaction of a group; a value."""
        notes, self._notes = self._notes, []
        packed = _codec.encode(notes) if notes else b""
        return partial(_tell, worker=self._worker, partition=self._partition, packed=packed)


class OutcomeFeed:
    """What the visits of other workers taught, from where this worker began to listen."""

    def __init__(self, worker: str, heard: dict[int, int] | None = None) -> None:
        self._worker = worker
        self._heard = dict(heard or {})  # by partition, the last group

    @classmethod
    def from_now_on(cls, cursor: Cursor[Any], worker: str) -> OutcomeFeed:
        """For a worker whose strategy has been loaded, and knows what came before."""
        return cls(worker, dict(cursor.execute(_LAST_GROUPS).fetchall()))

    def read(self, cursor: Cursor[Any]) -> list[LinkOutcome]:
        """What is new since the last time, thinned if it is too much.

        Raises:
            DamagedDataError: a row is not one of this version.
        """
        asked = {
            "partitions": list(self._heard),
            "groups": list(self._heard.values()),
            "worker": self._worker,
            "rows": _MOST_ROWS,
        }
        outcomes: list[LinkOutcome] = []
        for partition, groups, packed in cursor.execute(_HEAR, asked).fetchall():
            self._heard[partition] = max(groups, self._heard.get(partition, 0))
            outcomes += map(_outcome, _codec.decode(packed))
        return thinned(outcomes, MOST_LEARNED)


def thinned(outcomes: list[LinkOutcome], most: int) -> list[LinkOutcome]:
    """At most this many: the relevant ones, which are rare, and some of the others, evenly."""
    if len(outcomes) <= most:
        return outcomes
    others = sum(not outcome.relevant for outcome in outcomes)
    room = max(most - (len(outcomes) - others), most // 2)
    step, seen, kept = others / room if room else 1.0, 0, []
    for outcome in outcomes:
        if not outcome.relevant:
            seen += 1
        if outcome.relevant or seen // step > (seen - 1) // step:
            kept.append(outcome)
    return kept[:most]


def _row(outcome: LinkOutcome) -> _Row:
    asked = outcome.request
    return (
        asked.url, asked.parent, asked.depth, asked.distance, asked.features,
        outcome.status, outcome.relevant, outcome.duplicate, outcome.entities,
    )  # fmt: skip


def _outcome(row: _Row) -> LinkOutcome:
    url, parent, depth, distance, features, status, relevant, duplicate, entities = row
    request = Request(url, 0.0, depth, distance, parent, features=features)
    return LinkOutcome(request, status, relevant, duplicate, entities=entities)


def _tell(cursor: Cursor[Any], worker: str, partition: int, packed: bytes) -> None:
    if packed:
        named = {"worker": worker, "partition": partition, "packed": packed}
        cursor.execute(_TELL, named)
        cursor.execute(_FORGET, {"partition": partition, "seconds": KEPT_SECONDS})
