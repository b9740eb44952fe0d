"""The geoparser: a page's addresses, place names and scope.

`load_geoparser().read(page)` gives all of it. The parts are pure functions and usable alone:
`geo.address.extract_addresses`, `geo.mentions.find_mentions`, `geo.structured.addresses_of`,
`geo.scope.find_scope`.
"""

from geoscout.geo.geoparser import Geoparser, load_geoparser

__all__ = ["Geoparser", "load_geoparser"]
