"""Addresses of Ireland: "8 Hanover Quay, Dublin 2, D02 DP23", "1 Bridge St, Gort, Co. Galway"."""

import re
from functools import partial
from itertools import chain
from typing import Final

from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.geo.address import english_streets, towns
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Town, Trigger
from geoscout_places.geo.address.segments import leftward
from geoscout_places.geo.address.town_first import CodeBehind, TownFirst, read_town_first, walking
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Place, Point

# The first three characters of an Eircode, and the post town they belong to.
_ROUTING_KEYS: Final = """
A41 Ballyboughal|A42 Garristown|A45 Oldtown|A63 Greystones|A67 Wicklow|A75 Castleblayney
|A81 Carrickmacross|A82 Kells|A83 Enfield|A84 Ashbourne|A85 Dunshaughlin|A86 Dunboyne|A91 Dundalk
|A92 Drogheda|A94 Blackrock|A96 Glenageary|A98 Bray|C15 Navan|E21 Cahir|E25 Cashel
|E32 Carrick-on-Suir|E34 Tipperary|E41 Thurles|E45 Nenagh|E53 Roscrea|E91 Clonmel|F12 Claremorris
|F23 Castlebar|F26 Ballina|F28 Westport|F31 Ballinrobe|F35 Ballyhaunis|F42 Roscommon|F45 Castlerea
|F52 Boyle|F56 Ballymote|F91 Sligo|F92 Letterkenny|F93 Lifford|F94 Donegal|H12 Cavan|H14 Belturbet
|H16 Cootehill|H18 Monaghan|H23 Clones|H53 Ballinasloe|H54 Tuam|H62 Loughrea|H65 Athenry
|H71 Clifden|H91 Galway|K32 Balbriggan|K34 Skerries|K36 Malahide|K45 Lusk|K56 Rush|K67 Swords
|K78 Lucan|N37 Athlone|N39 Longford|N41 Carrick-on-Shannon|N91 Mullingar|P12 Macroom|P14 Crookstown
|P17 Kinsale|P24 Cobh|P25 Midleton|P31 Ballincollig|P32 Rylane|P36 Youghal|P43 Carrigaline
|P47 Dunmanway|P51 Mallow|P56 Charleville|P61 Fermoy|P67 Mitchelstown|P72 Bandon|P75 Bantry
|P81 Skibbereen|P85 Clonakilty|R14 Athy|R21 Bagenalstown|R32 Portlaoise|R35 Tullamore|R42 Birr
|R45 Edenderry|R51 Kildare|R56 Curragh|R93 Carlow|R95 Kilkenny|T12 Cork|T23 Cork|T34 Carrignavar
|T45 Glanmire|T56 Watergrasshill|V14 Shannon|V15 Kilrush|V23 Cahersiveen|V31 Listowel
|V35 Kilmallock|V42 Newcastle West|V92 Tralee|V93 Killarney|V94 Limerick|V95 Ennis|W12 Newbridge
|W23 Celbridge|W34 Monasterevin|W91 Naas|X35 Dungarvan|X42 Kilmacthomas|X91 Waterford|Y14 Arklow
|Y21 Enniscorthy|Y25 Gorey|Y34 New Ross|Y35 Wexford
"""
_POST_TOWNS = dict(
    key.strip().split(" ", 1) for key in _ROUTING_KEYS.replace("\n", "").split("|") if key
)
_COUNTIES = (
    "Carlow|Cavan|Clare|Cork|Donegal|Dublin|Galway|Kerry|Kildare|Kilkenny|Laois|Leitrim|Limerick"
    "|Longford|Louth|Mayo|Meath|Monaghan|Offaly|Roscommon|Sligo|Tipperary|Waterford|Westmeath"
    "|Wexford|Wicklow"
)
# An Eircode is seen at its first digit; its letter is read from there. Without the space between
# its halves only letters count that Eircodes have.
_EIRCODE = (
    r"(?<=[ACDEFHKNPRTVWXYacdefhknprtvwxy])(?<![A-Za-z0-9].)(?:[0-9]{2}|6[Ww])"
    r"(?:[ \u00a0-][0-9A-Za-z](?=[0-9A-Za-z]{0,2}[0-9])[0-9A-Za-z]{3}"
    r"|[ACDEFHKNPRTVWXY0-9]{4})(?![A-Za-z0-9])"
)
# "Dublin 2", where no Eircode follows.
_DISTRICT = r"(?<=[Dd]ublin )(?:1[0-9]|2[0-4]|6[Ww]|[1-9])(?![\w.,:/%-]?[0-9A-Za-z])"
_COUNTY = rf",\s{{0,2}}(?=C)(?:Co\.?|County)\s(?:{_COUNTIES})(?!\w)"
_CODE_FOLLOWS = lazy_pattern(
    r"[\s,.]{1,4}(?:(?:Republic\sof\s)?Ireland[\s,.]{1,3})?[A-Z](?:[0-9]{2}|6W)\s?[0-9A-Z]{4}\b"
)
_NEAR_KM = 60.0
_IRELAND = TownFirst(
    find_street=walking(
        replace(english_streets.GRAMMAR, most_strangers=3, unnumbered_strangers=2, bare_strangers=1)
    ),
    between=lazy_pattern(
        rf"(?:(?:republic\sof\s)?ireland|irlande?|irlanda|(?:co\.?|county)\s({_COUNTIES})|i\.?e\.?)",
        re.IGNORECASE,
    ),
    own_name=lazy_pattern(r"[\s,.|-]{1,4}(?:Republic\sof\s)?Ireland", re.IGNORECASE),
    unknown=1,
    mark=lazy_pattern(r"\s(?:[0-9]{1,2}|6w)$", re.IGNORECASE),
)


