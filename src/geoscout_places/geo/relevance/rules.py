"""The rules by which a page is relevant: six weights, or an address or the scope as published.

The weights are of a logistic model and say how much each piece of evidence counts. They were fitted
on the labelled pages of `benchmarks/relevance`, with the sign of each one fixed beforehand by what
it means, and checked by leaving out one site after the other. They are few because the labelled
pages come from few sites. What was tried and left out because it did not help on sites that were
left out: the share of the host's other pages that name the region, the region's name in the host
name, and the main place of the scope.

In the rules of published systems an address in the region decides, or the scope does. An address
says that something is there, where a mention only says that somebody wrote about it. Coordinates in
the markup are as good as an address. For texts that have no addresses, such as an encyclopedia, the
scope can decide instead.
"""

from __future__ import annotations

import math

from msgspec import Struct

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Address, EvidencePart, Reading, Relevance

THRESHOLD = 0.5  # the degree from which a page counts as relevant


class RegionEvidence(Struct, frozen=True, gc=False):
    """What a page says of the region, each from 0 (nothing) upwards."""

    named: float  # the share of its names that lie in the region, 0 to 1; the wider area is neutral
    dense: float  # how much of its text they are: the logarithm of names for a thousand characters
    lead: float  # how early it names the region: 1 in the title, the URL or the first line
    addresses: float  # the share of its addresses and points that lie in the region, 0 to 1
    away: float  # the share of its addresses and points that lie elsewhere, 0 to 1
    spread: float  # how many places elsewhere it names: 0 for none, near 1 for dozens


# Positive where more of it speaks for the region. For each name what a person reads.
_WEIGHTS = RegionEvidence(
    named=1.77, dense=1.76, lead=2.91, addresses=2.51, away=-2.74, spread=-0.99
)
_NONE = -2.94  # the sum for a page that says nothing
MEANINGS = {
    "named": "the share of its place names in the region",
    "dense": "how often it names the region for its length",
    "lead": "how early it names the region: title, URL, first lines",
    "addresses": "the share of its addresses in the region",
    "away": "the share of its addresses elsewhere",
    "spread": "how many other places it names",
    "address": "an address or a point in the region",
    "scope": "what its place names are mostly about",
}
_NAMES = RegionEvidence.__struct_fields__


def describe(relevance: Relevance) -> list[str]:
    """What decided, in words, the most important first; empty for a page that says nothing."""
    return [f"{MEANINGS[part.name]} ({part.weight:+.1f})" for part in relevance.parts]


def weigh(evidence: RegionEvidence) -> Relevance:
    """The degree to which a page is about the region, and what it comes from, the most first."""
    parts = [
        EvidencePart(name, getattr(_WEIGHTS, name) * value)
        for name in _NAMES
        if (value := getattr(evidence, name))
    ]
    degree = 1 / (1 + math.exp(-_NONE - sum(part.weight for part in parts)))
    parts.sort(key=lambda part: -abs(part.weight))
    return Relevance(degree >= THRESHOLD, degree, tuple(parts))


_MAIN_SHARE = 0.5  # of the scope: a place with more is what the page is about


def has_address_inside(reading: Reading, region: Region) -> bool:
    """Whether an address or a stated point of the page lies in the region."""
    return any(is_inside(address, region) for address in reading.addresses) or any(
        region.contains_point(point) for point, _ in reading.points
    )


def has_scope_inside(reading: Reading, region: Region) -> bool:
    """Whether the places in the region have most of the page's scope, or the main place is one."""
    inside = [part for part in reading.scope if region.contains_place(part.place)]
    if not inside:
        return False
    return inside[0] is reading.scope[0] or sum(part.score for part in inside) >= _MAIN_SHARE


def is_inside(address: Address, region: Region) -> bool:
    """Whether an address lies in the region: by its city, else its postcode, else its point."""
    if address.place is not None:
        return region.contains_place(address.place)
    if address.postcode and region.contains_postcode(address.country, address.postcode):
        return True
    return address.point is not None and region.contains_point(address.point)
