"""Place names in text: which stretches are names of places, and of which places.

`find_mentions` does both, or the second with what `see_names` has seen; `resolve_spans` does the
second for spans that somebody else found. `NameKnowledge.load(gazetteer)` is what they need to
know, loaded once.
"""

from geoscout_places.geo.mentions.find import PageHints, SeenNames, find_mentions, see_names
from geoscout_places.geo.mentions.given import resolve_spans
from geoscout_places.geo.mentions.knowledge import NameKnowledge

__all__ = [
    "NameKnowledge", "PageHints", "SeenNames", "find_mentions", "resolve_spans", "see_names",
]  # fmt: skip
