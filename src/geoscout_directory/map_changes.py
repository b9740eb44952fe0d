"""What the map says of a thing in other words than the pages, and what it does not say."""

from __future__ import annotations

from collections.abc import Iterator

from geoscout.osm.records import OsmObject
from geoscout_directory.map_evidence import Sign
from geoscout_directory.map_forms import PlacedForm
from geoscout_directory.opening import read_week
from geoscout_directory.records import DirectoryEntry, MapChange

_ANOTHER_NAME = 0.0  # the weight of names that are not alike enough to be the same


def changes_of(
    entry: DirectoryEntry, found: OsmObject, forms: tuple[PlacedForm, PlacedForm], why: list[Sign]
) -> Iterator[MapChange]:
    """The fields of which map and pages say different things."""
    mine, theirs = forms
    weights = {sign.kind: sign.weight for sign in why}
    if found.is_closed:
        yield MapChange("closed", "yes", "no")
    if weights.get("name", 1.0) <= _ANOTHER_NAME:
        yield MapChange("name", found.name, entry.name)
    if mine.phones and theirs.phones and mine.phones.isdisjoint(theirs.phones):
        yield MapChange("phone", "; ".join(found.phones), "; ".join(entry.phones))
    if mine.sites and theirs.sites and mine.sites.isdisjoint(theirs.sites):
        yield MapChange("website", "; ".join(found.websites), entry.website)
    if _is_other_week(found.hours, entry.hours):
        yield MapChange("opening_hours", found.hours, entry.hours)
    if weights.get("address", 1.0) < 0:
        address = found.address
        yield MapChange("address", f"{address.street} {address.house_number}", entry.street_line)


def _is_other_week(in_map: str, on_pages: str) -> bool:
    """Whether both give hours that differ on a day; what cannot be read does not differ."""
    if not (in_map and on_pages):
        return False
    one, other = read_week(in_map), read_week(on_pages)
    if not one or not other:
        return False
    return any(one[day] != other[day] for day in one.keys() & other.keys())


def lacking_in_map(entry: DirectoryEntry, found: OsmObject) -> Iterator[str]:
    """The fields that pages say and the map does not."""
    if entry.phones and not found.phones:
        yield "phone"
    if entry.website and not found.websites:
        yield "website"
    if entry.hours and not found.hours:
        yield "opening_hours"
    if entry.street_line and not found.address.street:
        yield "address"
