"""What counts as a name, in which script, and which names are the same.

Sources list alternate names without language or quality: transliterations syllable by
syllable, airport codes, addresses of web pages. A gazetteer that holds them finds places
in ordinary words, so they are left out here, once, for every table. Names that differ
only by case, diacritics, hyphens or apostrophes are kept once: the reader folds them too.

A town's name in the script of its own country is what its people write and is always
kept; a name in a foreign script only for places that foreigners write about.

GeoNames' alternate names hold for every "Хайленд" (Highland, California) a "Khajlend"
that nobody writes. Only spellings with a telltale pair of letters count, and only in
countries whose languages lack it: "Torino" is a fair reading of "Торино" and yet Turin's
own name, and "Khartum" is German.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, product

from tools.derive.pins import WORDNET
from tools.derive.sources import Library

LATIN = "LATIN"

_ARABIC = "AE AF BH DJ DZ EG EH ER IQ IR JO KM KW LB LY MA MR OM PK PS QA SA SD SO SY TD TN YE"
_CYRILLIC = "BA BG BY KG KZ MD ME MK MN RS RU TJ UA UZ XK"
_HOMES = {
    "ARABIC": _ARABIC,
    "ARMENIAN": "AM",
    "BENGALI": "BD IN",
    "CJK": "CN HK JP MO SG TW",
    "CYRILLIC": _CYRILLIC,
    "DEVANAGARI": "IN NP",
    "ETHIOPIC": "ER ET",
    "GEORGIAN": "GE",
    "GREEK": "CY GR",
    "GUJARATI": "IN",
    "GURMUKHI": "IN",
    "HANGUL": "KP KR",
    "HEBREW": "IL PS",
    "HIRAGANA": "JP",
    "KANNADA": "IN",
    "KATAKANA": "JP",
    "KHMER": "KH",
    "LAO": "LA",
    "MALAYALAM": "IN",
    "MYANMAR": "MM",
    "ORIYA": "IN",
    "SINHALA": "LK",
    "TAMIL": "IN LK",
    "TELUGU": "IN",
    "THAANA": "MV",
    "THAI": "TH",
    "TIBETAN": "BT CN",
}
_AT_HOME = {script: frozenset(countries.split()) for script, countries in _HOMES.items()}
_UNPRINTED = frozenset({"Cc", "Cn", "Co", "Cs", "So"})
# Names in scripts that hardly a web page is written in are useless.
RARE = "RARE"


@cache
def script_of(letter: str) -> str:
    """The script of a letter; '' for marks that every script shares, RARE for the rest."""
    category = unicodedata.category(letter)
    if category in _UNPRINTED:
        return RARE
    if not category.startswith("L") or category == "Lm":
        return ""
    word = unicodedata.name(letter, RARE).split()[0]
    return word if word == LATIN or word in _AT_HOME else RARE


def scripts_of(name: str) -> frozenset[str]:
    """The scripts that the letters of a name are in.

    >>> sorted(scripts_of("Αθήνα-Athína"))
    ['GREEK', 'LATIN']
    """
    if name.isascii():
        return frozenset({LATIN})
    return frozenset(map(script_of, name)) - {""}


def is_latin(name: str) -> bool:
    """Whether a name has no letters but Latin ones."""
    return name.isascii() or scripts_of(name) <= {LATIN}


def in_home_script(names: Iterable[str], country: str) -> Iterator[str]:
    """The names in Latin letters and those in a script of the country."""
    for name in names:
        scripts = scripts_of(name) - {LATIN}
        if all(country in _AT_HOME.get(script, ()) for script in scripts):
            yield name


_APOSTROPHES = dict.fromkeys(map(ord, "'’‘`´ʻʼʹ′ʿʾ"))
_SPACED = {ord(mark): " " for mark in "-‐‑–—"}
_UNDECOMPOSED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ħ": "h"})
# Digits and signs, web addresses, codes, and GeoNames' way to write thorn and d with stroke.
_JUNK = re.compile(r"[\d@#<>_={}\[\]\\|\"“”?*:;]|www\.|\.com\b|^[A-Z]{1,5}$|\b(?:TH|GJ)[a-z]")
_QUALIFIED = re.compile(r"[,،、，].*")
_LONGEST = 60


def fold(name: str) -> str:
    """The form under which two spellings are the same name.

    >>> fold("Saint-Étienne") == fold("SAINT ETIENNE")
    True
    >>> fold("Malmö") == fold("Malmoe")
    False
    """
    plain = name.translate(_APOSTROPHES).translate(_SPACED).casefold()
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFKD", plain).translate(_UNDECOMPOSED)
        plain = "".join(mark for mark in decomposed if not unicodedata.combining(mark))
    return " ".join(plain.split())


def is_name(name: str) -> bool:
    """Whether an alternate name is one that people write.

    >>> [is_name(word) for word in ("Ausbourg", "lai sai si ka er", "LYS", "Sector 12")]
    [True, False, False, False]
    """
    if not 2 <= len(name) <= _LONGEST or _JUNK.search(name):
        return False
    scripts = scripts_of(name)
    if scripts != {LATIN}:
        return len(scripts) > 0 and LATIN not in scripts and RARE not in scripts
    return name != name.lower()


def distinct_names(main: str, names: Iterable[str]) -> tuple[str, ...]:
    """Alternate names worth keeping next to the main one, sorted.

    Of spellings that fold alike the one with most diacritics and fewest hyphens is kept, and
    one in capitals only if there is no other.
    """
    kept: dict[str, str] = {}
    for name in sorted(set(map(_unqualified, names)), key=_plainness):
        if is_name(name):
            kept.setdefault(fold(name), name)
    kept.pop(fold(main), None)
    kept.pop("", None)
    return tuple(sorted(kept.values()))


def _unqualified(name: str) -> str:
    """The part before a comma: "Augusta, Georgia" is two names."""
    return " ".join(_QUALIFIED.sub("", name).split())


def _plainness(name: str) -> tuple[int, bool, int, str]:
    return -sum(letter > "\x7f" for letter in name), name.isupper(), name.count("-"), name


def stable_id(kind: str, key: str) -> int:
    """A negative id for what GeoNames has no id for; the same for the same key, always."""
    digest = hashlib.sha256(f"{kind}:{key}".encode()).digest()
    return -(1_000_000 + int.from_bytes(digest[:4], "big"))


_WESTERN_COUNTRIES = frozenset(
    "AR AT AU BE BO BR CA CH CL CO CR CU DE DK DO EC ES FI FR GB GT HN IE IS IT JM LU MX NI NL NO "
    "NZ PA PE PR PT PY SE SV US UY VE ZA".split()
)
_GERMANIC_COUNTRIES = frozenset("AT CH DE DK FI IS LI LU NO SE".split())
_TELLTALE = re.compile(r"kh|zh|shch|eh|j")

_LETTERS = {
    "а": "a", "б": "b", "в": "v", "г": "g h", "ґ": "g", "д": "d", "е": "e", "ё": "jo e",
    "ж": "zh", "з": "z", "и": "i y", "й": "j", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o",
    "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "kh h", "ц": "ts c",
    "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "u  y", "ы": "y", "ь": "", "э": "eh", "ю": "ju yu",
    "я": "ja ya", "і": "i", "ї": "i ji yi", "є": "je ye", "ў": "w u", "ђ": "d dj", "ј": "j",
    "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dzh dz", "ѓ": "g", "ќ": "k", "ө": "o", "ү": "u",
}  # fmt: skip
_MOST_READINGS = 48
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def drop_transliterations(names: Iterable[str], country: str) -> list[str]:
    """The names without those that transliterate another of them for no reader."""
    names = list(names)
    noise: set[str] = set()
    if country in _WESTERN_COUNTRIES:
        for name in names:
            noise.update(filter(_TELLTALE.search, readings(name)))
    if country not in _GERMANIC_COUNTRIES:
        expanded = ((name, name.translate(_UMLAUTS)) for name in names)
        noise.update(fold(plain) for name, plain in expanded if plain != name)
    return [name for name in names if not (noise and is_latin(name) and fold(name) in noise)]


def readings(name: str) -> Iterator[str]:
    """The folded Latin spellings of a Cyrillic name; none for other names.

    >>> list(readings("Кхен"))
    ['kkhen', 'khen']
    """
    letters = name.lower()
    if not any(letter in _LETTERS for letter in letters):
        return iter(())
    options = [_LETTERS.get(letter, letter).split(" ") for letter in letters]
    spellings = islice(product(*options), _MOST_READINGS)
    return (fold("".join(spelling)) for spelling in spellings)


_FILES = ("data.noun", "data.verb", "data.adj", "data.adv")
_LOWER_CASE = re.compile(r"^\d{8} \d\d [nvasr] [0-9a-f]{2} (.*?) \d{3} ", re.MULTILINE)


def read_common_words(library: Library) -> frozenset[str]:
    """Single words, as they stand in a dictionary."""
    words: set[str] = set()
    for file in _FILES:
        words |= parse_words(library.read(WORDNET, f"database/3.0/{file}").decode())
    return frozenset(words)


def parse_words(text: str) -> set[str]:
    """The lower-case single words of a WordNet data file."""
    found: set[str] = set()
    for line in _LOWER_CASE.findall(text):
        # pairs of a word and the number of its sense
        found.update(word for word in line.split()[::2] if word.isalpha() and word.islower())
    return found
