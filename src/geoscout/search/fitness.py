"""What else tells a good hit: the language of the query, one thing rather than a list, own sites.

Each factor is at most 1, so that what words and place say is only lowered. Pages in other languages
and lists of hundreds of addresses are still found, behind others that are as good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from geoscout.index.base import Index, PageTraits
from geoscout.search.ranking import Scores, Slots, are_among
from geoscout_places.caches import BoundedCache

OTHER_LANGUAGE = 0.7  # left of a page in a language that the query is surely not in
UNKNOWN_LANGUAGE = 0.9
ENTRIES = 5  # addresses of a page that is not a list yet
LOST_BY_TENFOLD = 0.12  # for ten times as many
LONG_LIST = 0.6  # left at least
OWN_SITE = 0.8  # of a page that is not on the site with the name asked for, where there is one
_LOOKED_AT = 30  # candidates, the best ones, whose hosts are compared with the query
_SHORTEST_NAME = 5  # letters of a name that a host has
_LONGER = 1.5  # times the words of a query that the name of a host may have, for small words
_HOSTS_REMEMBERED = 10_000
_SPELT = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("ss", "s"))  # as hosts write umlauts


def fit_of(
    index: Index, slots: Slots, languages: Mapping[str, float], exact: Slots | None = None
) -> Scores:
    """What language and length of lists leave of the scores of candidates.

    A list that has the very address asked for, as those of `exact` do, is not too long.
    """
    traits = index.traits_of(slots)
    by_entries = _by_entries(traits)
    if exact is not None:
        by_entries[are_among(slots, exact)] = 1.0
    return _by_language(traits, languages) * by_entries


def _by_language(traits: PageTraits, languages: Mapping[str, float]) -> Scores:
    fit = np.ones(len(traits.languages))
    if not languages:
        return fit
    for code in set(traits.languages.tolist()):
        likely = languages.get(code.decode(), 0.0)
        left = OTHER_LANGUAGE + (1 - OTHER_LANGUAGE) * likely if code else UNKNOWN_LANGUAGE
        fit[traits.languages == code] = left
    return fit


def _by_entries(traits: PageTraits) -> Scores:
    times = np.maximum(traits.listed / ENTRIES, 1.0)
    fit: Scores = np.maximum(1 - LOST_BY_TENFOLD * np.log10(times), LONG_LIST)
    return fit


def own_site_fit(index: Index, slots: Slots, words: Sequence[str]) -> Scores:
    """What is left of candidates, the best first, where the host of one has the name asked for."""
    fit = np.ones(len(slots))
    name = "".join(words)
    if len(name) < _SHORTEST_NAME:
        return fit
    spelt = [_plain(word) for word in words]
    hosts = [url.split("/", 3)[2] for url in index.urls_of(slots[:_LOOKED_AT])]
    is_own = [is_named_after(host, spelt) for host in hosts]
    if any(is_own):
        fit[:] = OWN_SITE
        fit[: len(is_own)][is_own] = 1.0
    return fit


def is_named_after(host: str, spelt: Sequence[str]) -> bool:
    """Whether the name of a host has all words of a query, and hardly anything else.

    The words are spelt plainly, without umlauts and doubled letters.

    >>> is_named_after("www.hofbraeuhaus.de", ["hofbrauhaus"])
    True
    >>> is_named_after("museum-brandhorst.de", ["museum", "brandhorst"])
    True
    >>> is_named_after("pizza-and-pasta.example", ["pizza"])
    False
    """
    label = _labels[host]
    return all(word in label for word in spelt) and len(label) <= _LONGER * sum(map(len, spelt))


def _label(host: str) -> str:
    return _plain(host.removeprefix("www.").rpartition(".")[0])


_labels = BoundedCache(_label, _HOSTS_REMEMBERED)


def _plain(text: str) -> str:
    plain = text.lower().replace("-", "").replace(".", "")
    for old, new in _SPELT:
        plain = plain.replace(old, new)
    return plain
