"""Place names: one normal form for all spellings, what a user typed, and the nearest names.

Folding is done when the gazetteer is built and again on every question; it has to be the same
function both times, and fast for plain ASCII, which most questions are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

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
