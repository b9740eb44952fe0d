"""Words of the names of businesses, clubs and offices, which tell them from other lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from geoscout_directory.categories import categories_of, is_category_word
from geoscout_directory.words import word_list

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
    words = re.findall(r"\w+", text.lower())
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
