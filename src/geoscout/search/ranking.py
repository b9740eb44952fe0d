"""Scores candidates: text score times place score, weighed by what the question asks for.

    score = text ** (1 - weight) * place ** weight * fit

All are from 0 to 1. A product, because a page about the right thing in the wrong place is as
useless as the reverse. The weight of the place is highest for a single word with "in" before the
place, and lower for bare names and for many words, which tell pages apart by themselves.

What fits less is lowered a little: another language than that of the query, long lists of
addresses, and pages of others where the host of one has the name asked for.

The text score is BM25's or that of the vector space model, the angle between the words of page and
query (SMART's lnc.ltc, a usual form of tf-idf). That is worked out for the candidates that BM25
found: the published system has a few thousand pages, where one may compare with all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt

import numpy as np
import numpy.typing as npt

from geoscout.index.base import ADDRESS, MAIN, Found, Index, PageTraits, SpotRows, Word
from geoscout.index.places import are_about, distances_km
from geoscout.search.base import Interpretation, Relation
from geoscout.search.target import (
    EXACT_STRENGTH,
    ROUGH_WEIGHT,
    TOWN_OF_STREET,
    Target,
    drawn_areas,
    region_places,
)
from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.gazetteer.areas.shapes import Box
from geoscout_places.model import Point

EXPLICIT_WEIGHT, BARE_WEIGHT = 0.6, 0.5
WEIGHT_LOST_PER_WORD = 0.15  # of the weight, for every word after the first
# What a page has inside the place: the least, and what its share of the page's scope adds.
ADDRESS_SCORE = (0.8, 0.2)
MAIN_SCORE = (0.6, 0.3)
SCOPE_SCORE = (0.3, 0.4)
MENTION_SCORE, SMALL_MENTION_SCORE = 0.15, 0.3  # the second of a square or quarter
# The name is in the title, address or in-link, or among the words, but was not read as this place.
TITLED_SCORE, NAMED_SCORE = 0.5, 0.1

# For a question that is nothing but a place: the weight of the place next to its name, and what
# counts as text for a page that does not have the name as it is written.
NAME_WEIGHT, NO_NAME = 0.5, 0.2

Scores = npt.NDArray[np.float64]
Slots = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PlaceScores:
    """How well each candidate belongs to the place asked for."""

    scores: Scores  # 0 to 1
    inside: Scores  # the part that comes from the hierarchy
    distances_km: Scores  # of the nearest spot from the centre; infinite where there is none
    reaches_km: Scores  # by how much that may be wrong

    def taken(self, order: Slots) -> PlaceScores:
        """The scores of some candidates in another order."""
        parts = (self.scores, self.inside, self.distances_km, self.reaches_km)
        return PlaceScores(*(part[order] for part in parts))

    def at_least(self, least: float, chosen: npt.NDArray[np.bool_]) -> PlaceScores:
        """The scores where some candidates have at least this one."""
        scores = np.where(chosen, np.maximum(self.scores, least), self.scores)
        return replace(self, scores=scores)


def are_among(slots: Slots, chosen: Slots) -> npt.NDArray[np.bool_]:
    """Which slots are among others; of a few hundred a set tells it in a third of numpy's time."""
    known = set(chosen.tolist())
    return np.array([slot in known for slot in slots.tolist()], bool)


def place_weight(interpretation: Interpretation) -> float:
    """How much the place counts: 0 without one, 1 when there are no words."""
    if not interpretation.relation:
        return 0.0
    if not interpretation.words:
        return 1.0
    weight = EXPLICIT_WEIGHT if interpretation.is_explicit else BARE_WEIGHT
    return weight / (1 + WEIGHT_LOST_PER_WORD * (len(interpretation.words) - 1))


def score_places(
    index: Index, slots: Slots, target: Target, *, measure: bool = False
) -> PlaceScores:
    """The place scores of candidates; distances only where they count or `measure` asks."""
    inside = _inside(index, slots, target)
    is_measured = measure or target.relation is Relation.NEAR or target.limit_km is not None
    if not is_measured:
        return PlaceScores(inside, inside, np.full(len(slots), np.inf), np.zeros(len(slots)))
    near, distances, reaches = _near(index, slots, target)
    is_near = target.relation is Relation.NEAR
    weight = TOWN_OF_STREET if target.town else 1.0
    scores = np.maximum(inside * weight, near) if is_near else inside
    if target.limit_km is not None:
        scores = np.where(distances <= target.limit_km, scores, 0.0)
    return PlaceScores(scores, inside, distances, reaches)


