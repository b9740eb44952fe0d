"""Whether a name is that of a person, so that persons can be left out of a directory.

A hairdresser may have no other name than her own. Such an entry is left out as well, unless
`--persons` asks for it: a directory of places of business has to do without it rather than be a
list of people.
"""

from __future__ import annotations

import re

from geoscout.directory.business_words import names_business
from geoscout.directory.words import word_list

_TITLES = re.compile(
    r"^(?:(?:herr|frau|mr|mrs|ms|dr|prof|dipl|ing|med|dent|vet|rer|nat|phil|jur|mag|inh|inhaber(?:in)?|"
    r"h\.?\s?c)\b[.\s-]*)+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?")
_PARTICLES = frozenset("von van de der den zu zur da di del la le und & and u".split())
_MOST_WORDS = 4
_GIVEN = word_list("given_names")


def is_person(name: str) -> bool:
    """Whether a name looks like that of one person or two, and not of a business.

    >>> is_person("Dr. med. Anna Weber"), is_person("Salon Anna Weber"), is_person("Anna's Inn")
    (True, False, False)
    >>> is_person("Weber, Anna"), is_person("Deutsches Museum")
    (True, False)
    """
    without_title = _TITLES.sub("", name.strip())
    has_title = len(without_title) < len(name.strip())
    if names_business(without_title) or re.search(r"[^\w\s.,'’&-]", without_title):
        return False
    words = _WORD.findall(without_title.replace(",", " "))
    rest = [word for word in words if word.lower() not in _PARTICLES]
    if not 2 <= len(rest) <= _MOST_WORDS or not all(word[0].isupper() for word in rest):
        return bool(has_title and len(rest) == 1)
    first = {rest[0].lower(), rest[0].lower().partition("-")[0]}
    if "," in without_title:
        first.add(rest[-1].lower())
    return has_title or not first.isdisjoint(_GIVEN)
