"""The one form of each name: of places, of streets and of postal codes; and the nearest names.

A name is brought into its form when the gazetteer is built and again on every question. It has to
be the same function both times, and fast for plain ASCII, which most questions are.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median
from typing import NamedTuple

from geoscout_places.model import Point

_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
# An apostrophe joins (O'Fallon, L'Aquila); any other punctuation separates.
_JOINING = str.maketrans(dict.fromkeys("'’‘ʼʻ`´ʹ", ""))
_INITIALS = re.compile(r"\b(\w)\.(?=\w\b|\s|$)")
_SEPARATORS = re.compile(r"[\W_]+")
_WORDS = {"saint": "st", "sainte": "ste", "fort": "ft", "mount": "mt"}
_WORDS |= dict.fromkeys(("and", "und", "et"), "")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


@lru_cache(maxsize=65_536)
def fold(name: str) -> str:
    """The form under which a name is stored and looked up.

    >>> fold("Saint-Étienne"), fold("St. Étienne"), fold("L.A."), fold("O’Fallon")
    ('st etienne', 'st etienne', 'la', 'ofallon')
    >>> fold("Frankfurt/Main"), fold("Washington, D.C."), fold("MÜNCHEN")
    ('frankfurt main', 'washington dc', 'munchen')
    """
    if name.isascii() and name.replace(" ", "").isalnum():
        words = name.lower().split()  # most names, in half the time
    else:
        words = _words_of(name)
    if _WORDS.keys().isdisjoint(words):
        return " ".join(words)
    return " ".join(w for w in (_WORDS.get(word, word) for word in words) if w) or " ".join(words)


def _words_of(name: str) -> list[str]:
    """The words of a name in lower case, without marks and punctuation."""
    text = name.translate(_JOINING)
    if not text.isascii():
        decomposed = unicodedata.normalize("NFKD", text)
        text = "".join(c for c in decomposed if not unicodedata.combining(c))
        text = text.casefold().translate(_UNDECOMPOSED)
    else:
        text = text.lower()
    if "." in text:
        text = _INITIALS.sub(r"\1", text)
    return _SEPARATORS.sub(" ", text).split()


# What tells German towns of one name apart, and its abbreviation.
_GERMAN_LINKS = {
    " am ": "a.",
    " an der ": "a. d.",
    " ob der ": "o. d.",
    " vor der ": "v. d.",
    " in der ": "i. d.",
    " im ": "i.",
    " in ": "i.",
}


def german_spellings(name: str) -> Iterator[str]:
    """How a German name is also written: without umlauts, with its river after a slash.

    >>> list(german_spellings("Görlitz")), list(german_spellings("Frankfurt am Main"))
    (['Goerlitz'], ['Frankfurt/Main', 'Frankfurt (Main)', 'Frankfurt a. Main', 'Frankfurt a. M.'])
    >>> list(german_spellings("Limburg an der Lahn"))[2:]
    ['Limburg a. d. Lahn', 'Limburg a. d. L.', 'Limburg a.d. Lahn', 'Limburg a.d.L.']
    """
    if (plain := name.translate(_UMLAUTS)) != name:
        yield plain
    for link, short in _GERMAN_LINKS.items():
        town, found, where = name.partition(link)
        if found and where.isalpha():
            yield f"{town}/{where}"
            yield f"{town} ({where})"
            yield from _abbreviated(town, short, where)
            return


def _abbreviated(town: str, short: str, where: str) -> Iterator[str]:
    yield f"{town} {short} {where}"
    yield f"{town} {short} {where[0]}."
    if short == "i.":
        yield f"{town} i. {where[:2]}."  # Freiburg i. Br.
    if " " in short:  # "a.M." would be folded to the word "am"
        tight = short.replace(" ", "")
        yield f"{town} {tight} {where}"
        yield f"{town} {tight}{where[0]}."


@dataclass(frozen=True, slots=True)
class PlaceQuery:
    """What a user typed for a place: a name and the names of areas it must lie in."""

    name: str
    qualifiers: tuple[str, ...] = ()


def readings(text: str) -> Iterator[PlaceQuery]:
    """The ways to read `text`, the likeliest first.

    >>> [(q.name, q.qualifiers) for q in readings("Lisbon, NH")]
    [('Lisbon, NH', ()), ('Lisbon', ('NH',))]
    >>> [(q.name, q.qualifiers) for q in readings("Portland Oregon")]
    [('Portland Oregon', ()), ('Portland', ('Oregon',))]
    """
    yield PlaceQuery(text)
    parts = [part.strip() for part in text.split(",")]
    parts = [part for part in parts if part]
    if len(parts) > 1:
        yield PlaceQuery(parts[0], tuple(parts[1:]))
        return
    words = text.split()
    for cut in range(len(words) - 1, 0, -1):
        yield PlaceQuery(" ".join(words[:cut]), (" ".join(words[cut:]),))


_CLOSE_ENOUGH = 60.0  # of 100; below this a suggestion only confuses
TYPOS = 3  # names further away than this many keystrokes are not worth comparing


def nearest_names(folded: str, known: Iterable[str], limit: int) -> list[str]:
    """Of the known folded names those closest to `folded`, the closest first."""
    # rapidfuzz takes 20 ms to import and is needed only when a name was mistyped.
    from rapidfuzz import process  # noqa: PLC0415
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415

    candidates = [name for name in known if abs(len(name) - len(folded)) <= TYPOS]
    found = process.extract(
        folded,
        candidates,
        scorer=DamerauLevenshtein.normalized_similarity,
        score_cutoff=_CLOSE_ENOUGH / 100,
        limit=limit,
    )
    return [name for name, _, _ in found]


# The shipped tables hold only the first part of the codes of some countries, so a look-up tries the
# whole code and then shorter forms of it. British codes keep their space: "BT1 5" is a sector of
# BT1, "BT15" another district.
_INWARD = 3  # letters of the second half of a British postcode
# Of Canada the sortation area, of the Netherlands without letters; without the last digits.
_SHORTER = {"CA": 3, "NL": 4, "PT": 4, "US": 5}
_LETTERED = {"LU": "L-"}  # kept with letters that many leave out


def stored_form(country: str, code: str) -> str:
    """The form under which a table's code is kept.

    >>> stored_form("GB", "bt1 5"), stored_form("CA", "m5v 2t6"), stored_form("SE", "114 55")
    ('BT1 5', 'M5V2T6', '11455')
    """
    upper = code.upper()
    return " ".join(upper.split()) if country == "GB" else "".join(upper.split())


def forms(country: str, code: str) -> Iterator[str]:
    """The forms under which a code may be stored, the most precise first.

    >>> list(forms("GB", "BT15GS")), list(forms("US", "90210-1234")), list(forms("LU", "2449"))
    (['BT1 5GS', 'BT1 5', 'BT1'], ['90210-1234', '90210'], ['L-2449'])
    """
    whole = "".join(code.upper().split())
    if country == "GB" and len(whole) > _INWARD + 1:
        outward, inward = whole[:-_INWARD], whole[-_INWARD:]
        yield from (f"{outward} {inward}", f"{outward} {inward[0]}", outward)
        return
    letters = _LETTERED.get(country, "")
    yield whole if whole.startswith(letters) else f"{letters}{whole}"
    if len(whole) > _SHORTER.get(country, len(whole)):
        yield whole[: _SHORTER[country]]


HOUSES_OF_A_BLOCK = 20  # numbers: about a hundred metres in most towns
# Each word with the form that stands for it: what the post of the country abbreviates it to.
_FORMS = """
    street:st str:st avenue:ave av:ave aven:ave road:rd drive:dr drv:dr lane:ln boulevard:blvd
    boul:blvd bd:blvd bld:blvd court:ct crt:ct place:pl terrace:ter terr:ter circle:cir circ:cir
    parkway:pkwy pky:pkwy highway:hwy hiway:hwy trail:trl square:sq plaza:plz alley:aly
    turnpike:tpke expressway:expy freeway:fwy causeway:cswy crossing:xing crescent:cres
    center:ctr centre:ctr route:rte way:wy
    north:n south:s east:e west:w northeast:ne northwest:nw southeast:se southwest:sw
    first:1st second:2nd third:3rd fourth:4th fifth:5th sixth:6th seventh:7th eighth:8th ninth:9th
    tenth:10th platz:pl chemin:ch allee:all impasse:imp faubourg:fbg
    calle:c avenida:avda piazza:pza viale:vle corso:cso rua:r
