"""Addresses of Brazil: "Av. Paulista, 1578 - Bela Vista, São Paulo - SP, 01310-200"."""

import re
from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.geo.address.base import AddressFormat, Finding, Sighting, Street, Town, Trigger
from geoscout_places.geo.address.segments import Segment, find_street, leftward
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
    "BR",
    """
    01 São Paulo
    20 Rio de Janeiro
    29 Espírito Santo
    30 Minas Gerais
    40 Bahia
    49 Sergipe
    50 Pernambuco
    57 Alagoas
    58 Paraíba
    59 Rio Grande do Norte
    60 Ceará
    64 Piauí
    65 Maranhão
    66 Pará
    689 Amapá
    690 Amazonas
    693 Roraima
    694 Amazonas
    699 Acre
    70 Federal District
    728 Goiás|Federal District
    768 Rondônia
    77 Tocantins
    780 Mato Grosso
    79 Mato Grosso do Sul
    80 Paraná
    88 Santa Catarina
    90 Rio Grande do Sul
    """,
)
# Two capitals are named like their states; with other codes the state is meant.
_CAPITALS = {"sao paulo": (("01", "06"), ("08", "085")), "rio de janeiro": (("20", "238"),)}
_STATES = "AC|AL|AP|AM|BA|CE|DF|ES|GO|MA|MT|MS|MG|PA|PB|PR|PE|PI|RJ|RN|RS|RO|RR|SC|SP|SE|TO"
_CODE = r"(?<![0-9.,/-])(?:[0-9]{5}|[0-9]{2}\.[0-9]{3})[-–‑][0-9]{3}(?![0-9]|[./-][0-9])"
_TOWN_BEHIND = lazy_pattern(
    r"[\s,.|–-]{1,5}(?P<town>[^\W\d_][\w.'’ ]{1,40}?)(?:\s?[/(,–-]\s?|\s)(?P<state>"
    rf"{_STATES})(?!\w)\)?"
)
_RANGE = lazy_pattern(r"a(?:té)?\s[0-9]{1,5}")  # the end of a range of numbers: "24 - a 50"
_THOUSANDS = lazy_pattern(r"(?P<before>.*\b)(?P<number>[0-9]{1,2}\.[0-9]{3})")  # "nº 1.171"
_DOOR = lazy_pattern(
    r"(?:sl|salas?|lojas?|conj|conjunto|cj|ap(?:to)?|apartamento|bl|bloco)\.?\s[\w/ -]{1,12}",
    re.IGNORECASE,
)
_PORTUGUESE = street_grammar("pt", strangers=4)


def read_street(segment: Segment) -> Street | None:
    """The street that ends this segment: "Rua Siqueira Campos nº 1.171"."""
    plain, number = _without_point(segment)
    street = _PORTUGUESE.read_street(plain)
    return replace(street, end=segment.end, number=number) if street and number else street


def read_pair(left: Segment, right: Segment) -> Street | None:
    """The same with a comma before the number."""
    plain, number = _without_point(right)
    street = _PORTUGUESE.read_pair(left, plain)
    return replace(street, end=right.end, number=number) if street and number else street


def _without_point(segment: Segment) -> tuple[Segment, str]:
    """The segment without the point in the number at its end, and that number; "" for none."""
    match = _THOUSANDS.fullmatch(segment.text)
    if match is None:
        return segment, ""
    number = match["number"]
    return replace(segment, text=match["before"] + number.replace(".", "")), number


def is_unit(segment: Segment) -> bool:
    """Whether the segment is nothing but a door: "SL 107/108"."""
    return _DOOR.fullmatch(segment.text) is not None or _PORTUGUESE.is_unit(segment)


_GRAMMAR = replace(_PORTUGUESE, read_street=read_street, read_pair=read_pair, is_unit=is_unit)


def _walk(segments: Iterator[Segment]) -> Street | None:
    """The street left of the town."""
    return find_street((s for s in segments if not _RANGE.fullmatch(s.text)), _GRAMMAR)


_BRAZIL = TownFirst(
    find_street=_walk,
    between=lazy_pattern(
        rf"cep|brasil|brazil|({_STATES}|(?:estado\s(?:de|do)\s)?(?:minas\sgerais|paraná|bahia"
        r"|rio\sgrande\sdo\ssul|santa\scatarina|pernambuco|ceará|espírito\ssanto|goiás|pará))",
        re.IGNORECASE,
    ),
    own_name=lazy_pattern(r"[\s,.|-]{1,4}bra[sz]il\b", re.IGNORECASE),
    unknown=1,
    mark=lazy_pattern(rf"\s?[/(–-]\s?(?:{_STATES})\)?$|\s(?:{_STATES})$", re.IGNORECASE),
)


def read_with_postcode(sighting: Sighting) -> Finding | None:
    """The address around a CEP, with its town before it or behind it."""
    digits = "".join(filter(str.isdigit, sighting.trigger))
    find = partial(_town_of, sighting.gazetteer, digits)
    code = CodeBehind(sighting.start, sighting.end, sighting.trigger, find, is_marked=True)
    return read_town_first(sighting, _BRAZIL, code) or _read_town_behind(sighting, code)


def _town_of(gazetteer: Gazetteer, code: str, name: str) -> Place | None:
    areas = _CAPITALS.get(fold(name))
    if areas and not any(first <= code < last for first, last in areas):
        return None
    return _AREAS.town_of(gazetteer, name, code)


def _read_town_behind(sighting: Sighting, code: CodeBehind) -> Finding | None:
    """The address of "CEP 13083-852, Campinas, SP", whose street is before the code."""
    match = _TOWN_BEHIND.match(sighting.text, sighting.end)
    place = code.find_town(match["town"].strip()) if match else None
    if match is None or place is None:
        return None
    town = Town(match.start("town"), match.end("town"), match["town"], place, is_proven=True)
    segments = leftward(sighting.text, sighting.leftmost, sighting.start)
    street = _walk(segment for segment in segments if not _BRAZIL.between.fullmatch(segment.text))
    start = street.start if street else sighting.start
    return Finding(start, match.end(), street, town, match["state"], postcode=sighting.trigger)


def create() -> AddressFormat:
    """The format of Brazil."""
    return AddressFormat(country="BR", triggers=(Trigger(_CODE, read_with_postcode),))
