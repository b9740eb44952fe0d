"""Reading the street line of an address in English: "123 1/2 N. Main St. NE, Suite 5".

Done word by word and not by one regular expression: the grammar has too many optional parts for a
pattern that both stays readable and never backtracks.

Most numbers on a page are not house numbers; here only those are told apart that cannot be one by
their own form ("12-14", "55 1/2", "W148 N9748") or by the word in front of them. Doors (suites,
apartments, floors) stand behind the street, before it, or on a line of their own, so both the
reading of streets and the walk from the town to the street have to know them.
"""

import re

from msgspec import Struct
from msgspec.structs import replace

from geoscout_places.geo.address.base import Street, StreetEvidence
from geoscout_places.geo.address.segments import (
    AddressWord,
    Grammar,
    Segment,
    segment_words,
    whole_street,
)
from geoscout_places.geo.lazy_patterns import lazy_pattern
from geoscout_places.language import load_language


class EnglishStreetWords(Struct, frozen=True):
    """The words of street lines in English, as `language/en.toml` explains them.

    All are lower-case and without full stops, as `AddressWord.key` has them.
    """

    street_types: frozenset[str]
    route_types: frozenset[str]
    weak_street_types: frozenset[str]
    leading_types: frozenset[str]
    standing_alone: frozenset[str]
    directions: frozenset[str]
    unit_words: frozenset[str]
    whole_units: frozenset[str]
    number_words: frozenset[str]
    ordinal_words: frozenset[str]
    connectors: frozenset[str]
    function_words: frozenset[str]
    position_words: frozenset[str]
    counted: frozenset[str]


ENGLISH = EnglishStreetWords(
    **{name: frozenset(words) for name, words in load_language("en").streets.items()}
)

NUMBER = lazy_pattern(
    r"#?(?:[0-9]{1,6}(?:-?[A-Za-z])?[½¼¾]?|[0-9]{1,6}[½¼¾]"
    r"|([0-9]{1,5})[-–]([0-9]{1,5})[A-Za-z]?|[NSEW][0-9]{1,5}[NSEW][0-9]{1,5})"
)
_GRID_HALF = lazy_pattern(r"[NSEW][0-9]{1,5}")  # "W148 N9748 Tree Tops Dr"
_FRACTION = lazy_pattern(r"[1-9]/[1-9][0-9]?|[½¼¾]")


def is_number(words: tuple[AddressWord, ...], index: int) -> bool:
    """Whether the word can begin a house number; the street behind it decides."""
    word = words[index]
    if word.key in ENGLISH.number_words:
        return word.text[0].isupper() or words[0].text[0].islower()
    is_grid = _GRID_HALF.fullmatch(word.text) and number_end(words, index) > index + 1
    if word.text[-1] in ".:" or not (is_grid or NUMBER.fullmatch(word.text.rstrip(","))):
        return False
    if word.text[0] == "#" and index + 1 < len(words) and words[index + 1].text in "-–":
        return False  # the door of "#200 - 1055 Hastings Street"
    return not _is_door_number(words, index)


def _is_door_number(words: tuple[AddressWord, ...], index: int) -> bool:
    """Whether the number belongs to the word before it: "Suite 900", but not "4th Floor 900"."""
    if index == 0 or words[index - 1].key not in ENGLISH.unit_words:
        return False
    return index == 1 or not is_ordinal(words[index - 2])


def is_doubtful_number(word: AddressWord) -> bool:
    """Whether it takes a street word to believe it: "One", or what may be a telephone number."""
    match = NUMBER.fullmatch(word.text)
    low, high = match.groups() if match else ("", "")
    # Ranges, Queens ("32-15") and Hawaii ("75-5776") are house numbers for sure.
    is_odd_pair = bool(low) and not (len(high) == 2 or len(low) in (2, len(high)))
    return is_odd_pair or word.key in ENGLISH.number_words


def number_end(words: tuple[AddressWord, ...], index: int) -> int:
    """The word behind the house number that begins at the index."""
    end = index + 1
    if end < len(words) - 1 and _GRID_HALF.fullmatch(words[index].text):
        return end + 1 if _GRID_HALF.fullmatch(words[end].text) else end
    if end < len(words) - 1 and _FRACTION.fullmatch(words[end].text):
        return end + 1
    if end < len(words) - 2 and words[end].text in "-–&" and words[end + 1].text.isdigit():
        return end + 2
    return end


