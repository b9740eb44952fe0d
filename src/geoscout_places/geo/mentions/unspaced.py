"""Names in scripts that write words without spaces between them: 東京は日本の首都です.

Everywhere else a name ends where its word ends. Here nothing shows where that is, so a name counts
inside a run of letters where it is long, or where what it names is so well known that the letters
hardly mean anything else.
"""

from __future__ import annotations

import re

from geoscout_places.geo.mentions.knowledge import NamePattern
from geoscout_places.model import Kind

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HIRAGANA = "\u3041-\u309f"
_KATAKANA = "\u30a0-\u30ff"
_SOUTH_EAST_ASIAN = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
_HANGUL = "\uac00-\ud7a3"
# Between these two letters a word may end and another begin.
_BORDER = re.compile(
    rf"[{_HAN}][^{_HANGUL}]|[^{_HANGUL}][{_HAN}]"
    rf"|[{_HIRAGANA}][^{_HIRAGANA}]|[^{_HIRAGANA}][{_HIRAGANA}]"
    rf"|[{_SOUTH_EAST_ASIAN}]."
)
# What Korean puts behind a name in the same word: in, from, of, to, and; city, county.
_PARTICLES = re.compile(
    rf"(?:에서는?|에는?|의|은|는|이|가|을|를|으?로|와|과|도|까지|부터|시|군|구)(?![{_HANGUL}])"
)
_LONG_ENOUGH = {"han": 3, "other": 4}  # letters
_WELL_KNOWN = 1_000_000  # inhabitants
_WIDE = frozenset((Kind.COUNTRY, Kind.REGION))


_LAST_SPACED = "\u0e00"  # letters of scripts that may have no spaces come after it


def may_begin(view: str, start: int) -> bool:
    """Whether a name may begin at this letter, which follows another one."""
    return view[start] >= _LAST_SPACED and _BORDER.match(view, start - 1) is not None


def may_end(view: str, end: int) -> bool:
    """Whether a name may end before this letter."""
    if view[end] <= _LAST_SPACED:
        return False
    return _BORDER.match(view, end - 1) is not None or _PARTICLES.match(view, end) is not None


def is_telling(pattern: NamePattern) -> bool:
    """Whether a name counts that stands inside a run of letters."""
    name, facts, _ = pattern
    if facts is None:
        return False
    script = "han" if "\u3400" <= name[0] <= "\u9fff" else "other"
    if len(name) >= _LONG_ENOUGH[script] or "\uac00" <= name[0] <= "\ud7a3":
        return True
    place = facts.senses().candidates[0].place
    return place.kind in _WIDE or place.population >= _WELL_KNOWN
