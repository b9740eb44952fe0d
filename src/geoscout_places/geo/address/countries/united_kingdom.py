"""Addresses of the United Kingdom: "Unit 5, 71-75 Shelton Street, London WC2H 9JQ".

Only the postcode has a fixed form. The lines before it are read from right to left: country and
county are stepped over, then comes the town, then the street; many a line has no number at all.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import english_streets, towns
from geoscout_places.geo.address.base import (
    AddressFormat,
    Finding,
    Sighting,
    Street,
    StreetEvidence,
    Town,
    Trigger,
)
from geoscout_places.geo.address.segments import Segment, find_street, leftward, segment_words
from geoscout_places.geo.address.towns import read_street_and_town
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Kind, Place, Postcode

# The code "WC2H 9JQ" is seen at its first digit; its letters are read from there.
_CODE = r"(?<=[A-Z])(?<![a-z].)[0-9][0-9A-Z]?[ \u00a0]{0,2}[0-9][ABD-HJLNP-UW-Z]{2}(?![A-Za-z0-9])"
_AREA = lazy_pattern(r"(?<![A-Za-z0-9])[A-PR-UWYZ][A-HK-Y]?$")
_NATIONS = lazy_pattern(
    r"(?:the\s)?(?:u\.?k\.?|united\skingdom|great\sbritain|g\.?b\.?|england|scotland|wales"
    r"|northern\sireland|n\.?\s?ireland|jersey|guernsey|isle\sof\sman|channel\sislands)",
    re.IGNORECASE,
)
_COUNTY = lazy_pattern(r"(?:co\.|county|greater)\s.*|.*shire", re.IGNORECASE)
_SHORT_COUNTY = lazy_pattern(
    r"[A-Z][a-z]{3,7}s\.?"
)  # Herts, Glos.: many a town looks like that too
_TOWN_KM = 35.0
# Countries of their own in the gazetteer whose post is like the British one, by its letters.
_ISLANDS = {"GY": "GG", "IM": "IM", "JE": "JE"}
_MOST_LINES = 4  # from the postcode to the town: country, county, and one that is unknown
_GRAMMAR = replace(english_streets.GRAMMAR, most_strangers=3, unnumbered_strangers=2)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address whose postcode is at the sighting."""
    area = _AREA.search(sighting.text, max(0, sighting.start - 3), sighting.start)
    if area is None:
        return None
    postcode = f"{area.group()}{sighting.trigger}"
    country = _ISLANDS.get(area.group(), "GB")
    rows = sighting.gazetteer.postcodes(country, postcode[:-3].strip())
    if not rows:
        return None
    start = sighting.start - len(area.group())
    segments = leftward(sighting.text, sighting.leftmost, start)
    region, town, rest = _read_town(sighting.gazetteer, segments, rows)
    street = find_street(chain(rest, segments), _GRAMMAR)
    if not _is_enough(town, street):
        return None
    starts = [part.start for part in (street, town) if part]
    point = towns.nearest_point(rows, town.place if town else None)
    return Finding(
        min(starts),
        sighting.end,
        street,
        town,
        region,
        postcode=postcode,
        point=point,
        country=country,
    )


def _is_enough(town: Town | None, street: Street | None) -> bool:
    """A known town, or a street that can be nothing else."""
    evidence = street.evidence if street else StreetEvidence.NONE
    return town is not None or evidence >= StreetEvidence.LIKELY


def _read_town(
    gazetteer: Gazetteer, segments: Iterator[Segment], rows: Sequence[Postcode]
) -> tuple[str, Town | None, list[Segment]]:
    """The county, the town, and what was read but belongs to neither."""
    county, unknown = "", 0
    seen: list[Segment] = []
    for segment in islice(segments, _MOST_LINES):
        seen.append(segment)
        if _NATIONS.fullmatch(segment.text):
            continue
        is_county = _COUNTY.fullmatch(segment.text) is not None
        if not is_county and (found := _town_at_end(gazetteer, segment, rows)):
            town, rest = found
            return county, town, [rest] if rest.text else []
        if is_county or _is_county(gazetteer, segment):
            county = segment.text
        elif unknown or not _is_short_name(segment):
            break
        else:
            unknown += 1
    return county, None, seen


def _is_county(gazetteer: Gazetteer, segment: Segment) -> bool:
    if _SHORT_COUNTY.fullmatch(segment.text):
        return True
    return any(
        candidate.place.country == "GB" and candidate.place.kind in (Kind.REGION, Kind.DISTRICT)
        for candidate in gazetteer.candidates(segment.text)
    )


def _is_short_name(segment: Segment) -> bool:
    text = segment.text
    return text[0].isupper() and len(text.split()) <= 3 and not any(map(str.isdigit, text))


def _town_at_end(
    gazetteer: Gazetteer, segment: Segment, rows: Sequence[Postcode]
) -> tuple[Town, Segment] | None:
    """The longest town name this segment ends in that lies near the postcode."""
    for word in segment_words(segment.text)[-4:]:
        name = segment.text[word.start :].rstrip(".")
        if not name[0].isupper() or any(map(str.isdigit, name)):
            continue
        if place := _nearest(gazetteer, name, rows):
            start = segment.start + word.start
            town = Town(start, start + len(name), name, place, is_proven=True)
            return town, segment.part(0, word.start)
    return None


def _nearest(gazetteer: Gazetteer, name: str, rows: Sequence[Postcode]) -> Place | None:
    for row in rows:
        if place := towns.town_near(gazetteer, name, row.country, row.point, _TOWN_KM):
            return place
    return None


def read_with_town(sighting: Sighting) -> Finding | None:
    """The address around a house number with a large town behind it."""
    return read_street_and_town(sighting, "GB", english_streets.read_street)


def create() -> AddressFormat:
    """The format of the United Kingdom."""
    return AddressFormat(
        country="GB",
        triggers=(
            Trigger(_CODE, read_with_postcode),
            Trigger(english_streets.STREET_AND_TOWN, read_with_town),
        ),
        other_countries=frozenset(_ISLANDS.values()),
    )