_ORDINAL = lazy_pattern(r"[0-9]{1,3}(?:st|nd|rd|th)", re.IGNORECASE)
_UNIT_SEGMENT = lazy_pattern(
    r"(?:#\s?[\w-]{1,8}|(?:[0-9]{1,3}(?:st|nd|rd|th|er|e)|first|second|third|fourth|fifth|top"
    r"|ground|main|lower|upper|mezzanine|garden)\s(?:floor|fl|flr|level|lvl|étage)"
    r"|[a-z]{1,2}[-]?[0-9]{1,4}[a-z]?|[a-z]-[a-z])\.?",
    re.IGNORECASE,
)
_LEVELS = frozenset(("floor", "fl", "flr", "level", "lvl"))
_STOREYS = frozenset(("lower", "upper", "main", "ground", "top", "garden", "street"))


def is_unit(segment: Segment) -> bool:
    """Whether the segment is nothing but a door: "Suite 5", "#160", "2nd floor".

    >>> [is_unit(Segment(0, 9, t, "", "")) for t in ("Suite 5-B", "2nd Fl.", "Old Town")]
    [True, True, False]
    """
    if _UNIT_SEGMENT.fullmatch(segment.text):
        return True
    words = segment_words(segment.text)
    return len(words) <= 6 and unit_length(words, 0) == len(words)


def is_named_unit(segment: Segment) -> bool:
    """Whether the segment is a door that says so: "Flat 2", "3rd Floor", but not "B-2"."""
    words = segment_words(segment.text.rstrip(" -–"))
    is_long_enough = 2 <= len(words) <= 4
    is_door_before_number = segment.text[0] == "#" and segment.text[-1] in "-–"
    return is_door_before_number or (is_long_enough and unit_length(words, 0) == len(words))


def unit_length(words: tuple[AddressWord, ...], index: int) -> int:
    """How many words from this one on name a door; 0 when none does."""
    length = 0
    while index + length < len(words):
        step = one_unit(words, index + length)
        if not step:
            break
        length += step
    return length


def is_ordinal(word: AddressWord) -> bool:
    return bool(_ORDINAL.fullmatch(word.key)) or word.key in ENGLISH.ordinal_words


def one_unit(words: tuple[AddressWord, ...], index: int) -> int:
    word = words[index]
    following = words[index + 1] if index + 1 < len(words) else None
    if word.text[0] == "#" and len(word.text) > 1:
        return 1
    if following and following.key in _LEVELS and (is_ordinal(word) or word.key in _STOREYS):
        return 2
    if word.key in ENGLISH.unit_words or word.text == "#":
        if following and _is_identifier(following):
            return 2
        return 1 if word.key in ENGLISH.whole_units and following is None else 0
    return 0


def _is_identifier(word: AddressWord) -> bool:
    """Whether the word can name a door: "5", "B", "12-C", "#4", not "Avenue"."""
    text = word.text.strip("#.,")
    if word.key in ENGLISH.street_types:
        return False
    is_short = len(text) <= 2 and (text.isupper() or len(text) == 1)
    return is_short or any(map(str.isdigit, text)) or (len(text) <= 4 and "-" in text)


