"""The options of `rank`: the readings of Kozanidis, Stamou and Spiros (2009), and their ranges.

The paper leaves much open: docs/rank.md has every reading (K-1 to K-14). Those that concern the
order of links are options here, with the reading we take for the right one as default.
"""

from __future__ import annotations

from dataclasses import dataclass

from geoscout_places.errors import UsageError
from geoscout_places.plugins import PluginOptions, setting

_CHOICES = {
    "rank": ("mean", "literal"),
    "focus": ("anchor-or-window", "anchor", "window"),
    "count": ("entities", "tokens"),
    "gazetteer": ("full", "geowordnet"),
    "senses": ("", "nearest", "first", "population"),
    "admission": ("figure2", "good-seeds", "either"),
    "order": ("rank", "fifo"),
    "places": ("any", "region"),
}
_REFERENCES = ("area", "region", "globe", "batch", "decay")


@dataclass(frozen=True, slots=True)
class RankOptions(PluginOptions):
    """The readings of the paper, by K number of docs/rank.md."""

    gazetteer: str = setting("full", "whose names count: full, or geowordnet as in the paper")
    admission: str = setting(
        "figure2",
        "links by focus, as in figure 2; good-seeds: and none of a seed whose corr is 0.5 or less;"
        " either: corr or focus is enough",
    )
    rank: str = setting("mean", "K-1: mean of corr and focus, or literal: corr + focus / 2")
    reference: str = setting(
        "area", "K-2: what corr is measured by: area, region, globe, batch, decay or a length in km"
    )
    focus: str = setting("anchor-or-window", "K-5: the text whose share of places is the focus")
    count: str = setting("entities", "K-6: New York is one of the entities, or two tokens")
    senses: str = setting(
        "",
        "K-7: nearest together or first, after qualifiers and the region, or population; empty for"
        " nearest with the full gazetteer and first with GeoWordNet",
    )
    epsilon: bool = setting(
        default=False, reason="K-10: links without a place wait behind all others, not dropped"
    )
    order: str = setting("rank", "by Rank, or fifo: first found, first fetched, to compare with")
    places: str = setting("any", "any place is evidence, as in the paper, or the region's only")
    window: int = setting(25, "words on either side of the link that are looked at", "tokens")
    registrations: str = setting("", "K-8: a table of registration records; empty for none")


def check_rank_options(options: RankOptions) -> None:
    """Complain about a value that is none of the choices.

    Raises:
        UsageError: it says what would be right.
    """
    for name, choices in _CHOICES.items():
        if getattr(options, name) not in choices:
            raise UsageError(f"rank: {name} must be {' or '.join(filter(None, choices))}")
    if options.window < 0:
        raise UsageError("rank: window must be 0 tokens or more")
    length_km(options.reference)


def length_km(text: str) -> float:
    """The kilometres a reference gives; 0 for one of the words."""
    if text in _REFERENCES:
        return 0.0
    try:
        length = float(text)
    except ValueError:
        length = 0.0
    if not 0 < length < float("inf"):
        words = ", ".join(_REFERENCES)
        raise UsageError(f"rank: reference must be {words} or a length in km, not {text!r}")
    return length