def combine_scores(text: Scores, place: Scores, weight: float) -> Scores:
    """The scores of candidates; both parts are from 0 to 1."""
    combined: Scores = text ** (1 - weight) * place**weight
    return combined


def normalised(scores: Scores) -> Scores:
    """Text scores as parts of the best one; without any words all are 1."""
    best = scores.max(initial=0.0)
    return scores / best if best > 0 else np.ones_like(scores)


def _inside(index: Index, slots: Slots, target: Target) -> Scores:
    """What the candidates have inside the place, by the hierarchy."""
    scores = np.zeros(len(slots))
    places = target.places or target.town
    if not places:
        return scores
    rows = index.places_at(slots, places)
    share = rows.shares.astype(np.float64)
    mentioned = SMALL_MENTION_SCORE if target.is_small else MENTION_SCORE
    worth = np.where(share > 0, SCOPE_SCORE[0] + SCOPE_SCORE[1] * share, mentioned)
    worth = np.where(rows.flags & MAIN > 0, MAIN_SCORE[0] + MAIN_SCORE[1] * share, worth)
    worth = np.where(rows.flags & ADDRESS > 0, ADDRESS_SCORE[0] + ADDRESS_SCORE[1] * share, worth)
    np.maximum.at(scores, rows.owners, np.maximum(worth, mentioned))
    return scores


def _near(index: Index, slots: Slots, target: Target) -> tuple[Scores, Scores, Scores]:
    """What distance leaves of the candidates' spots, the least distance, and how exact that is."""
    spots = index.spots_of(slots)
    measured = distances_km(target.center, spots.latitudes, spots.longitudes)
    beyond = np.maximum(measured - target.radius_km, 0.0)
    left = np.exp(-beyond / target.scale_km) * spots.strengths
    if target.town:  # how far the page is from a street cannot be told from the point of its town
        is_rough = spots.strengths < EXACT_STRENGTH
        is_known = np.isin(spots.owners, spots.owners[~is_rough])
        left = np.where(is_rough, np.where(is_known, 0.0, left * ROUGH_WEIGHT), left)
        measured = np.where(is_rough, np.inf, measured)
    if target.limit_km is not None:  # nobody knows whether a page of a city is within 500 m
        measured = np.where(spots.reaches_km > target.limit_km, np.inf, measured)
    scores, nearest = np.zeros(len(slots)), np.full(len(slots), np.inf)
    np.maximum.at(scores, spots.owners, left)
    np.minimum.at(nearest, spots.owners, measured)
    reaches = np.full(len(slots), np.inf)
    is_nearest = measured == nearest[spots.owners]
    np.minimum.at(reaches, spots.owners[is_nearest], spots.reaches_km[is_nearest])
    return scores, nearest, reaches


def is_within(index: Index, slots: Slots, region: Region) -> npt.NDArray[np.bool_]:
    """Which candidates belong to a region: by the hierarchy if it is named, by spots if drawn.

    As with facets, a page that only names the region does not belong to it.
    """
    inside = np.zeros(len(slots), bool)
    if ids := region_places(region):
        rows = index.places_at(slots, tuple(ids))
        inside[rows.owners[are_about(rows)]] = True
    spots = index.spots_of(slots)
    for area in drawn_areas(region):
        if isinstance(area.shape, Box):  # what a map shows: asked for at every move
            inside[spots.owners[_in_box(spots, area.shape)]] = True
        else:
            points = zip(spots.latitudes.tolist(), spots.longitudes.tolist(), strict=True)
            held = [area.shape.contains(Point(*degrees)) for degrees in points]
            inside[spots.owners[np.array(held, bool)]] = True
    return inside


def _in_box(spots: SpotRows, box: Box) -> npt.NDArray[np.bool_]:
    latitude, longitude = spots.latitudes, spots.longitudes.astype(np.float64)
    held: npt.NDArray[np.bool_] = (
        (latitude >= box.south)
        & (latitude <= box.north)
        & ((longitude - box.west) % 360 <= (box.east - box.west) % 360)
    )
    return held


MOST = 300  # candidates that are compared; their texts are read again