_ROUTE = lazy_pattern(
    r"(?:(?:old|new|us|u\.\s?s\.?|united\sstates|state|county|business|[nsew]\.?|north|south|east"
    r"|west|[a-z]{2})\s){0,3}(?:(?:highway|hwy|route|rte?|road|rd|farm(?:\sto\smarket)?(?:\s(?:road"
    r"|rd))?|ranch(?:\s(?:road|rd))?|fm|rm|rr|cr|sr|sh|us|u\.\s?s|interstate|i|loop|spur|business"
    r"|bus|[a-z]{2}(?=-)|(?-i:(?![NS][EW])[A-Z]{2}(?=\.?[\s-])))\.?[\s-]?(?:no\.?\s)?#?"
    r"[0-9]{1,4}[a-z]?(?:/[0-9]{1,4})?(?!\w|[.,/-][0-9])"
    r"|(?:county|state)\s(?:road|rd|highway|hwy|trunk)\.?\s(?-i:[A-Z]{1,2})(?!\w))"
    r"(?:\s(?:north|south|east|west|[ns][ew]?|[ew])\b\.?)?",
    re.IGNORECASE,
)
_BOX = lazy_pattern(
    r"(?:p\s?\.?\s?o\s?\.?|post\soffice)\s?(?:box|drawer|bin)\s?#?\s?\w{1,10}"
    r"|(?:rural\sroute|rr|hc|highway\scontract|route)\s#?[0-9]{1,3},?\sbox\s#?\w{1,7}"
    r"|(?:c\.?\s?p\.?|case\spostale|bo[iî]te\spostale)\s[0-9]{1,7}",
    re.IGNORECASE,
)
_ROUTE_NUMBER = lazy_pattern(r"[0-9]{1,4}[A-Z]?,?")
_LONGEST_NAME = 7
_REACH = 16  # words from the end of a segment where its street may begin
_HIGHWAY = lazy_pattern(r"(?:highway|hwy|route|rte|road|rd|interstate|loop)\b", re.IGNORECASE)


def read_box(segment: Segment) -> Street | None:
    """The post-office box this segment names."""
    match = _BOX.search(segment.text)
    if match is None:
        return None
    start = segment.start + match.start()
    return Street(
        start, segment.start + match.end(), "", match.group(), "", evidence=StreetEvidence.BOX
    )


def read_direction(segment: Segment) -> tuple[str, str]:
    """The quadrant of a street and the door behind it: the "NW Suite 9" of "K Street, NW Suite 9".

    Both are empty when the segment is anything else.
    """
    words = segment_words(segment.text)
    if words[0].key not in ENGLISH.directions or 1 + unit_length(words, 1) != len(words):
        return "", ""
    return words[0].text, segment.text[words[0].end :].strip()


def read_street(segment: Segment) -> Street | None:
    """The street in this segment, the likeliest one where several numbers stand in it."""
    words = segment_words(segment.text)
    best: Street | None = None
    for index in range(max(0, len(words) - _REACH), len(words) - 1):
        street = _read_from(segment, words, index) if is_number(words, index) else None
        if street and (best is None or street.evidence > best.evidence):
            best = street
        if best and best.evidence is StreetEvidence.TYPED:
            break
    return best


def read_unnumbered(segment: Segment) -> Street | None:
    """A street without a number that fills its segment: "Morton Way", "Highway 2"."""
    words = segment_words(segment.text)
    if not 2 <= len(words) <= _LONGEST_NAME or not segment.text[0].isupper():
        return None
    is_route = _HIGHWAY.search(segment.text) is not None
    end = (is_route and _route_end(segment.text, words, 0)) or _typed_end(words, 0)
    if end != len(words) or not _is_plain_name(words):
        return None
    return whole_street(segment, StreetEvidence.UNNUMBERED)


def read_pair(left: Segment, right: Segment) -> Street | None:
    """The street of a number and a name that a comma separates: "12, High Street"."""
    if _BOX.fullmatch(f"{left.text}, {right.text}"):
        name = f"{left.text}, {right.text}"
        return Street(left.start, right.end, "", name, "", evidence=StreetEvidence.BOX)
    if not NUMBER.fullmatch(left.text) or not right.text[0].isalpha():
        return None
    street = read_street(replace(right, text=f"{left.text} {right.text}"))
    if street is None or street.evidence is not StreetEvidence.TYPED or street.start != right.start:
        return None
    return replace(street, start=left.start, end=street.end - len(left.text) - 1)


def _is_plain_name(words: tuple[AddressWord, ...]) -> bool:
    return all(word.text[0].isupper() or word.text[0].isdigit() for word in (words[0], words[-1]))


