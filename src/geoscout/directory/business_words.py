"""Words of the names of businesses, clubs and offices, which tell them from other lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from geoscout.directory.categories import categories_of, is_category_word
from geoscout.directory.words import word_list

_LEGAL = re.compile(
    r"(?<!\w)(?:(?i:gmbh|mbh|gbr|ohg|kgaa|e\. ?k\.|e\. ?kfm|e\. ?v\.|partg|inc|llc|llp|ltd|limited"
    r"|corp|corporation|company|plc|sarl|sàrl|s\.r\.l|s\.p\.a|s\.l\.|e\. ?g\.)"
    r"|KG|AG|UG|eG|eV|SE|BV|NV|Oy|AB|AS|Co|SA)(?!\w)"
)  # the short ones are words of some language unless they are written so
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
    if has_legal_form(text) or categories_of((), text):
        return True
    return not _WORDS.isdisjoint(re.findall(r"\w+", text.lower()))


_LIST_WORDS = re.compile(
    r"^(?:the\s)?(?:best|top|alle|all|our|unsere|weitere|more|other|\d+)\b", re.IGNORECASE
)
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
    if not kinds:
        return False
    if _LIST_WORDS.match(text):
        return True
    rest = [word for word in words if word not in kinds]
    return not rest or (kinds[0] == words[0] and len(rest) <= 2 and is_place(" ".join(rest)))


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
