"""The words of URLs, with the names of owned cities taken out of words that are run together.

`houstonchronicle.com` has the words houston, chronicle, com. A name counts inside a token when the
likeliest cut of the token into words has it as a word: `chicagotribune`, not `newyorker` (G-5).
Names of several words are found like that in the whole URL, names of one word in the host only,
where people run words together; a path has hyphens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from geoscout.collaborate.owned_names import SHORTEST_IN_URLS, OwnedNames
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.toponyms import ORDINARY, UNKNOWN, NameFinder, read_words
from geoscout_places.toponyms.segmentation import Segmenter
from geoscout_places.urls import host_of, host_tokens, path_tokens

REMEMBERED = 200_000  # tokens, some 30 MB; the same ones come on every page of a site
# People who live in a city whose name is an everyday word, for it to count inside a host name:
# Buffalo is meant more often than not, Mobile, Orange and Independence are not.
LEAST_OF_EVERYDAY_WORDS = 200_000
_RUNS = re.compile(r"[0-9]+|[^0-9]+")
_LONG_FORMS = (("st ", "saint"), ("ft ", "fort"), ("mt ", "mount"))  # `fold` has the short ones


class UrlWords:
    """Reads the words of URLs in normal form, folded."""

    def __init__(self, names: OwnedNames, gazetteer: Gazetteer, joined: int) -> None:
        """`joined`: names of several words are found written together from this many letters."""
        self._gazetteer = gazetteer
        # Own names come last, for an alias may look the same when it is written together.
        several = [n for n in sorted(names.names, key=names.own_names.__contains__) if " " in n]
        spelt = {form: name for name in several for form in _joined_forms(name)}
        self._joined = {form: name for form, name in spelt.items() if len(form) >= joined}
        in_path = {form for form, name in self._joined.items() if name in names.own_names}
        one_word = {name for name in names.own_names if _is_telling(name, names)}
        self._segmenter = Segmenter(in_path | one_word, filter(_is_short, names.regions))
        in_host = in_path | one_word
        self._in_path = lru_cache(REMEMBERED)(lambda t: self._words_of(t, in_path, path_finder))
        self._in_host = lru_cache(REMEMBERED)(lambda t: self._words_of(t, in_host, host_finder))
        path_finder, host_finder = NameFinder(in_path), NameFinder(in_host)

    def of(self, url: str, *, with_host: bool = True) -> list[str]:
        """The words of the host, if asked for, and of path and query, from left to right."""
        words: list[str] = []
        if with_host:
            for token in host_tokens(host_of(url)):
                words += self._in_host(token)
        for token in path_tokens(url):
            words += self._in_path(token)
        return words

    def _words_of(self, token: str, names: set[str], finder: NameFinder) -> list[str]:
        folded = fold(token)
        if folded in self._joined:
            return self._joined[folded].split()
        if len(folded) <= SHORTEST_IN_URLS or not any(finder.anywhere(folded)):
            return [folded]
        if self._gazetteer.candidates(folded):
            return [folded]  # Madisonville is a town itself
        words = [word for run in _RUNS.findall(folded) for word in self._split(run)]
        return list(self._spelt(words, names)) if names.intersection(words) else [folded]

    def _split(self, run: str) -> list[str]:
        return [run] if run.isdigit() else self._segmenter.split(run)

    def _spelt(self, words: list[str], names: set[str]) -> Iterator[str]:
        """The words, without short ones in front of a name: "inbuffalo" is not in Indiana."""
        for word, following in zip(words, [*words[1:], ""], strict=True):
            if word in self._joined:
                yield from self._joined[word].split()
            elif not (_is_short(word) and following in names):
                yield word


def _joined_forms(name: str) -> Iterator[str]:
    """How a name is written as one word.

    >>> list(_joined_forms("st louis")), list(_joined_forms("houston"))
    (['stlouis', 'saintlouis'], ['houston'])
    """
    yield name.replace(" ", "")
    for short, long in _LONG_FORMS:
        if name.startswith(short):
            yield long + name[len(short) :].replace(" ", "")


def _is_telling(name: str, names: OwnedNames) -> bool:
    """Whether a name of one word counts inside a host name: not Mobile, an everyday word."""
    if " " in name or len(name) < SHORTEST_IN_URLS:
        return False
    is_everyday = read_words().get(name, UNKNOWN).uses >= ORDINARY
    return not is_everyday or names.bearers(name)[0].population >= LEAST_OF_EVERYDAY_WORDS


def _is_short(name: str) -> bool:
    return len(name) == 2