def _read_from(segment: Segment, words: tuple[AddressWord, ...], index: int) -> Street | None:
    if _is_mile_road(words, index):
        return None
    first = number_end(words, index)
    end, evidence = _name_end(segment.text, words, first)
    if evidence is StreetEvidence.NONE or (evidence <= StreetEvidence.BUILDING and index > 0):
        return None
    if is_doubtful_number(words[index]) and evidence < StreetEvidence.LIKELY:
        return None
    last = end + unit_length(words, end)
    if _has_too_much_behind(words, last, evidence):
        return None
    number = segment.text[words[index].start : words[first - 1].end].rstrip(",").lstrip("#")
    name = segment.text[words[first].start : words[end - 1].end].rstrip(",")
    unit = segment.text[words[end].start : words[last - 1].end] if last > end else ""
    start = segment.start + words[index].start
    return Street(start, segment.start + words[last - 1].end, number, name, unit, evidence=evidence)


def _has_too_much_behind(
    words: tuple[AddressWord, ...], last: int, evidence: StreetEvidence
) -> bool:
    """A line goes on for a few words at most ("… Send to phone"); a sentence is not an address."""
    return len(words) - last > (4 if evidence is StreetEvidence.TYPED else 0)


def _name_end(text: str, words: tuple[AddressWord, ...], first: int) -> tuple[int, StreetEvidence]:
    """Where the street name that starts at this word ends, and how sure that is one."""
    if first >= len(words) or not _is_first_word(words, first):
        return first, StreetEvidence.NONE
    end = (
        _route_end(text, words, first)
        or _lettered_end(words, first)
        or _typed_end(words, first)
        or _leading_end(words, first)
    )
    return (end, StreetEvidence.TYPED) if end else _untyped_end(words, first)


def _is_first_word(words: tuple[AddressWord, ...], first: int) -> bool:
    """Whether a street name can begin here: "1993, at a highway" is none."""
    word = words[first]
    if not word.text[0].islower() or word.key in ENGLISH.leading_types:
        return True
    is_other = word.key in ENGLISH.function_words or word.key in ENGLISH.counted
    return _is_all_lower(words) and not is_other


def _route_end(text: str, words: tuple[AddressWord, ...], first: int) -> int:
    match = _ROUTE.match(text, words[first].start)
    if match is None:
        return 0
    return next(i + 1 for i in range(first, len(words)) if words[i].end >= match.end())


def _typed_end(words: tuple[AddressWord, ...], first: int) -> int:
    """The end of a name with its street word, and the direction behind that; 0 for none."""
    end = 0
    position = first + 1 if words[first].key in ENGLISH.directions else first
    standing_alone = position < len(words) and words[position].key in ENGLISH.standing_alone
    start = position - 1 if standing_alone or position > first else position
    for index in range(position, min(len(words), first + _LONGEST_NAME + 1)):
        word = words[index]
        if _is_type(word) and index > start:
            end = index + 1 + _is_route_number(words, index)
        elif not _is_name_word(words, index):
            break
        if word.text[-1] == ",":
            break
    return _with_direction(words, end)


def _is_type(word: AddressWord) -> bool:
    if "/" in word.key:  # "Lake Rd./Rte. 14"
        return word.key.split("/")[0].rstrip(".") in ENGLISH.street_types
    return word.key in ENGLISH.street_types


def _is_route_number(words: tuple[AddressWord, ...], index: int) -> bool:
    """Whether the type at the index has its number behind it: "Indiana Highway 212"."""
    kind = words[index].key.rpartition("/")[2]
    if kind not in ENGLISH.route_types or index + 1 >= len(words):
        return False
    return _ROUTE_NUMBER.fullmatch(words[index + 1].text) is not None


def _lettered_end(words: tuple[AddressWord, ...], first: int) -> int:
    """The end of a name that is a letter after its street word: "Avenue J", "S. Avenue H"."""
    if words[first].key in ENGLISH.directions and first + 1 < len(words):
        first += 1
    if words[first].key not in ENGLISH.leading_types or first + 1 >= len(words):
        return 0
    letter = words[first + 1].text.rstrip(".,")
    is_letter = len(letter) == 1 and letter.isupper() and letter not in "NSEW"
    return _with_direction(words, first + 2) if is_letter else 0


