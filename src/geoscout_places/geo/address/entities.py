"""Geographic entities as Gao, Lee and Miao (2006) count them: what is one, and which are the same.

An entity is a postal address with a house number, a street, a city and a state or country. The
extractor also returns what is less than that and still tells where a page is about: postal lines,
rooms of a building ("326 Alumni Hall"), a number and a name without any street word. In the paper
the street type is part of the pattern, and a table of streets confirms the name.

Two spellings of one address are one entity: "100 Milam Street, Suite 5" is "100 MILAM ST. #5".
"""

import re

from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold, fold_street
from geoscout_places.geo.address.base import StreetEvidence
from geoscout_places.geo.address.english_streets import read_street
from geoscout_places.geo.address.segments import Segment
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.model import Address

_IN_ENGLISH = ("US", "CA", "GB")
_UNIT_WORDS = lazy_pattern(
    r"\b(?:suite|ste|apartment|apt|appt|unit|room|rm|no|number|space|spc|floor|flr|fl)\b"
)
# What `fold_street` has no short form for.
_STREET_WORDS = {"no": "n", "so": "s"} | {
    word: f"{number}th"
    for number, word in enumerate(
        "eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth"
        " nineteenth twentieth".split(),
        start=11,
    )
}
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten".split(), start=1
    )
}


def is_entity(address: Address, gazetteer: Gazetteer | None = None) -> bool:
    """Whether an address is an entity: it has all parts, and its street is one.

    The street tables of the gazetteer, if it is given and has any, decide in the towns that they
    have; elsewhere the street must show what it is, by a street word, a direction or an ordinal.
    """
    if not (address.house_number and address.street and (address.city or address.place)):
        return False
    known = None
    if gazetteer is not None and address.place is not None:
        known = gazetteer.is_street(address.street, address.place)
    return _shows_street(address) if known is None else known


def has_unknown_street(address: Address, gazetteer: Gazetteer) -> bool:
    """Whether the imported street tables have the town of an address, but not its street."""
    if not address.street or address.place is None:
        return False
    return gazetteer.is_street(address.street, address.place) is False


def entity_form(address: Address, place: int = 0) -> str:
    """The text by which two mentions of one address are the same.

    Of the city it has the id if the gazetteer knows the city, so that aliases are one; `place` is
    that id where the address comes from a store, without its place.
    """
    words = [_STREET_WORDS.get(word, word) for word in fold(address.street).split()]
    city = str(address.place.id if address.place else place or fold(address.city))
    parts = (_number(address.house_number), fold_street(" ".join(words)), _unit(address.unit))
    return " ".join(part for part in (*parts, city, address.country.lower()) if part)


def _shows_street(address: Address) -> bool:
    if address.country not in _IN_ENGLISH:
        return True  # the other formats take nothing for a street that does not show it
    line = f"{address.house_number} {address.street}"
    street = read_street(Segment(0, len(line), line, before="", after=""))
    return street is not None and street.evidence >= StreetEvidence.LIKELY


def _number(text: str) -> str:
    """The house number without its marks.

    >>> _number("413-B"), _number("One"), _number("89-50")
    ('413b', '1', '89-50')
    """
    plain = text.lower().strip(" .,#")
    plain = re.sub(r"(?<=\d)[\s-]+(?=[a-z]$)", "", plain)
    return _NUMBERS.get(plain, plain)


def _unit(text: str) -> str:
    """The unit without the word for it.

    >>> _unit("Suite 5"), _unit("#5"), _unit("Apt. #5-B")
    ('5', '5', '5b')
    """
    return _UNIT_WORDS.sub("", fold(text.replace("#", " "))).replace(" ", "")
