"""The rules by which a page is relevant: nine weights, or an address or the scope as published.

The weights of `about` are round numbers on the scale of the logarithm of the odds. Each says what
its piece of evidence means; labelled pages chose between a few round values, one kind of sites left
out after the other, and a fit that starts from them stays near them (`benchmarks/relevance/fit.py`)
and does no better on what was left out. Weights that are fitted freely do worse there: what a kind
of sites does not have, such as paths that name state, county and town, cannot be learned from it.

In the rules of published systems an address in the region decides, or the scope does. An address
says that something is there, where a mention only says that somebody wrote about it. Coordinates in
the markup are as good as an address. For texts that have no addresses, such as an encyclopedia, the
scope can decide instead.
"""

import math

from msgspec import Struct

from geoscout_places.gazetteer.areas.region import Region
from geoscout_places.model import Address, EvidencePart, Reading, Relevance

THRESHOLD = 0.5  # the degree from which a page counts as relevant


class RegionEvidence(Struct, frozen=True, gc=False):
    """What a page says of the region, each from 0 (nothing) to 1 unless another range is given."""

    named: float  # the share of its names that lie in the region; the wider area is neutral
    dense: float  # how much of its text they are: the logarithm of names for a thousand characters
    itself: float  # whether the region itself is named, and not only places in it
    title: (
        float  # whether the title, or the last part of the URL, names it first; 2: of a front page
    )
    path: float  # whether folders of the URL name it one in the other; -1: they name another place
    domain: float  # whether the site is in a domain of the region, such as qc.ca
    addresses: float  # the share of its addresses that lie in the region
    footer: float  # how early footers have one inside, where there are no others: 1, 1/2, 1/3
    away: float  # the share of its addresses that lie elsewhere


# Positive where more of it speaks for the region. For each name what a person reads.
WEIGHTS = RegionEvidence(
    named=3.0, dense=3.0, itself=0.7, title=1.0, path=2.5, domain=2.5,
    addresses=3.0, footer=2.5, away=-1.5,
)  # fmt: skip
NONE = -2.3  # the sum for a page that says nothing: docs/results/relevance.md has the curve
MEANINGS = {
    "named": "the share of its place names in the region",
    "dense": "how often it names the region for its length",
    "itself": "it names the region itself",
    "title": "the title or the end of the URL names the region first",
    "path": "the folders of its URL",
    "domain": "its domain is one of the region",
    "addresses": "the share of its addresses in the region",
    "footer": "the address in its footer or menu",
    "away": "the share of its addresses elsewhere",
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
        EvidencePart(name, getattr(WEIGHTS, name) * value)
        for name in _NAMES
        if (value := getattr(evidence, name))
    ]
    degree = 1 / (1 + math.exp(-NONE - sum(part.weight for part in parts)))
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
