"""Reading street lines in French and Italian: "12 bis, rue de la Paix", "Via Nassa 5".

The street word comes first in both; the number stands before it in France, after it in Italy and
Switzerland. A comma may separate the two, so a number alone is joined to its neighbour.
"""

import re

from msgspec.structs import replace

from geoscout_places.geo.address.base import Street, StreetEvidence
from geoscout_places.geo.address.segments import Segment, whole_street
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.language import load_language


def _listed(name: str) -> str:
    """The patterns of a French list as one."""
    return "|".join(load_language("fr").streets[name])


_TYPES = "|".join(load_language("fr").streets["street_types"])
_ITALIAN_TYPES = "|".join(load_language("it").streets["street_types"])
_NUMBER = (
    r"[0-9]{1,5}(?:\s?(?:bis|ter|quater|[A-D](?![\w'’])))?"
    r"(?:\s?[-–/]\s?[0-9]{1,5}(?:\s?(?:bis|ter))?)?"
)
_HIGH_STREET = r"grand(?:-|e |['’])(?:rue|place)"
_NAME = r"[^\W_](?:[\w .'’/&-]|°){1,70}"
_NUMBER_FIRST = lazy_pattern(
    rf"(?<![\w.-])(?P<number>{_NUMBER}),?\s+(?P<name>(?:{_TYPES})\s{_NAME}|{_HIGH_STREET})$",
    re.IGNORECASE,
)
_NUMBER_LAST = lazy_pattern(
    rf"(?<!\w)(?P<name>(?:{_TYPES}|{_ITALIAN_TYPES})\s(?:(?!(?:bte|bo[iî]te|box|bus)\b)[^\W\d_][\w.'’/-]*\s"
    rf"|[0-9]{{1,2}}\s(?!(?:bte|bo[iî]te|box|bus)\b)(?=\w{{3}})){{1,7}})"
    rf"(?:n[o°.]{{0,2}}\s?)?(?P<number>[0-9]{{1,4}}\s?[a-zA-Z]?(?:\s?[-–/]\s?[0-9]{{1,4}}[a-z]?)?)"
    r"(?P<unit>\s?,?\s?(?:bte|bo[iî]te|box|bus)\b\.?\s?[\w./-]{1,6})?$",
    re.IGNORECASE,
)
_NUMBER_AT_END = lazy_pattern(
    rf"(?:^|\s)(?P<number>{_NUMBER}|[0-9]{{1,4}}\s?[a-z])$", re.IGNORECASE
)
_WITHOUT_NUMBER = lazy_pattern(
    rf"(?:{_TYPES}|{_ITALIAN_TYPES})\s{_NAME}|{_HIGH_STREET}", re.IGNORECASE
)
_HAMLET_WORDS = _listed("hamlet_words")
# A hamlet in place of a street, with its number or without: "3 Les Grandes Vignes", "Kerouzien".
_HAMLET = lazy_pattern(
    rf"(?:(?P<number>{_NUMBER}),?\s+)?(?P<name>(?:{_listed('hamlets')})(?:{_HAMLET_WORDS})"
    r"(?:\s[\w'’-]+){0,3}|ker[a-zéèêôû]{3,}(?:\s\w+)?)",
    re.IGNORECASE,
)
_LONGEST_STREET = 100  # code points
_BOX = lazy_pattern(
    r"(?:b\.?\s?p\.?|c\.?\s?s\.?|t\.?\s?s\.?\s?a\.?|c\.?\s?p\.?|case\spostale|bo[iî]te\spostale"
    r"|casella\spostale|postfach)(?:\s[0-9][0-9 ]{0,8})?(?:\s?[-–]\s?[0-9]+)?",
    re.IGNORECASE,
)
_BOX_BEHIND = lazy_pattern(r"\s(?:b\.?p\.?|c\.?s\.?)\s?[0-9][0-9 ]*$", re.IGNORECASE)
_UNIT = lazy_pattern(
    r"(?:b[âa]t(?:iment)?|bte|bo[iî]te|box|bus|esc(?:alier)?|étage|etage|appt?|appartement|porte|hall|tour|immeuble"
    r"|résidence|entrée|bureau|suite|local|lot)\b\.?\s?[\w'’. -]{0,30}"
    r"|[0-9]{1,2}(?:er|e|ème|eme)\s(?:étage|etage)",
    re.IGNORECASE,
)


# The trigger of a street with a number and a town behind it.
STREET_AND_TOWN = (
    r"(?<![\w.,/-])[0-9]{1,4}(?: (?:bis|ter))?,? (?:rue|avenue|boulevard|place|quai|bd|av\.?|cours)"
    r" [\w .'’-]{3,50}(?:,\s|\n)(?=[A-ZÉ])"
)


def read_box(segment: Segment) -> Street | None:
    """The post-office box this segment names."""
    if not _BOX.fullmatch(segment.text):
        return None
    return whole_street(segment, StreetEvidence.BOX)


def is_unit(segment: Segment) -> bool:
    """Whether the segment is nothing but a door or a building: "Bâtiment B", "2e étage"."""
    return _UNIT.fullmatch(segment.text) is not None


def read_street(segment: Segment) -> Street | None:
    """The street that ends this segment, with the number before or after it."""
    first = max(0, len(segment.text) - _LONGEST_STREET)
    for pattern in (_NUMBER_FIRST, _NUMBER_LAST):
        if match := pattern.search(segment.text, first):
            start = segment.start + match.start()
            name, number = _BOX_BEHIND.sub("", match["name"]).strip(), match["number"].strip()
            unit = (match.groupdict().get("unit") or "").strip(" ,")
            return Street(start, segment.end, number, name, unit, evidence=StreetEvidence.TYPED)
    hamlet = _HAMLET.fullmatch(segment.text)
    if hamlet is None or not hamlet["number"]:
        return None
    return Street(
        segment.start,
        segment.end,
        hamlet["number"].strip(),
        hamlet["name"],
        "",
        evidence=StreetEvidence.BARE,
    )


def read_unnumbered(segment: Segment) -> Street | None:
    """A street without a number that fills its segment: "Place du Général de Gaulle"."""
    is_street = _WITHOUT_NUMBER.fullmatch(segment.text) or _HAMLET.fullmatch(segment.text)
    if not is_street or len(segment.text.split()) > 8:
        return None
    name = _BOX_BEHIND.sub("", segment.text)
    return Street(segment.start, segment.end, "", name, "", evidence=StreetEvidence.UNNUMBERED)


def read_pair(left: Segment, right: Segment) -> Street | None:
    """The street of a number and a name that a comma separates: "12 bis, rue de la Paix"."""
    for number, name in ((left, right), (right, left)):
        match = _NUMBER_AT_END.search(number.text)
        if match is None or (number is right and match.start() > 0):
            continue
        if street := read_unnumbered(name):
            start = min(number.start + match.start("number"), name.start)
            text = match["number"].strip()
            return replace(
                street, start=start, end=right.end, number=text, evidence=StreetEvidence.TYPED
            )
    return None