"""
_SHORT = dict(pair.split(":") for pair in _FORMS.split())
_ENDING = re.compile(r"(?:stra(?:ss|s)e|str)$|(?<=\w)platz$")  # "Lindenstraße", "Marktplatz"
_NUMBER = re.compile(r"\d+")


class StreetSpot(NamedTuple):
    """A part of a street and where it is."""

    block: int | None  # of the house numbers there; None where the table has no numbers
    point: Point


@lru_cache(maxsize=16_384)
def fold_street(name: str) -> str:
    """The form under which a street is stored and looked up.

    Without spaces, because German streets are written as one word and as several.

    >>> fold_street("Milam Street"), fold_street("MILAM ST."), fold_street("N. Fifth Avenue")
    ('milamst', 'milamst', 'n5thave')
    >>> fold_street("Lindenstraße"), fold_street("Linden Str."), fold_street("Linden-Strasse")
    ('lindenst', 'lindenst', 'lindenst')
    """
    words = (_SHORT.get(word, word) for word in fold(name).split())
    return "".join(_ENDING.sub(_short_ending, word) for word in words)


def _short_ending(found: re.Match[str]) -> str:
    return _SHORT.get(found[0], "st")


def block_of(house_number: str) -> int | None:
    """The block of a house number; None where it has no digits.

    >>> block_of("100"), block_of("117-119"), block_of("12a"), block_of("A")
    (5, 5, 0, None)
    """
    found = _NUMBER.search(house_number)
    return int(found[0]) // HOUSES_OF_A_BLOCK if found else None


def middle_of(spots: Sequence[StreetSpot], house_number: str = "") -> Point | None:
    """The spot in the middle of a street, or of the part nearest to a house number.

    A spot, not an average: a street bends, and towns have two streets of one name.
    """
    wanted = block_of(house_number)
    numbered = [spot for spot in spots if spot.block is not None]
    if wanted is not None and numbered:
        nearest = min(abs((spot.block or 0) - wanted) for spot in numbered)
        spots = [spot for spot in numbered if abs((spot.block or 0) - wanted) == nearest]
    if not spots:
        return None
    latitude = median(spot.point.latitude for spot in spots)
    longitude = median(spot.point.longitude for spot in spots)
    return min(
        (spot.point for spot in spots),
        key=lambda p: (p.latitude - latitude) ** 2 + (p.longitude - longitude) ** 2,
    )
