"""Addresses of Japan, in Latin script and in Japanese.

"1-2-3 Shibuya, Shibuya-ku, Tokyo 150-0002, Japan" goes from the house to the prefecture, and
"〒150-0002 東京都渋谷区渋谷2-21-1" the other way.
"""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.base import (
    LONG_NUMBER,
    AddressFormat,
    Finding,
    Sighting,
    Street,
    StreetEvidence,
    Town,
    Trigger,
)
from geoscout_places.geo.address.segments import Segment, is_foreign, leftward
from geoscout_places.geo.address.town_first import (
    CodeBehind,
    PostalAreas,
    TownFirst,
    read_town_first,
    town_at_end,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Place

_AREAS = PostalAreas(
    "JP",
    """
    00 Hokkaido
    01 Akita
    02 Iwate
    03 Aomori
    04 Hokkaido
    10 Tokyo
    21 Kanagawa
    26 Chiba
    30 Ibaraki
    32 Tochigi
    33 Saitama
    37 Gunma
    38 Nagano
    40 Yamanashi
    41 Shizuoka
    44 Aichi
    498 Mie|Aichi
    50 Gifu
    51 Mie
    52 Shiga
    53 Osaka
    60 Kyoto
    618 Kyoto|Osaka
    619 Kyoto
    63 Nara
    64 Wakayama
    65 Hyōgo
    68 Tottori
    69 Shimane
    70 Okayama
    72 Hiroshima
    74 Yamaguchi
    76 Kagawa
    77 Tokushima
    78 Kochi
    79 Ehime
    80 Fukuoka
    84 Saga
    85 Nagasaki
    86 Kumamoto
    87 Oita
    88 Miyazaki
    89 Kagoshima
    90 Okinawa
    91 Fukui
    92 Ishikawa
    93 Toyama
    94 Niigata
    96 Fukushima
    98 Miyagi
    99 Yamagata
    """,
)
_PREFECTURES = frozenset(fold(name) for names in _AREAS.regions for name in names) - {"tokyo"}
_CODE = (
    LONG_NUMBER + r"(?:(?<=[A-Za-z.,] )|(?<=〒)|(?<=〒\s)|(?<=[A-Za-z]\n))[0-9]{3}[-–−‐－][0-9]{4}"
    r"(?![0-9A-Za-z]|[-–][0-9])"
)
_SUFFIX = lazy_pattern(r"(?:-shi|\scity|-to|-fu|-ken|\sprefecture|\spref\.?)$", re.IGNORECASE)
_WARD = lazy_pattern(r".*(?:-ku|\sward|\sku)", re.IGNORECASE)
# "1-2-3 Shibuya", "2 Chome-2-1 Dogenzaka", "19-19", and behind the name: "Umeda 3-1-1".
_BLOCK = r"(?:[0-9]{1,3}[\s-]?ch[oō]me[\s-]{0,2})?[0-9]{1,5}(?:[-–−‐][0-9]{1,5}){0,3}"
_NUMBER_FIRST = lazy_pattern(rf"(?P<number>{_BLOCK})(?:\s(?P<name>[^\W\d_].*))?", re.IGNORECASE)
_NUMBER_LAST = lazy_pattern(
    r"(?P<name>[A-Z][^0-9]*?)\s(?P<number>[0-9]{1,4}(?:[-–−‐][0-9]{1,4}){1,3})"
)
_JAPANESE = lazy_pattern(
    r"[\s、,]{0,4}(?P<prefecture>東京都|北海道|京都府|大阪府|[^\s0-9]{2,3}県)?"
    r"(?P<run>[^\s\d、。,「」()（）]{2,24})"
)
_JAPANESE_STREET = lazy_pattern(
    r"(?P<name>(?:[^\s\d、。「」]|\d{1,2}条){0,24})[ \u3000]?"
    r"(?P<number>\d{1,5}(?:(?:丁目|番地|番|号|[-−‐–ー－の])\d{0,5}){0,6})?"
)
_MOST_SEGMENTS = 6
_LONGEST = 60  # code points of a segment
_LONGEST_RIGHT = 160  # of an address behind its code


def _find_street(segments: Iterator[Segment]) -> Street | None:
    """The block and house of an address in Latin script, or what stands before its ward."""
    names: list[Segment] = []
    wanted = _MOST_SEGMENTS  # names up to the one before the ward
    for segment in islice(segments, _MOST_SEGMENTS):
        if len(segment.text) > _LONGEST or is_foreign(segment):
            break
        if street := _numbered(segment, names):
            return street
        if len(names) == wanted:
            break  # what follows is a building or a company
        names.append(segment)
        if _WARD.fullmatch(segment.text):
            wanted = len(names) + 1
    if wanted == _MOST_SEGMENTS:
        return None
    name, evidence = names[-1], StreetEvidence.UNNUMBERED
    return Street(name.start, name.end, "", name.text, "", evidence=evidence)


def _numbered(segment: Segment, names: list[Segment]) -> Street | None:
    match = _NUMBER_FIRST.fullmatch(segment.text) or _NUMBER_LAST.fullmatch(segment.text)
    if match is None or (not match["name"] and not names):
        return None
    name = match["name"] or names[-1].text
    end = segment.end if match["name"] else names[-1].end
    is_block = not match["number"].isdigit()
    evidence = StreetEvidence.TYPED if is_block else StreetEvidence.LIKELY
    return Street(segment.start, end, match["number"], name, "", evidence=evidence)


_JAPAN = TownFirst(
    find_street=_find_street,
    between=lazy_pattern(r"japan|japon|japón|nippon|〒", re.IGNORECASE),
    own_name=lazy_pattern(r"[\s,.|-]{1,4}(?:japan|japon|japón|japão|jepang)\b", re.IGNORECASE),
    unknown=1,
)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a postcode."""
    before = sighting.text[max(0, sighting.start - 2) : sighting.start]
    if "〒" in before:
        start = sighting.start - (2 if before[0] == "〒" else 1)
        return _read_japanese(sighting, start) or _read_behind(sighting, start)
    for find in (_town, _town_or_prefecture):
        finder = partial(find, sighting.gazetteer, _digits(sighting))
        code = CodeBehind(sighting.start, sighting.end, sighting.trigger, finder)
        if finding := read_town_first(sighting, _JAPAN, code):
            return finding
    return None


def _digits(sighting: Sighting) -> str:
    return "".join(filter(str.isdigit, sighting.trigger))


def _town(gazetteer: Gazetteer, code: str, name: str) -> Place | None:
    """The town of this name, unless it is named like its prefecture, which then may be meant."""
    return None if fold(name) in _PREFECTURES else _town_or_prefecture(gazetteer, code, name)


def _town_or_prefecture(gazetteer: Gazetteer, code: str, name: str) -> Place | None:
    if _WARD.fullmatch(name):
        return None
    return _AREAS.town_of(gazetteer, _SUFFIX.sub("", name), code)


def _read_behind(sighting: Sighting, start: int) -> Finding | None:
    """The address in Latin script behind a postcode: "〒150-0031, 16-13 Sakuragaoka, Tokyo"."""
    find = partial(_town_or_prefecture, sighting.gazetteer, _digits(sighting))
    last = min(len(sighting.text), sighting.end + _LONGEST_RIGHT)
    for segment in reversed(list(leftward(sighting.text, sighting.end, last))):
        if found := town_at_end(segment, find):
            town, rest = found
            street = _find_street(leftward(sighting.text, sighting.end, rest.end))
            return Finding(start, town.end, street, town, postcode=sighting.trigger)
    return None


def _read_japanese(sighting: Sighting, start: int) -> Finding | None:
    """The address in Japanese behind a postcode."""
    match = _JAPANESE.match(sighting.text, sighting.end)
    town = _japanese_town(sighting, match) if match else None
    if match is None or town is None:
        return None
    street = _japanese_street(sighting.text, town.end)
    region = match["prefecture"] or ""
    end = street.end if street else town.end
    return Finding(start, end, street, town, region, postcode=sighting.trigger)


def _japanese_town(sighting: Sighting, match: re.Match[str]) -> Town | None:
    """The first beginning of what follows that is a town: 福岡市 of 福岡市中央区大名."""
    run, start = match["run"], match.start("run")
    for index, character in enumerate(run):
        if index == 0 or character not in "市区町村":
            continue
        name = run[: index + 1].rpartition("郡")[2]
        if place := _AREAS.town_of(sighting.gazetteer, name, _digits(sighting)):
            end = start + index + 1
            return Town(end - len(name), end, name, place, is_proven=True)
    return None


def _japanese_street(text: str, start: int) -> Street | None:
    match = _JAPANESE_STREET.match(text, start)
    if match is None or not match["name"]:
        return None
    number = (match["number"] or "").rstrip("-−‐–ー－の")
    evidence = StreetEvidence.TYPED if number else StreetEvidence.UNNUMBERED
    end = match.start("number") + len(number) if number else match.end("name")
    return Street(start, end, number, match["name"], "", evidence=evidence)


def create() -> AddressFormat:
    """The format of Japan."""
    return AddressFormat(country="JP", triggers=(Trigger(_CODE, read_with_postcode),))
