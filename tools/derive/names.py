"""What counts as a name, and which names are the same.

Sources list alternate names without language or quality: transliterations syllable by
syllable, airport codes, addresses of web pages. A gazetteer that holds them finds places
in ordinary words, so they are left out here, once, for every table. Names that differ
only by case, diacritics, hyphens or apostrophes are kept once: the reader folds them too.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable

from tools.derive.scripts import LATIN, RARE, scripts_of

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