def read_with_eircode(sighting: Sighting) -> Finding | None:
    """The address that ends in an Eircode."""
    whole = sighting.moved(sighting.start - 1, sighting.end)
    post = _post_town(sighting.gazetteer, whole.trigger[:3].upper())
    if post is None:
        return None
    find = partial(_town_near, sighting.gazetteer, post.point)
    code = CodeBehind(
        whole.start, whole.end, whole.trigger, find, is_marked=True, point=lambda place: place.point
    )
    return read_town_first(whole, _IRELAND, code) or _read_at_post_town(whole, post)


def _post_town(gazetteer: Gazetteer, key: str) -> Place | None:
    name = "Dublin" if key[0] == "D" else _POST_TOWNS.get(key, "")
    return next(iter(towns.settlements(gazetteer, name, "IE")), None) if name else None


def _town_near(gazetteer: Gazetteer, point: Point, name: str) -> Place | None:
    for spelling in (name, re.sub(r"(?i)\scity$", "", name)):
        if place := towns.town_near(gazetteer, spelling, "IE", point, _NEAR_KM):
            return place
    return None


def _read_at_post_town(sighting: Sighting, post: Place) -> Finding | None:
    """An address with an unknown town, or with its county only: "Kinsale Road, Co. Cork"."""
    segments = leftward(sighting.text, sighting.leftmost, sighting.start)
    region, first = "", None
    for first in segments:
        match = _IRELAND.between.fullmatch(first.text)
        if match is None:
            break
        region = match[1] or region
    if first is None or not region:
        return None
    street = _IRELAND.find_street(chain((first,), segments))
    is_street = street is not None and first.start <= street.start < first.end
    if is_street or any(map(str.isdigit, first.text)):
        town = Town(first.end, first.end, post.name, post, is_proven=True)
    else:
        town = Town(first.start, first.end, first.text, post, is_proven=True)
    start = street.start if street else first.start
    return Finding(
        start, sighting.end, street, town, region, postcode=sighting.trigger, point=post.point
    )


def read_with_district(sighting: Sighting) -> Finding | None:
    """The address that ends in a district of Dublin."""
    return _read_without_code(sighting, sighting.end)


def read_with_county(sighting: Sighting) -> Finding | None:
    """The address that ends in a county."""
    finding = _read_without_code(sighting, sighting.start)
    if finding is None or finding.street is None:
        return None  # a sentence that says where a town is
    return replace(finding, end=sighting.end, region=sighting.trigger.split()[-1])


def _read_without_code(sighting: Sighting, end: int) -> Finding | None:
    if _CODE_FOLLOWS.match(sighting.text, sighting.end):
        return None  # it is a trigger itself, and the end of the address
    code = CodeBehind(end, sighting.end, "", partial(_town, sighting.gazetteer))
    return read_town_first(sighting, _IRELAND, code)


def _town(gazetteer: Gazetteer, name: str) -> Place | None:
    return next(iter(towns.settlements(gazetteer, name, "IE")), None)


def create() -> AddressFormat:
    """The format of Ireland."""
    return AddressFormat(
        country="IE",
        triggers=(
            Trigger(_EIRCODE, read_with_eircode),
            Trigger(_DISTRICT, read_with_district),
            Trigger(_COUNTY, read_with_county),
        ),
    )
