"""Places the addresses of pages at their houses or streets while the index is made.

A crawl keeps the points it could find while it ran. A street table that was imported later, or
replies of a geocoder that the crawl did not wait for, count from the next update of the index on.
"""

from __future__ import annotations

from msgspec.structs import replace

from geoscout.geocode import AskingLimits, GeocodingBudget
from geoscout.store.base import StoredAddress
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address.placing import at_street, is_coarse

UPDATE_PATIENCE = AskingLimits(seconds=1.0, in_all=20.0)  # a rebuild asks for the rest


class AddressLocator:
    """Places addresses by the replies of a geocoder, else by street tables."""

    def __init__(self, gazetteer: Gazetteer, asking: GeocodingBudget | None = None) -> None:
        self._gazetteer = gazetteer
        self._asking = asking

    def locate(self, stored: StoredAddress) -> StoredAddress:
        """The address with the best point there is."""
        address = stored.address
        town = self._gazetteer.place(stored.place_id) if stored.place_id else None
        found = at_street(address, town, self._gazetteer)
        if self._asking and is_coarse(address, town, self._gazetteer):
            refined = self._asking.refine(address)
            found = refined if refined != address else found
        return stored if found == address else replace(stored, address=found)
