"""What sort of thing an entry is, as OpenStreetMap tags it ("amenity=restaurant"), and its words.

`data/categories.tsv` gives for each tag the types of schema.org and the words that mean it. A type
says it surely. A word says it in the name of the entry or in a line next to it. In a name it may
also end a compound, as German writes them; elsewhere endings are those of streets and adjectives.
Further words, with the legal forms, tell the names of businesses, clubs and offices from other
lines.
"""

import lzma
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files

_ENDS_COMPOUNDS = "+"  # behind a word of the table
# Where something is says nothing of what it is: "Pharmacy at the station", "Gasthaus am Dom".
# What follows there is no landmark either: "Praxis am Pasinger Bahnhof".
_WHERE = re.compile(
    r"\b(?:am|an der|beim|bei der|im|in der|zum|zur|at the|near|by the)\s+[\w-]+",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[,;:|()–]|\s-\s")
# What also gives quarters, streets and other things their names: it says nothing unless it is in
# the name, and nothing beside a word that says more: "Schloss-Apotheke".
_LANDMARKS = frozenset(
    ("railway=station", "amenity=university", "leisure=park", "historic=castle",
     "aeroway=aerodrome", "amenity=place_of_worship", "amenity=school", "leisure=stadium",
     "amenity=townhall")
)  # fmt: skip
# Words that are names as well, of people and buildings: what stands next to them tells more.
_WEAK = frozenset(("burger", "dom", "burg", "bank", "park", "arena"))
# "Izakaya im Grand Hotel" is no hotel.
_WITHIN = re.compile(r"(?<=\w)\s+(?:im|in der|in the)\s.*", re.IGNORECASE)
_SENTENCE = 4  # words in lower case; one speaks of other things
_LOWER = re.compile(r"(?<!\w)[^\W\d_A-Z]{2,}(?!\w)")
_WORD = re.compile(r"\w+")
_MOST = 3  # categories of one entry
_SHORTEST_PRESET, _LONGEST_PRESET = 5, 3  # letters, and words


@cache
def _table() -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    text = (files("geoscout_directory") / "data/categories.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [(tag, tuple(types.split(",")), tuple(words.split(","))) for tag, types, words in rows]


@cache
def _by_type() -> dict[str, str]:
    return {type: tag for tag, types, _ in _table() for type in types if type}


@cache
def _by_word() -> dict[str, str]:
    words = ((word.rstrip(_ENDS_COMPOUNDS), tag) for tag, _, words in _table() for word in words)
    return {word: tag for word, tag in words if word}


def compound_ends() -> Mapping[str, str]:
    """The words that compounds end in, in lower case, with their categories."""
    return {
        word[:-1]: tag
        for tag, _, words in _table()
        for word in words
        if word.endswith(_ENDS_COMPOUNDS)
    }


@cache
def _compound() -> re.Pattern[str]:
    """A word that ends in one of ours, as German compounds do."""
    words = "|".join(map(re.escape, sorted(compound_ends(), key=len, reverse=True)))
    return re.compile(rf"\w+({words})")


def tags() -> tuple[str, ...]:
    """Every category that there is."""
    return tuple(dict.fromkeys((*(tag for tag, _, _ in _table()), *presets()[0].values())))


def categories_of(types: Iterable[str], name: str, nearby: Iterable[str] = ()) -> tuple[str, ...]:
    """The categories of an entry, the surest first.

    Args:
        types: of its markup.
        name: its own, which tells more than what stands around.
        nearby: further texts, in the order of trust; the first that tells something counts.

    >>> categories_of((), "Heimatmuseum Aubing"), categories_of(("Bakery",), "Corner Shop")
    (('tourism=museum',), ('shop=bakery',))
    >>> categories_of((), "Am Bahnhof", ["Augsburger Str. 1", "Apotheke München"])
    ('amenity=pharmacy',)
    >>> categories_of((), "Schloss-Apotheke"), categories_of((), "KFO am Pasinger Bahnhof")
    (('amenity=pharmacy',), ())
    >>> categories_of((), "Burger & Kollegen", ["Rechtsanwälte Zentrum"])
    ('office=lawyer',)
    >>> categories_of((), "Izakaya im Grand Hotel"), categories_of((), "Angst-Hilfe e.V.")
    ((), ('office=association',))
    >>> categories_of((), "Bibliothèque municipale"), categories_of((), "Grill im Hotel Erb")
    (('amenity=library',), ('amenity=restaurant',))
    """
    by_type = _by_type()
    found: Sequence[str] = [by_type[type] for type in types if type in by_type]
    if not found:
        found = _named(_WITHIN.sub("", name))
        found = [tag for tag in found if tag not in _LANDMARKS] or found
    if not found or not _WEAK.isdisjoint(_WORD.findall(name.lower())):
        lines = [text for text in nearby if len(_LOWER.findall(text)) < _SENTENCE]
        told = ([t for t in _named(x, is_name=False) if t not in _LANDMARKS] for x in lines)
        # "Ruff's Burger" among restaurants is one of them, and says more
        found = next((t for t in told if t and not (found and t[0] == "amenity=restaurant")), found)
        found = found or next(filter(None, map(_by_preset, (name, *lines))), [])
    if not found and _ASSOCIATION.search(name):
        found = ["office=association"]
    return tuple(dict.fromkeys(found))[:_MOST]


@lru_cache(maxsize=8192)
def _named(text: str, *, is_name: bool = True) -> Sequence[str]:
    found: list[str] = []
    for part in _PARTS.split(text.lower()):
        own, *places = _WHERE.split(part)
        what, _, about = own.partition(" für ")  # a school for fashion is no shop
        found += [*_told(what, is_name=is_name)] or _told(about, is_name=is_name)
        rest = _told(" ".join(places), is_name=is_name)
        found += [tag for tag in rest if tag not in _LANDMARKS]
    return tuple(found)


def _told(text: str, *, is_name: bool) -> Iterator[str]:
    by_word = _by_word()
    for word in _WORD.findall(text):
        if word in by_word:
            yield by_word[word]
        elif is_name and (match := _compound().fullmatch(word)):
            yield by_word[match[1]]


def category_words() -> Mapping[str, str]:
    """Every word that names a category, in lower case, with the category."""
    return _by_word()


@cache
def presets() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """What categories are called in many languages, and search terms for them, by word.

    The terms are for questions: in names some of them are something else.
    """
    packed = (files("geoscout_directory") / "data/category_words.tsv.xz").read_bytes()
    names: dict[str, str] = {}
    terms: dict[str, str] = {}
    for line in lzma.decompress(packed).decode().splitlines()[1:]:
        tag, *lists = line.split("\t")
        for known, words in zip((names, terms), lists, strict=True):
            for word in words.split(","):
                known.setdefault(word, tag)
    return names, terms


@cache
def _labels() -> frozenset[str]:
    """Words of menus and forms, which name nothing: a department of information is no board."""
    return word_list("label_words") | word_list("field_words")


def _by_preset(name: str) -> list[str]:
    """The categories whose names stand in a name as whole words, the longest first."""
    own = _WHERE.split(name)[0]  # "Almgrill im Hotel Erb" is no hotel
    words = _WORD.findall(own.lower())
    known, _ = presets()
    for size in range(_LONGEST_PRESET, 0, -1):
        phrases = (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))
        told = (p for p in phrases if len(p) >= _SHORTEST_PRESET and p not in _labels())
        found = [known[p] for p in told if p in known]
        if found:
            return found
    return []


def is_category_word(word: str) -> bool:
    """Whether a word in lower case names a category by itself."""
    return word in _by_word()


def word_list(name: str) -> frozenset[str]:
    """The words of `data/NAME.txt`, in lower case."""
    return frozenset((files("geoscout_directory") / f"data/{name}.txt").read_text("utf-8").split())


_LEGAL = re.compile(
    r"(?<!\w)(?:(?i:gmbh|mbh|gbr|ohg|kgaa|e\. ?k\.|e\. ?kfm|e\. ?v\.|partg|inc|llc|llp|ltd|limited"
    r"|corp|corporation|company|plc|sarl|sàrl|s\.r\.l|s\.p\.a|s\.l\.|e\. ?g\.)"
    r"|KG|AG|UG|eG|eV|SE|BV|NV|Oy|AB|AS|Co|SA)(?!\w)"
)  # the short ones are words of some language unless they are written so
_ASSOCIATION = re.compile(r"(?<!\w)e\. ?V\.(?!\w)|(?<!\w)eV$")
_WORDS = word_list("business_words")


def has_legal_form(text: str) -> bool:
    """Whether a text has a legal form: GmbH, Inc., e.V."""
    return _LEGAL.search(text) is not None


@lru_cache(maxsize=8192)
def names_business(text: str) -> bool:
    """Whether a text has a word that names of businesses have and names of people have not.

    >>> names_business("Müller & Söhne GmbH"), names_business("Salon Anna"), names_business("Anna")
    (True, True, False)
    """
    words = re.findall(r"\w+", text.lower())
    if has_legal_form(text) or categories_of((), text):
        return True
    return not _WORDS.isdisjoint(words) or any(map(_ends_in_word, words))


def _ends_in_word(word: str) -> bool:
    """Whether a word ends in one of ours, as German compounds do: Haardesign."""
    ends = (word[-length:] for length in range(_SHORTEST_ENDING, len(word) - 2))
    return any(end in _WORDS for end in ends) or _OF_HAIR.match(word) is not None


_SHORTEST_ENDING = 5
_OF_HAIR = re.compile(r"(?:haar|hair|friseur|frisör|coiff|kosmetik)\w+")


_INSTITUTION = re.compile(
    r"\b(?:university|universität|universität|université|universidad|università|college|institute?"
    r"|institution|school|department|dept|laborator(?:y|ies)|labs?|academy|akademie|hochschule"
    r"|fakultät|faculty|library|museum|ministry|division|center|centre)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def names_institution(text: str) -> bool:
    """Whether a text names a university, department, laboratory or the like.

    >>> names_institution("Dept. of Computer Science"), names_institution("Corner Inn")
    (True, False)
    """
    return _INSTITUTION.search(text) is not None


_LIST_WORDS = re.compile(
    r"^(?:the\s)?(?:best|top|alle|all|our|unsere|weitere|more|other|\d+)\b", re.IGNORECASE
)
# The University of Michigan is one thing, although Michigan is a place.
_NAMED_AFTER = re.compile(r"\b(?:University|College|Institute|School|Bank|Museum) of\b")
_SMALL = frozenset("in im am an the und and of near bei der die das".split())


def is_kind_of_thing(text: str, is_place: Callable[[str], bool]) -> bool:
    """Whether a text only says what sort of thing something is, and perhaps where.

    >>> is_kind_of_thing("Landfill", str.istitle), is_kind_of_thing("Friseur Puchheim", str.istitle)
    (True, True)
    >>> is_kind_of_thing("Best Shops", str.istitle), is_kind_of_thing("Inn of HOPE", str.istitle)
    (True, False)
    """
    words = [word for word in re.findall(r"[\w-]+", text) if word.lower() not in _SMALL]
    kinds = [word for word in words if _is_kind(word)]
    if not kinds or _NAMED_AFTER.search(text):
        return False
    if _LIST_WORDS.match(text):
        return True
    rest = [word for word in words if word not in kinds]
    if not rest:
        return True
    is_where = is_place(" ".join(rest)) or all(map(is_place, rest))
    return kinds[0] == words[0] and len(rest) <= 2 and is_where


def lists_things(text: str) -> bool:
    """Whether a title is that of a list: it has the plural of a sort of thing.

    >>> lists_things("Dimmitt, TX Transfer Stations & Landfills"), lists_things("Rock Restaurant")
    (True, False)
    """
    words = re.findall(r"\w+", text.lower())
    return any(
        word.endswith("s") and is_category_word(word[:-1]) and not is_category_word(word)
        for word in words
    )


def _is_kind(word: str) -> bool:
    """Whether a word is the word for a sort of thing; "Ammersee-Apotheke" is a name already."""
    forms = (word.lower(), word.lower().removesuffix("s"))
    return any(is_category_word(form) or form in _WORDS for form in forms)
