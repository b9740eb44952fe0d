"""Places that the gazetteer has as places of their own, and that are parts of a city.

GeoNames has New York City and its five boroughs side by side: Brooklyn lies in Kings County and in
the state, not in the city. Gao, Lee and Miao count their cities as the post and people do, so an
address in Brooklyn is one of New York, and so is the name. Other cities of the world do not
consist of whole districts with other names, so this is a table and not a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

_NEW_YORK = 5128581
# GeoNames ids. The counties bring along what lies in them: Jamaica, Astoria, Flushing.
_BOROUGHS = {
    "The Bronx": 5110266,
    "Brooklyn": 5110302,
    "Manhattan": 5125771,
    "Queens": 5133273,
    "Staten Island": 5139568,
}
_COUNTIES = {
    "Bronx County": 5110253,
    "Kings County": 6941775,
    "New York County": 5128594,
    "Queens County": 5133268,
    "Richmond County": 5139559,
}
# The city that a place is a part of, by their ids.
CITY_OF_PART: Mapping[int, int] = dict.fromkeys(
    (*_BOROUGHS.values(), *_COUNTIES.values()), _NEW_YORK
)


def parts_with_names(city: int) -> Iterator[int]:
    """The parts of a city by whose names people mean the city: its boroughs, not its counties."""
    if city == _NEW_YORK:
        yield from _BOROUGHS.values()
