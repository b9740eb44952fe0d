"""Place names in text: which stretches are names of places, and of which places.

`find_mentions` does both; `NameKnowledge.load(gazetteer)` is what it needs to know, loaded once.
"""

from geoscout_places.geo.mentions.find import PageHints, find_mentions
from geoscout_places.geo.mentions.knowledge import NameKnowledge

__all__ = ["NameKnowledge", "PageHints", "find_mentions"]
