"""A synthetic web in a crawl's store, and what is true of its pages by the way it was made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from geoscout.index.schema import build_analyzer
from geoscout.state.sqlite import SqliteState
from geoscout.store.base import Visit
from geoscout_lab.worlds.synthetic import SyntheticWeb
from geoscout_places.gazetteer import Gazetteer
from geoscout_places.gazetteer.areas.region_areas import NamedArea
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.geo import Geoparser
from geoscout_places.model import Place, Request, Response
from geoscout_places.parse import parse_html

NEAR_KM = 25.0  # what still counts as near a city


@dataclass(frozen=True)
class TruePage:
    """What is known of a page by the way it was made."""

    url: str
    words: frozenset[str]
    topic: str
    language: str
    city: Place | None  # that it is about
    addressed: tuple[Place, ...]  # cities of the addresses it shows
    original: int  # the number of the page it repeats; its own for most


def store_web(web: SyntheticWeb, folder: Path, geoparser: Geoparser) -> list[TruePage]:
    """Put every page of a web into a store; the truth of each."""
    state, analyzer, pages = SqliteState(folder), build_analyzer(), []
    for number in range(web.size):
        if web.status(number) != 200:
            continue
        url, content_type = web.url(number), web.content_type(number)
        headers = (("content-type", content_type),)
        response = Response(
            url, 200, headers, web.html(number), "", fetched_at=1.7e9 + number, seconds=0.0
        )
        page = parse_html(response.body, url, content_type)
        state.writer.add(Visit(Request(url), response, page, geoparser.read(page)))
        words = frozenset(analyzer.analyze(f"{page.title} {page.text}"))
        pages.append(_true_page(web, number, words))
    state.save()
    state.close()
    return pages


def _true_page(web: SyntheticWeb, number: int, words: frozenset[str]) -> TruePage:
    city = web.city(number)
    entities = web.register.entities(number)
    shown = {entity.city.place.id: entity.city.place for entity in entities}
    return TruePage(
        url=web.url(number),
        words=words,
        topic=web.register.topic(number),
        language=web.site(number).language.code,
        city=city.place if city else None,
        addressed=tuple(shown.values()),
        original=int(web.structure.original[number]),
    )


def gain_of(
    page: TruePage,
    words: tuple[str, ...],
    place: Place | None,
    relation: str,
    gazetteer: Gazetteer,
) -> int:
    """0 to 3: with all words 2 for a page about the place or with an address in it, 3 for both.

    Where near was asked for, 1 for what is about a place near by.
    """
    if not page.words.issuperset(words):
        return 0
    if place is None:
        return 2
    is_about = page.city is not None and is_inside(page.city, place, gazetteer)
    has_address = any(is_inside(city, place, gazetteer) for city in page.addressed)
    if is_about or has_address:
        return 3 if is_about and has_address else 2
    is_near = page.city is not None and distance_km(page.city.point, place.point) <= NEAR_KM
    return 1 if is_near and relation == "near" else 0


def is_inside(inner: Place, outer: Place, gazetteer: Gazetteer) -> bool:
    """By the hierarchy, where a city is also the district that is no more than the city."""
    same = NamedArea(outer, gazetteer).place_ids
    return inner.id in same or any(p.id in same for p in gazetteer.ancestors(inner))
