"""Joins a directory to objects of OpenStreetMap: which entry is which object, and what is new.

Objects come as a stream; those that share no key with an entry (`map_likeness.py`) are dropped.
Then each entry takes the object that agrees most, if it agrees enough and no other one, elsewhere,
agrees as much. Several entries can be one object: then the directory did not recognise that they
are the same. The result depends on neither order. What the map says in other words than the pages,
and what it lacks, is noted with each.

An entry without an exact point takes that of its object, or of a house with its address.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from geoscout.osm.records import OsmObject
from geoscout_directory.map_likeness import (
    THRESHOLD,
    Key,
    PlacedForm,
    SharedBy,
    Sign,
    entry_form,
    entry_keys,
    is_same_house,
    object_form,
    object_keys,
    signs,
    stems,
)
from geoscout_directory.opening import read_week
from geoscout_directory.records import DirectoryEntry, MapChange, MapMatch, MapStatus
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.model import Address, Point, Precision

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


_MANY = 3  # objects with the same website or telephone number: a chain
_AS_GOOD = 0.75  # two objects whose sums differ by less are hard to tell apart
_SAME_SPOT_KM = 0.2  # two objects this near are one thing drawn twice, mostly
_SPREAD_KM = 0.5  # houses of one address that are farther apart than this are not one address


class _Candidate(NamedTuple):
    found: OsmObject
    form: PlacedForm


class _Match(NamedTuple):
    score: float
    found: OsmObject
    form: PlacedForm
    why: list[Sign]


def join_entries(
    entries: Sequence[DirectoryEntry], objects: Iterable[OsmObject], without: Collection[str] = ()
) -> list[DirectoryEntry]:
    """The entries with `map` set, and with the points that the map has for them.

    `without` leaves out kinds of signs (`Sign.kind`), to measure what each contributes.
    """
    return _Joiner(entries, objects, frozenset(without)).joined()


class _Joiner:
    """One joining."""

    def __init__(
        self,
        entries: Sequence[DirectoryEntry],
        objects: Iterable[OsmObject],
        without: frozenset[str],
    ) -> None:
        self._entries, self._without = entries, without
        self._forms = [entry_form(entry) for entry in entries]
        self._asking = self._keys()
        self._candidates: dict[int, list[_Candidate]] = defaultdict(list)
        self._houses: dict[int, list[_Candidate]] = defaultdict(list)
        self._phones: Counter[str] = Counter()
        self._sites: Counter[str] = Counter()
        self._gather(objects)
        self._many = SharedBy(
            {phone for phone, count in self._phones.items() if count >= _MANY},
            {site for site, count in self._sites.items() if count >= _MANY},
        )

    def _keys(self) -> dict[Key, list[int]]:
        frequent = Counter(stem for form in self._forms for n in form.names for stem in stems(n))
        asking: dict[Key, list[int]] = defaultdict(list)
        for index, form in enumerate(self._forms):
            for key in dict.fromkeys(entry_keys(form, frequent)):
                asking[key].append(index)
        return asking

    def _gather(self, objects: Iterable[OsmObject]) -> None:
        """Keep each object for the entries that it may be, or whose house it is."""
        countries = Counter(e.address.country for e in self._entries if e.address)
        country = countries.most_common(1)[0][0] if countries else ""
        for found in objects:
            form = object_form(found, country)
            keys = object_keys(form)
            asking = {index for key in keys for index in self._asking.get(key, ())}
            if not asking:
                continue
            candidate = _Candidate(found, form)
            if form.names:
                self._phones.update(form.phones)
                self._sites.update(form.sites)
                for index in asking:
                    self._candidates[index].append(candidate)
            if form.street:
                for index in asking:
                    if _has_address(self._forms[index], form):
                        self._houses[index].append(candidate)

    def joined(self) -> list[DirectoryEntry]:
        return [self._joined(index, entry) for index, entry in enumerate(self._entries)]

    def _joined(self, index: int, entry: DirectoryEntry) -> DirectoryEntry:
        form, house = self._forms[index], self._house(index)
        match = self._match(index, house.point if house else None)
        if match is None:
            made = MapMatch(status=MapStatus.NEW)
            return _placed(entry, made, house)
        changes = tuple(changes_of(entry, match.found, (form, match.form), match.why))
        made = MapMatch(
            status=MapStatus.CHANGED if changes else MapStatus.SAME,
            osm_id=match.found.id,
            score=match.score,
            why=", ".join(sign.text for sign in match.why),
            changes=changes,
            lacks=tuple(lacking_in_map(entry, match.found)),
        )
        moved = any(change.field == "address" for change in changes)
        return _placed(entry, made, house if moved else match.found)

    def _house(self, index: int) -> OsmObject | None:
        """A house of the map with the address of an entry; None if there are several apart."""
        asked = self._forms[index].postcode
        houses = self._houses.get(index, [])
        certain = [house for house in houses if asked and house.form.postcode == asked]
        found = sorted((house.found for house in certain or houses), key=lambda one: one.id)
        if not found or _spread_km([one.point for one in found]) > _SPREAD_KM:
            return None
        return found[0]

    def _match(self, index: int, place: Point | None) -> _Match | None:
        """The object that an entry is; None without one, or if it cannot be told which."""
        ranked = sorted(self._rated(index, place), key=lambda match: (-match.score, match.found.id))
        if not ranked or ranked[0].score < THRESHOLD:
            return None
        best = ranked[0]
        for other in ranked[1:]:
            if best.score - other.score >= _AS_GOOD:
                break
            if distance_km(best.found.point, other.found.point) > _SAME_SPOT_KM:
                return None
        return best

    def _rated(self, index: int, place: Point | None) -> Iterator[_Match]:
        form = self._forms[index]
        for found, theirs in self._candidates.get(index, ()):
            told = signs(form, theirs, place, self._many)
            why = [sign for sign in told if sign.kind not in self._without]
            yield _Match(sum(sign.weight for sign in why), found, theirs, why)


def _has_address(one: PlacedForm, other: PlacedForm) -> bool:
    """Whether two have the same house in the same place, as far as both say it."""
    if one.street != other.street or not (one.house and other.house):
        return False
    if not is_same_house(one.house, other.house):
        return False
    if one.postcode and other.postcode:
        return one.postcode == other.postcode
    return not (one.city and other.city) or one.city == other.city


def _spread_km(points: Sequence[Point]) -> float:
    return max((distance_km(points[0], point) for point in points), default=0.0)


def _placed(entry: DirectoryEntry, match: MapMatch, found: OsmObject | None) -> DirectoryEntry:
    """The entry with its match, and with the point of an object unless its own is exact."""
    if found is None or entry.precision is Precision.HOUSE:
        return replace(entry, map=match)
    address = entry.address or _address_of(found)
    exact = replace(address, point=found.point, precision=Precision.HOUSE)
    return replace(entry, address=exact, map=replace(match, located_by=found.id))


def _address_of(found: OsmObject) -> Address:
    """The address that the map has, for an entry of which no page gives one."""
    given = found.address
    line = " ".join(filter(None, (given.street, given.house_number)))
    town = " ".join(filter(None, (given.postcode, given.city)))
    return Address(
        start=0, end=0, text=", ".join(filter(None, (line, town))), house_number=given.house_number,
        street=given.street, unit="", city=given.city, region="", postcode=given.postcode,
        country=given.country, point=found.point, place=None, source="osm",
        precision=Precision.HOUSE,
    )  # fmt: skip