def _leading_end(words: tuple[AddressWord, ...], first: int) -> int:
    """The end of a name whose street word comes first: "Avenue of the Stars", "Calle Ocho"."""
    if words[first].key in ENGLISH.directions and first + 1 < len(words):
        first += 1
    if words[first].key not in ENGLISH.leading_types:
        return 0
    end = first + 1
    while end < min(len(words), first + 5) and _is_name_word(words, end):
        end += 1
    return _with_direction(words, end) if end > first + 1 else 0


def _is_phrase(name: tuple[AddressWord, ...]) -> bool:
    """Whether a direction begins something else: "2017 South By Southwest" is a festival."""
    is_direction = name[0].key in ENGLISH.directions
    return is_direction and any(word.key in ENGLISH.function_words for word in name)


def _untyped_end(words: tuple[AddressWord, ...], first: int) -> tuple[int, StreetEvidence]:
    """The end of a name without street word, which must reach the end of its segment."""
    end = first
    while end < min(len(words), first + 5) and _is_name_word(words, end):
        end += 1
    name = words[first:end]
    if not name or any(word.key in ENGLISH.counted for word in name) or _is_phrase(name):
        return first, StreetEvidence.NONE
    if not name[-1].text[0].isalnum() or name[-1].key in ENGLISH.connectors:
        return first, StreetEvidence.NONE
    if _is_grid(name) or (len(name) > 1 and name[0].key in ENGLISH.directions):
        return end, StreetEvidence.LIKELY
    if is_ordinal(name[0]) and len(name) == 1:
        return end, StreetEvidence.LIKELY
    if len(name) > 1 and name[-1].key in ENGLISH.weak_street_types:
        return end, StreetEvidence.BUILDING
    is_plural = len(name) == 1 and name[0].key.endswith("s") and "'" not in name[0].text
    return (first, StreetEvidence.NONE) if is_plural else (end, StreetEvidence.BARE)


def _is_grid(name: tuple[AddressWord, ...]) -> bool:
    """Whether these are coordinates in place of a name: the "South 900 East" of Utah."""
    return (
        len(name) in (2, 3)
        and name[0].key in ENGLISH.directions
        and name[1].text.isdigit()
        and (name[-1].key in ENGLISH.directions or name[-1].key == name[1].key)
    )


def _with_direction(words: tuple[AddressWord, ...], end: int) -> int:
    is_followed = end and end < len(words) and words[end].key in ENGLISH.directions
    return end + 1 if is_followed else end


def _is_name_word(words: tuple[AddressWord, ...], index: int) -> bool:
    word = words[index]
    if one_unit(words, index):
        return False
    if word.text[0].isdigit():
        is_before_type = index + 1 < len(words) and (
            words[index + 1].key in ENGLISH.street_types
            or words[index + 1].key in ENGLISH.directions
            or _is_mile_road(words, index)
        )
        return is_ordinal(word) or (word.text.isdigit() and is_before_type)
    if word.key in ENGLISH.connectors or word.key in ENGLISH.directions:
        return True
    return word.text[0].isupper() or _is_all_lower(words)


def _is_mile_road(words: tuple[AddressWord, ...], index: int) -> bool:
    """Whether the number at the index is the name of a street: the "7 Mile Rd" of Detroit."""
    following = [word.key for word in words[index + 1 : index + 3]]
    return len(following) == 2 and following[0] == "mile" and following[1] in ENGLISH.street_types


def _is_all_lower(words: tuple[AddressWord, ...]) -> bool:
    return len(words) <= 12 and all(word.text.islower() for word in words if word.text.isalpha())


# The trigger of a street with a number and a town behind it.
STREET_AND_TOWN = (
    r"(?<![\w.,/$-])[0-9]{1,5}[A-Za-z]?\s(?:[A-Z][\w.'’-]{0,20}\s){1,4}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Square|Sq|Drive|Dr|Boulevard|Blvd|Place|Court|Way"
    r"|Terrace|Crescent|Row|Parkway)\.?(?: [NSEW]{1,2})?(?:,\s|\n|\sin\s)(?=[A-Z])"
)

GRAMMAR = Grammar(
    read_street=read_street,
    read_unnumbered=read_unnumbered,
    read_box=read_box,
    is_unit=is_unit,
    is_named_unit=is_named_unit,
    read_direction=read_direction,
    read_pair=read_pair,
    position_words=ENGLISH.position_words,
)
