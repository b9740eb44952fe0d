"""Addresses of Mexico: "Av. Insurgentes Sur 1234, Col. Del Valle, C.P. 03100, Ciudad de México"."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import product

from msgspec.structs import replace

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
from geoscout_places.geo.address.continental import FIVE_DIGITS
from geoscout_places.geo.address.segments import Grammar, Segment, find_street, leftward
from geoscout_places.geo.address.town_first import (
    CodeBehind,
    PostalAreas,
    TownFirst,
    read_town_first,
)
from geoscout_places.geo.address.word_streets import street_grammar
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Place

_AREAS = PostalAreas(
    "MX",
    """
    010 Mexico City
    17
    20 Aguascalientes
    21 Baja California
    23 Baja California Sur
    24 Campeche
    25 Coahuila
    28 Colima
    29 Chiapas
    31 Chihuahua
    34 Durango
    36 Guanajuato
    39 Guerrero
    42 Hidalgo
    44 Jalisco
    50 México
    58 Michoacán
    62 Morelos
    63 Nayarit
    64 Nuevo León
    68 Oaxaca
    72 Puebla
    76 Querétaro
    77 Quintana Roo
    78 San Luis Potosí
    80 Sinaloa
    83 Sonora
    86 Tabasco
    87 Tamaulipas
    90 Tlaxcala
    91 Veracruz
    97 Yucatán
    98 Zacatecas
    """,
)
_STATES = (
    "Aguascalientes|Ags|Baja California(?: Sur)?|B\\.?\\s?C(?:\\.?\\s?S)?|Campeche|Camp|Chiapas"
    "|Chis|Chihuahua|Chih|Coahuila(?: de Zaragoza)?|Coah|Colima|Col|Durango|Dgo|Guanajuato|Gto"
    "|Guerrero|Gro|Hidalgo|Hgo|Jalisco|Jal|Estado de México|Edo\\.? ?(?:de )?Méx(?:ico)?|Michoacán"
    "|Mich|Morelos|Mor|Nayarit|Nay|Nuevo Le[óo]n|N\\.?\\s?L|Oaxaca|Oax|Puebla|Pue|Querétaro|Qro"
    "|Quintana Roo|Q\\.?\\s?R(?:oo)?|San Luis Potosí|S\\.?\\s?L\\.?\\s?P|Sinaloa|Sin|Sonora|Son"
    "|Tabasco|Tab|Tamaulipas|Tamps|Tlaxcala|Tlax|Veracruz|Ver|Yucat[áa]n|Yuc|Zacatecas|Zac|CDMX"
    "|D\\.?\\s?F"
)
# A code behind its town is marked as one; "C.P." stands before it.
_MARKED = (
    LONG_NUMBER + r"(?:(?<=C\.P\. )|(?<=C\.P\.)|(?<=C\. P\. )|(?<=C\.P: )|(?<=CP )|(?<=CP: )"
    r"|(?<=CP\. )|(?<=C\.P\.: ))[0-9]{5}(?![0-9A-Za-z-])"
)
_MARK = lazy_pattern(r"\bc\.?\s?p\.?\s?:?\s?$", re.IGNORECASE)
_TOWN = lazy_pattern(r"[\s,.]{1,3}(?P<town>[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,4})")
_SHORT_NAMES = {"gdl": "Guadalajara", "mty": "Monterrey", "d f": "Ciudad de México"}
_REGION_BEHIND = lazy_pattern(
    rf"[\s,.]{{1,3}}(?:(?P<state>{_STATES})(?!\w)\.?|m[ée]xico|mx\b)", re.IGNORECASE
)
# What follows the number in a segment: a point of the compass, cross streets, doors.
_TAIL = lazy_pattern(
    r"(?<=[0-9A-Z])\s?[,-]?\s?(?P<door>(?:int|interior|piso|depto?|local|despacho)\b\.?\s?.*)"
    r"|\s(?:sur|norte|nte|ote|pte|oriente|poniente)\.?$"
    r"|(?<=[0-9])\s(?:x\s[0-9]|entre\s|esq\b|esquina\s|colonia\s|col\.\s|zona\s).*",
    re.IGNORECASE,
)
# "Calle 60 #401": a street that is a number itself.
_NUMBERED_STREET = lazy_pattern(
    r"(?P<name>(?:(?:calle|c\.|cll?\.?|avenida|av\.?|privada)\s[0-9]{1,3}[A-Z]?"
    r"|[0-9]{1,3}[A-Z]?(?=\s(?:norte|sur|oriente|poniente|[nop]te)\b)|[0-9]{1,2}\sde\s[a-z]{4,10})"
    r"(?:\s(?:norte|sur|oriente|poniente|[nop]te)\b\.?)?)"
    r"(?:,?\s(?:no\.?|núm\.?|número|#)\s?|\s#?)(?P<number>[0-9]{1,4}(?:\s?-?\s?[A-Z]\b)?)\b.{0,30}",
    re.IGNORECASE,
)
_PASSED = lazy_pattern(
    r"c\.?\s?p\.?:?|(?:col(?:onia)?|fracc(?:ionamiento)?|alcald[ií]a|delegaci[óo]n|mpio|municipio"
    r"|barrio|piso|int(?:erior)?|consultorio|despacho|oficina|local|suite|edificio)\b.*|centro(?:\shist[óo]rico)?",
    re.IGNORECASE,
)
_LARGE_TOWN = 20_000  # inhabitants
_SPANISH = street_grammar("es", strangers=5)


def read_street(segment: Segment) -> Street | None:
    """The street in this segment: "Calle 60 #401", "Juan Zuazua 1100 Sur"."""
    if match := _NUMBERED_STREET.fullmatch(segment.text):
        end = segment.start + match.end("number")
        evidence = StreetEvidence.TYPED
        return Street(segment.start, end, match["number"], match["name"], "", evidence=evidence)
    tail = _TAIL.search(segment.text)
    end = tail.start() if tail else len(segment.text)
    text = segment.text[:end].replace("#", " ")
    street = _SPANISH.read_street(replace(segment, text=text, end=segment.start + end))
    if street and tail and tail["door"]:
        return replace(street, end=segment.end, unit=tail["door"])
    return street


_GRAMMAR: Grammar = replace(_SPANISH, read_street=read_street, bare_strangers=3)


def _walk(segments: Iterator[Segment]) -> Street | None:
    """The street left of the town; "C.P." and neighbourhoods are passed over."""
    return find_street(
        (segment for segment in segments if not _PASSED.fullmatch(segment.text)), _GRAMMAR
    )


_TOWN_BEFORE = TownFirst(
    find_street=_walk,
    between=lazy_pattern(rf"({_STATES})\.?", re.IGNORECASE),
    own_name=lazy_pattern(r"(?!)"),
    unknown=1,
)


# The same where a town is named like its state: "Puebla, C.P. 72000".
_TOWN_LIKE_STATE = replace(
    _TOWN_BEFORE, between=lazy_pattern(r"D\.?\s?F\.?|[A-Z][a-z]{2,3}\.|CDMX")
)


def read_with_town_behind(sighting: Sighting) -> Finding | None:
    """The address whose postcode has the town behind it: "C.P. 44100 Guadalajara"."""
    code = sighting.trigger[:5]
    town = _town_behind(sighting, code)
    if town is None:
        return None
    start = _start(sighting)
    street = _walk(leftward(sighting.text, sighting.leftmost, start))
    region = _REGION_BEHIND.match(sighting.text, town.end)
    is_told = region is not None or start < sighting.start
    if not is_told and not _is_sure(street, town):
        return None
    first = min(start, street.start) if street else start
    state = (region["state"] or "") if region else ""
    end = region.end() if region else town.end
    return Finding(first, end, street, town, state, postcode=code)


def _is_sure(street: Street | None, town: Town) -> bool:
    """Whether street and town are proof enough where nothing else says that this is Mexico."""
    is_large = town.place is not None and town.place.population >= _LARGE_TOWN
    return is_large and street is not None and street.evidence >= StreetEvidence.LIKELY


def _town_behind(sighting: Sighting, code: str) -> Town | None:
    """The longest name behind the code that is a town in its area."""
    match = _TOWN.match(sighting.text, sighting.start + len(code))
    words = match["town"].split(" ") if match else []
    for count in range(len(words), 0, -1):
        name = " ".join(words[:count]).rstrip(".")
        if match and (place := _town_of(sighting.gazetteer, code, name)):
            start = match.start("town")
            return Town(start, start + len(name), name, place, is_proven=True)
    return None


def _start(sighting: Sighting) -> int:
    """Where the code begins with its mark."""
    mark = _MARK.search(sighting.text, max(0, sighting.start - 8), sighting.start)
    return mark.start() if mark else sighting.start


def read_marked(sighting: Sighting) -> Finding | None:
    """The address around a marked postcode, with its town behind it or before it."""
    if finding := read_with_town_behind(sighting):
        return finding
    start, end, code = _start(sighting), sighting.end, sighting.trigger
    for country, find in product((_TOWN_BEFORE, _TOWN_LIKE_STATE), (_town_but_mexico, _town_of)):
        finder = partial(find, sighting.gazetteer, code)
        marked = CodeBehind(start, end, code, finder, is_marked=True)
        if finding := read_town_first(sighting, country, marked):
            return finding
    return None


def _town_of(gazetteer: Gazetteer, code: str, name: str) -> Place | None:
    return _AREAS.town_of(gazetteer, _SHORT_NAMES.get(fold(name), name), code)


def _town_but_mexico(gazetteer: Gazetteer, code: str, name: str) -> Place | None:
    """The same where "México" is the country: "Ciudad de México, México, C.P. 03100"."""
    return None if fold(name) == "mexico" else _town_of(gazetteer, code, name)


def create() -> AddressFormat:
    """The format of Mexico."""
    return AddressFormat(
        country="MX",
        triggers=(Trigger(_MARKED, read_marked), Trigger(FIVE_DIGITS, read_with_town_behind)),
    )
