"""The records of the mapped file, for who writes and who reads them."""

from __future__ import annotations

from pathlib import Path
from struct import Struct

from geoscout_places.model import Kind, NameRole

# id, latitude, longitude, population, parent · where its name begins and how long it is · the
# numbers of its country, time zone and feature in the list of terms · the number of its kind
PLACE_RECORD = Struct("<qddqqIHHHHB")
BEARER_RECORD = Struct("<dIB")  # the score, the number of the place, the number of the role
# latitude, longitude, id of the place · where its texts begin and how long they are
POSTCODE_RECORD = Struct("<ddqII")
KINDS, ROLES = tuple(Kind), tuple(NameRole)
TERM_END, TEXT_END = "\n", "\0"


def arrays_of(gazetteer: Path) -> Path:
    """The mapped file that belongs to the SQLite file of a gazetteer."""
    return gazetteer.with_suffix(".arrays")
