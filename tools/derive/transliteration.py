"""Recognises Latin spellings that only transliterate a foreign one.

GeoNames' alternate names hold for every "Хайленд" (Highland, California) a "Khajlend"
that nobody writes. Only spellings with a telltale pair of letters count, and only in
countries whose languages lack it: "Torino" is a fair reading of "Торино" and yet Turin's
own name, and "Khartum" is German.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, product

from tools.derive.names import fold
from tools.derive.scripts import is_latin

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
