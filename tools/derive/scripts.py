"""Writing systems: which one a name is in, and where it is at home.

A town's name in the script of its own country is what its people write and is always
kept; a name in a foreign script only for places that foreigners write about.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache

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
