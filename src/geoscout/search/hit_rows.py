"""The hits of a search as rows for other programs, one for each page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from geoscout.search.base import Answer, Hit
from geoscout.store.export import ExportSource
from geoscout.store.export_rows import Row
from geoscout.store.records import date_text
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Point

_COLUMNS = (
    "rank", "n", "url", "title", "score", "language", "relevant", "fetched_at", "place", "path",
    "country", "lat", "lon", "precision", "snippet",
)  # fmt: skip


def hits_source(answer: Answer, gazetteer: Gazetteer, offset: int = 0) -> ExportSource:
    """The hits of an answer to be exported; `offset` is how many come before them."""
    return ExportSource("hits", _COLUMNS, partial(hit_rows, answer.hits, gazetteer, offset))


def hit_rows(hits: Sequence[Hit], gazetteer: Gazetteer, offset: int = 0) -> Iterator[Row]:
    """A row for each hit: its best point, and the place that most of the page is about."""
    for rank, hit in enumerate(hits, offset + 1):
        main = hit.places[0].place if hit.places else None
        point, precision = _where(hit)
        yield {
            "rank": rank,
            "n": hit.visit,
            "url": hit.url,
            "title": hit.title,
            "score": round(hit.score, 6),
            "language": hit.language,
            "relevant": hit.relevant,
            "fetched_at": date_text(hit.fetched_at),
            "place": main.name if main else None,
            "path": list(gazetteer.path(main)) if main else None,
            "country": main.country if main else None,
            "lat": point and point.latitude,
            "lon": point and point.longitude,
            "precision": precision,
            "snippet": hit.snippet.text,
        }


def _where(hit: Hit) -> tuple[Point | None, str | None]:
    """The surest point of a hit, else that of its place."""
    if hit.points:
        return hit.points[0].point, str(hit.points[0].precision)
    if hit.places:
        return hit.places[0].place.point, str(hit.places[0].place.precision)
    return None, None
