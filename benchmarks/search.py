"""The index at 200,000 pages: build, size, questions and updates, next to SQLite FTS5.

    python -m benchmarks.search                 200,000 pages, about ten minutes
    python -m benchmarks.search --pages 20000   a quick look

Both engines get the same pages and the same questions in the same run; `index` is what is
comparable with FTS5 (ten page numbers, ranked), `answer` is all a user gets: the query read, hits
grouped, snippets cut. Questions have one or two words, by Zipf's law without the commonest fifty.
All times are of the processor, so that a busy machine does not blur them; a question runs in one
thread with either engine.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.search_parts.fts5 import Fts5Index
from benchmarks.search_parts.pages import World, make_pages, make_world
from geoscout.index import Document
from geoscout.index.base import Wanted
from geoscout.index.reader import IndexReader
from geoscout.index.writer import IndexWriter
from geoscout.search.base import Interpretation, Question, Relation
from geoscout.search.candidates import Wish, gather_candidates
from geoscout.search.engine import SearchEngine
from geoscout.search.ranking import combine_scores, normalised, place_weight, score_places
from geoscout.search.target import make_target
from geoscout_places.gazetteer import Gazetteer, open_gazetteer
from geoscout_places.model import Place, Point

RADIUS_KM = 10.0
UPDATED = 1_000
LIMITS_MS = {"words within a place": 10.0, "words within 10 km": 10.0}
LEAST_RATIO, MOST_UPDATE_SECONDS = 5.0, 2.0
_COMMONEST = 50
_COMMIT_EVERY = 20_000


@dataclass(frozen=True)
class Ask:
    """One question."""

    words: tuple[str, ...]
    place: Place
    point: Point


def main() -> int:
    arguments = _arguments()
    gazetteer = open_gazetteer()
    world = make_world(gazetteer)
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        index, rival = folder / "index", folder / "fts5.sqlite"
        if not rival.exists():
            _build(index, rival, world, arguments.pages)
        fts5 = Fts5Index(rival)
        asks = _make_asks(world, gazetteer, arguments.questions)
        good = _compare(SearchEngine(IndexReader(index), gazetteer), fts5, asks)
        fts5.close()
        return 0 if _update(index, world) and good else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--folder", type=Path, help="keep the indexes here, or use those that are")
    return parser.parse_args()


def _build(index: Path, rival: Path, world: World, pages: int) -> None:
    making = _seconds(lambda: _exhaust(make_pages(world, pages, 1)))
    print(f"{pages:,} pages in {len(world.towns):,} towns; made in {making:.0f} s of CPU")
    seconds = _seconds(lambda: _build_index(index, world, pages))
    _print_build("geoscout", seconds - making, _size(index))
    seconds = _seconds(lambda: _build_rival(rival, world, pages))
    _print_build("FTS5", seconds - making, rival.stat().st_size)


def _build_index(folder: Path, world: World, pages: int) -> None:
    writer = _open(folder, world)
    for number, page in enumerate(make_pages(world, pages, 1), 1):
        writer.add(page)
        if number % _COMMIT_EVERY == 0:
            writer.commit(str(number))
    writer.commit(str(pages))
    writer.close()


def _build_rival(file: Path, world: World, pages: int) -> None:
    rival = Fts5Index(file)
    rival.add(make_pages(world, pages, 1), world.ancestors)
    rival.finish()
    rival.close()


def _make_asks(world: World, gazetteer: Gazetteer, count: int) -> list[Ask]:
    """Questions for towns, districts, regions and countries alike."""
    chance = np.random.default_rng(2)
    shares = world.shares[_COMMONEST:] / world.shares[_COMMONEST:].sum()
    asks = []
    for number in range(count):
        town = world.towns[int(chance.choice(len(world.towns), p=world.people))]
        levels = [town, *gazetteer.ancestors(town)][:-1]  # not the continent
        words = chance.choice(world.words[_COMMONEST:], 1 + number % 2, p=shares)
        asks.append(Ask(tuple(words.tolist()), levels[number % len(levels)], town.point))
    return asks


def _compare(engine: SearchEngine, rival: Fts5Index, asks: list[Ask]) -> bool:
    reader = engine.reader
    rows: dict[str, tuple[Callable[[Ask], object], Callable[[Ask], object]]] = {
        "words within a place": (
            lambda ask: _rank(engine, ask, Interpretation(ask.words, Relation.IN, ask.place)),
            lambda ask: rival.within_place(ask.words, ask.place.id),
        ),
        "words within 10 km": (
            lambda ask: _rank(engine, ask, Interpretation(ask.words, Relation.NEAR, None)),
            lambda ask: rival.within_distance(ask.words, ask.point, RADIUS_KM),
        ),
        "facet counts": (
            lambda ask: reader.count_places(Wanted(tuple((word,) for word in ask.words))),
            lambda ask: rival.count_places(ask.words),
        ),
    }
    print(f"\n{'':24}{'index p50':>10}{'p95':>8}{'FTS5 p50':>10}{'p95':>8}{'p95 ratio':>11}   (ms)")
    good = True
    for name, (ours, theirs) in rows.items():
        own, other = _percentiles(ours, asks), _percentiles(theirs, asks)
        ratio = other[1] / own[1]
        print(f"{name:24}{own[0]:10.2f}{own[1]:8.2f}{other[0]:10.2f}{other[1]:8.2f}{ratio:11.1f}")
        if name in LIMITS_MS:
            good &= own[1] < LIMITS_MS[name] and ratio >= LEAST_RATIO
    for name, make in _QUESTIONS.items():
        p50, p95 = _percentiles(lambda ask, make=make: engine.answer(make(ask)), asks)  # type: ignore[misc]
        print(f"{name:24}{p50:10.2f}{p95:8.2f}")
    return good


_QUESTIONS: dict[str, Callable[[Ask], Question]] = {
    "answer: in a place": lambda ask: Question(
        f"{' '.join(ask.words)} in {ask.place.name}", facets=False
    ),
    "answer: within 10 km": lambda ask: Question(
        " ".join(ask.words), near=ask.point, radius_km=RADIUS_KM, facets=False, place_id=None
    ),
    "answer: with facets": lambda ask: Question(f"{' '.join(ask.words)} in {ask.place.name}"),
}


def _rank(engine: SearchEngine, ask: Ask, interpretation: Interpretation) -> list[int]:
    """The ten best pages, ranked by words and place, as an answer has them before it is shown."""
    interpretation = replace(
        interpretation, point=ask.place.point if interpretation.place else ask.point
    )
    question = Question("", radius_km=None if interpretation.place else RADIUS_KM)
    target = make_target(interpretation, question, engine.gazetteer)
    if target is None:
        raise ValueError("a question without a place")
    words = tuple((word,) for word in ask.words)
    wish = Wish(words, None, 10)
    found = gather_candidates(engine.reader, wish, target.wheres(has_words=True)).found
    places = score_places(engine.reader, found.slots, target).scores
    scores = combine_scores(normalised(found.scores), places, place_weight(interpretation))
    return [int(slot) for slot in found.slots[np.argsort(-scores)[:10]]]


def _update(folder: Path, world: World) -> bool:
    """Change a thousand pages of the index."""
    pages = [replace(page, title="changed") for page in make_pages(world, UPDATED, 1)]
    writer = _open(folder, world)

    def change() -> None:
        for page in pages:
            writer.add(page)
        writer.commit("changed")

    with closing(writer):
        seconds = _seconds(change)
    print(f"\nupdate of {UPDATED:,} pages: {seconds:.2f} s (required: {MOST_UPDATE_SECONDS:.0f})")
    return seconds < MOST_UPDATE_SECONDS


def _open(folder: Path, world: World) -> IndexWriter:
    writer = IndexWriter.open(folder, lambda id: world.ancestors[id], "benchmark")
    if writer is None:
        raise RuntimeError("the index is locked")
    return writer


def _percentiles(ask: Callable[[Ask], object], asks: list[Ask]) -> tuple[float, float]:
    """p50 and p95 in milliseconds, once everything has been asked for once."""
    for one in asks[:20]:
        ask(one)
    times = [_seconds(lambda one=one: ask(one)) * 1000 for one in asks]  # type: ignore[misc]
    return float(np.percentile(times, 50)), float(np.percentile(times, 95))


def _seconds(run: Callable[[], object]) -> float:
    """How long something takes, in seconds of the processor, of all threads."""
    start = time.process_time()
    run()
    return time.process_time() - start


def _exhaust(pages: Iterable[Document]) -> None:
    for _ in pages:
        pass


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _print_build(name: str, seconds: float, size: int) -> None:
    print(f"{name:10} build {seconds:6.0f} s of CPU   size {size / 1e6:6.0f} MB")


if __name__ == "__main__":
    sys.exit(main())
