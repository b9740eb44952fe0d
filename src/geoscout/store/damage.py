"""Reads every response of a crawl, wherever it is kept, and compares it with its row."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import islice

from geoscout.model import OnProgress
from geoscout.store.base import ArchiveDamage, CrawlReader, StoredVisit

_PIECE = 200  # responses asked for at a time


def read_all_responses(reader: CrawlReader, progress: OnProgress) -> ArchiveDamage:
    """What cannot be read, or is not what it was."""
    visits, in_all = reader.visits(), reader.totals().visits
    done, lost = 0, []
    while piece := {visit.n: visit for visit in islice(visits, _PIECE)}:
        lost += sorted(piece.keys() - set(_whole(reader, piece)))
        done += len(piece)
        progress(done, max(in_all, done))
    return ArchiveDamage(done, lost)


def _whole(reader: CrawlReader, visits: dict[int, StoredVisit]) -> Iterator[int]:
    for n, response in reader.responses(visits):
        digest = hashlib.sha1(response.body, usedforsecurity=False).digest()
        if digest == visits[n].digest:
            yield n
