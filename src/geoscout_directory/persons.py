"""Whether a name is that of a person, so that persons can be left out of a directory.

A hairdresser may have no other name than her own. Such an entry is left out as well, unless
`--persons` asks for it: a directory of places of business has to do without it rather than be a
list of people.
"""

from __future__ import annotations

import re

from geoscout_directory.business_words import names_business
from geoscout_directory.words import word_list

_TITLES = re.compile(
    r"(?<!\w)(?:herr|frau|mr|mrs|ms|dres|dr|prof|dipl|ing|med|dent|vet|rer|nat|phil|jur|mag|inh"
    r"|msc|bsc|mba|ll ?\.?m|h\.?\s?c|kfm|kffr|betriebsw|inhaber(?:in)?)(?!\w)[.\s,-]*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*\.?")
_PARTICLES = frozenset("von van de der den zu zur da di del la le und & and u".split())
_FEWEST_WORDS, _MOST_WORDS = 2, 4
_SAINTS = frozenset(("st", "saint", "sankt", "san", "santa", "sainte"))  # churches and shops
_GIVEN = word_list("given_names")


_PERSONAL_PAGE = re.compile(
    r"/~|/(?:users?|homes?|people|personnel|staff|faculty|members?)/[^/]+", re.IGNORECASE
)
_HOME_PAGE = re.compile(r"\b(?:personal )?home ?page\b", re.IGNORECASE)


def is_of_person(name: str, url: str) -> bool:
    """Whether a page names a person, by the name or because it is a personal page.

    >>> is_of_person("Yufeng", "http://cs.example/~yufeng/")
    True
    >>> is_of_person("Example University", "http://cs.example/~yufeng/")
    False
    """
    if is_person(name):
        return True
    is_personal = _PERSONAL_PAGE.search(url.partition("://")[2]) or _HOME_PAGE.search(name)
    return bool(is_personal) and not names_business(name)


def is_person(name: str) -> bool:
    """Whether a name looks like that of one person or two, and not of a business.

    Registers write the surname first.

    >>> is_person("Dr. med. Anna Weber"), is_person("Salon Anna Weber"), is_person("Anna's Inn")
    (True, False, False)
    >>> is_person("Weber, Anna"), is_person("Weber Anna Dipl.Kfm."), is_person("Deutsches Museum")
    (True, True, False)
    """
    without_title = _TITLES.sub(" ", name).strip(" ,")
    has_title = without_title != name.strip(" ,")
    if names_business(without_title) or re.search(r"[^\w\s.,'’&-]|\d|\s-\s", without_title):
        return False
    words = _WORD.findall(without_title.replace(",", " "))
    rest = [word for word in words if word.lower() not in _PARTICLES]
    if not all(word[0].isupper() for word in rest) or len(rest) > _MOST_WORDS:
        return False
    if has_title:
        return bool(rest)
    given = [not _GIVEN.isdisjoint((w.lower(), w.lower().partition("-")[0])) for w in rest]
    if len(rest) < _FEWEST_WORDS or rest[0].rstrip(".").lower() in _SAINTS:
        return False
    return given[0] or given[-1] or (given[1] and len(rest[-1].rstrip(".")) == 1)