def rescore(reader: Index, found: Found, words: Sequence[Word]) -> Found:
    """The best candidates again, with cosines for scores, the highest first."""
    rarities = [_rarity(reader, word) for word in words]
    length = sqrt(sum(rarity**2 for rarity in rarities)) or 1.0
    slots = found.slots[:MOST]
    scores = np.array([_dot(reader, int(slot), words, rarities) for slot in slots], np.float64)
    lengths: Scores = reader.lengths_of(slots).astype(np.float64)
    cosines = scores / np.maximum(lengths, 1e-9) / length
    order = np.argsort(-cosines, kind="stable")
    return Found(slots[order], cosines[order], found.total)


def _dot(reader: Index, slot: int, words: Sequence[Word], rarities: list[float]) -> float:
    counts = reader.word_counts(slot)
    times = [sum(counts[form] for form in word) for word in words]
    return sum(r * (1 + log(t)) for r, t in zip(rarities, times, strict=True) if t)


def _rarity(reader: Index, word: Word) -> float:
    pages = sum(reader.pages_with(form) for form in word)
    return log(1 + reader.page_count / max(pages, 1))


OTHER_LANGUAGE = 0.35  # left of a page in a language that the query is surely not in
UNKNOWN_LANGUAGE = 0.7
ENTRIES = 5  # addresses of a page that is not a list yet
LOST_BY_TENFOLD = 0.12  # for ten times as many
LONG_LIST = 0.6  # left at least
OWN_SITE = 0.8  # of a page that is not on the site with the name asked for, where there is one
_LOOKED_AT = 30  # candidates, the best ones, whose hosts are compared with the query
_SHORTEST_NAME = 5  # letters of a name that a host has
_LONGER = 1.5  # times the words of a query that the name of a host may have, for small words
_HOSTS_REMEMBERED = 10_000
_SPELT = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("ss", "s"))  # as hosts write umlauts


def fit_of(
    index: Index, slots: Slots, languages: Mapping[str, float], exact: Slots | None = None
) -> Scores:
    """What language and length of lists leave of the scores of candidates.

    A list that has the very address asked for, as those of `exact` do, is not too long.
    """
    traits = index.traits_of(slots)
    by_entries = _by_entries(traits)
    if exact is not None:
        by_entries[are_among(slots, exact)] = 1.0
    return _by_language(traits, languages) * by_entries


def _by_language(traits: PageTraits, languages: Mapping[str, float]) -> Scores:
    fit = np.ones(len(traits.languages))
    if not languages:
        return fit
    for code in set(traits.languages.tolist()):
        likely = languages.get(code.decode(), 0.0)
        left = OTHER_LANGUAGE + (1 - OTHER_LANGUAGE) * likely if code else UNKNOWN_LANGUAGE
        fit[traits.languages == code] = left
    return fit


def _by_entries(traits: PageTraits) -> Scores:
    times = np.maximum(traits.listed / ENTRIES, 1.0)
    fit: Scores = np.maximum(1 - LOST_BY_TENFOLD * np.log10(times), LONG_LIST)
    return fit


def own_site_fit(index: Index, slots: Slots, words: Sequence[str]) -> Scores:
    """What is left of candidates, the best first, where the host of one has the name asked for."""
    fit = np.ones(len(slots))
    name = "".join(words)
    if len(name) < _SHORTEST_NAME:
        return fit
    spelt = [_plain(word) for word in words]
    hosts = [url.split("/", 3)[2] for url in index.urls_of(slots[:_LOOKED_AT])]
    is_own = [is_named_after(host, spelt) for host in hosts]
    if any(is_own):
        fit[:] = OWN_SITE
        fit[: len(is_own)][is_own] = 1.0
    return fit


def is_named_after(host: str, spelt: Sequence[str]) -> bool:
    """Whether the name of a host has all words of a query, and hardly anything else.

    The words are spelt plainly, without umlauts and doubled letters.

    >>> is_named_after("www.hofbraeuhaus.de", ["hofbrauhaus"])
    True
    >>> is_named_after("museum-brandhorst.de", ["museum", "brandhorst"])
    True
    >>> is_named_after("pizza-and-pasta.example", ["pizza"])
    False
    """
    label = _labels[host]
    return all(word in label for word in spelt) and len(label) <= _LONGER * sum(map(len, spelt))


def _label(host: str) -> str:
    return _plain(host.removeprefix("www.").rpartition(".")[0])


_labels = BoundedCache(_label, _HOSTS_REMEMBERED)


def _plain(text: str) -> str:
    plain = text.lower().replace("-", "").replace(".", "")
    for old, new in _SPELT:
        plain = plain.replace(old, new)
    return plain
