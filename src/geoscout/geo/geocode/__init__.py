"""The point of a house by a geocoding service, for those who name one in the setting `geocoder`.

Everything else in `geo` is pure and works offline; this package asks the network. `open_geocoder`
reads the setting. `Geocoder` keeps every reply in a file, asks no more often than the service
allows, whatever number of processes ask, and leaves a service alone that fails.
"""

from geoscout.geo.geocode.geocoder import (
    AskingLimits,
    Geocoder,
    GeocodingBudget,
    open_geocoder,
    read_geocoder,
)

__all__ = ["AskingLimits", "Geocoder", "GeocodingBudget", "open_geocoder", "read_geocoder"]
