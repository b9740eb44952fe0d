"""Places that a page states in its markup: addresses and coordinates from `Item`s.

Markup is written once and never looked at, so much of it is wrong. What cannot be right is dropped
here; what may be right is left for the resolver to compare with the gazetteer.
"""

from geoscout_places.geo.structured.addresses import address_texts_of, addresses_of
from geoscout_places.geo.structured.points import points_of, stated_precision

__all__ = ["address_texts_of", "addresses_of", "points_of", "stated_precision"]
