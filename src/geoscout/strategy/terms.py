"""The terms of a link, by field: what its URL, its words and the words around it say.

`host:` and `path:` are words of the URL, `anchor:` of the text, title and images of the link,
`around:` of the text on either side, `switch:` tells whether it leaves the domain. A word in an
anchor is another term than the same word in a path.

Terms become 32-bit numbers by a checksum, so that they mean the same in every process and after a
crash without a list of them. Among a hundred thousand terms one or two pairs share a number.
Numbers are kept by the words as they stand, with their capitals and commas, so that a known word
costs one look-up, and the work with numbers is done for all links of a page at once:
benchmarks/strategies.py.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Collection, Sequence
from itertools import chain, pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from geoscout_places.caches import BoundedCache
from geoscout_places.model import Link
from geoscout_places.urls import (
    authority_of,
    host_of,
    host_tokens,
    path_texts,
    path_tokens,
    registrable_domain,
    without_port,
)

Rows = NDArray[np.uint32]
FIELDS = ("host", "path", "anchor", "around", "switch")
SAME, OTHER = "switch:same", "switch:other"
_WORDS_KEPT = 30_000  # numbers remembered for a field: about 5 MB when full
_HOSTS_KEPT = 10_000
_URLS_KEPT = 10_000  # about 4 MB
_LONGEST_WORD = 40  # characters; what is longer is not a word
_NO_WORD = 0  # the number of a dash or a bar
_BYTES = 4  # of a number
_READ_FIELDS = 4  # that `read` puts one behind the other: a URL is one field here
_between_words = re.compile(r"[\W_]+").sub


class Terms(Struct, frozen=True):
    """The terms of some links, one link after the other; no link is without any."""

    numbers: NDArray[np.uint32]
    starts: NDArray[np.int64]  # where the terms of each link begin

    @classmethod
    def unpack(cls, packed: Sequence[bytes]) -> Terms:
        """From what `pack` gave, of one page or of several."""
        lengths = np.fromiter(map(len, packed), np.int64, len(packed)) // _BYTES
        return cls(np.frombuffer(b"".join(packed), np.uint32), np.cumsum(lengths) - lengths)

    def lengths(self) -> NDArray[np.int64]:
        """How many terms each link has."""
        ends = np.empty_like(self.starts)
        ends[:-1], ends[-1] = self.starts[1:], len(self.numbers)
        return np.asarray(ends - self.starts)

    def pack(self) -> list[bytes]:
        """The numbers of each link as bytes."""
        whole = self.numbers.tobytes()
        cuts = [*(self.starts * _BYTES).tolist(), len(whole)]
        return [whole[start:end] for start, end in pairwise(cuts)]


class _Words(BoundedCache[str, int]):
    """The numbers of the words of a field, made when they are first asked for."""

    def __init__(self, field: str, met: list[str] | None, *, read: bool) -> None:
        super().__init__(self._number, _WORDS_KEPT)
        self.field = field
        self.start = term_number(f"{field}:")
        self._met = met
        self._read = read  # False: none of them is a term

    def _number(self, word: str) -> int:
        folded = fold_word(word) if self._read else ""
        if folded and self._met is not None:
            self._met.append(f"{self.field}:{folded}")
        return term_number(folded, self.start) if folded else _NO_WORD


def fold_word(word: str) -> str:
    """A word without case and punctuation.

    >>> fold_word("Saint-Étienne,"), fold_word("|")
    ('saintétienne', '')
    """
    folded = word.casefold()
    return (folded if folded.isalnum() else _between_words("", folded))[:_LONGEST_WORD]


def term_number(term: str, start: int = 0) -> int:
    """The number a term is known by, 32 bits; `start` is that of what stands before it.

    >>> term_number("inn", term_number("path:")) == term_number("path:inn")
    True
    """
    return zlib.crc32(term.encode("utf-8", "replace"), start)


_HOST = term_number("host:")


class TermReader:
    """Reads the terms of links."""

    def __init__(
        self,
        window: int,
        *,
        repeated: bool = False,
        without: Collection[str] = (),
        met: list[str] | None = None,
    ) -> None:
        """`window`: words taken on either side. `repeated`: a term counts each time it stands.

        `without`: fields that are not read. `met`: takes the terms that were not remembered.
        """
        self._window = window
        self._repeated = repeated
        self._path = _Words("path", met, read="path" not in without)
        self._anchor = _Words("anchor", met, read="anchor" not in without)
        self._around = _Words("around", met, read="around" not in without)
        self._switches = (term_number(SAME), term_number(OTHER))
        self._without = without
        self._met = met
        self._without_host = "host" in without
        # Domain and numbers, by host and by URL; bytes, as the collector of cycles skips them.
        self._hosts = BoundedCache(self._read_host, _HOSTS_KEPT)
        self._urls: dict[str, tuple[str, bytes]] = {}

    def read(self, source_url: str, links: Sequence[Link], further: Rows | None = None) -> Terms:
        """The terms of the links of a page, by number, with `further` ones: a row for each link.

        All numbers of the page go into one array, field by field: the words of all anchors, then
        all words around links, then whether each link leaves the domain, then the words of all
        URLs. `lengths` has an entry for each link in each field, in the same order, so that
        `repeat` can say to which link each number belongs. A 0 in `further` is not a term.
        """
        domain = self._hosts[host_of(source_url)][0]
        # Cleared before anything is read: what `_read_urls` adds must be there until the end.
        if len(self._urls) > _URLS_KEPT:
            self._urls.clear()
        known = self._urls
        self._read_urls([link.url for link in links if link.url not in known])
        urls = [known[link.url] for link in links]
        anchors = [text_of_anchor(link).split() for link in links]
        arounds = [self._words_around(link) for link in links]

        # The four fields, and below their lengths: both lists must keep the same order.
        numbers = list(map(self._anchor.__getitem__, chain.from_iterable(anchors)))
        numbers += map(self._around.__getitem__, chain.from_iterable(arounds))
        numbers += [self._switches[link_domain != domain] for link_domain, _ in urls]
        packed = b"".join([of_url for _, of_url in urls])  # numbers already, as bytes
        found = np.frombuffer(array("I", numbers).tobytes() + packed, np.uint32)
        lengths = [*map(len, anchors), *map(len, arounds), *[1] * len(links)]
        lengths += [len(of_url) // _BYTES for _, of_url in urls]

        # A key is the number of the link in the upper half and that of the term in the lower. So
        # one sort puts the terms of each link together, and equal terms of a link side by side.
        rows = np.arange(len(links), dtype=np.uint64) << np.uint64(32)
        keys = np.repeat(np.tile(rows, _READ_FIELDS), lengths) | found
        if further is not None:
            keys = np.concatenate([keys, (rows[:, None] | further).ravel()])
        return self._terms(keys, rows)

    def _terms(self, keys: NDArray[np.uint64], links: NDArray[np.uint64]) -> Terms:
        """The sorted terms of each link; each term once, unless repeats count.

        Every link keeps at least one term, its `switch:`, whose number is never `_NO_WORD`. So the
        first key of a link is not below its row, and `searchsorted` finds where it starts.
        """
        keys = np.sort(keys[keys.astype(np.uint32) != _NO_WORD])
        if not self._repeated:  # as `np.unique` does, in a tenth of its time for this few
            keys = keys[np.concatenate([[True], keys[1:] != keys[:-1]])]
        return Terms(keys.astype(np.uint32), np.searchsorted(keys, links))  # the lower half

    def fields(self, links: Sequence[Link]) -> list[tuple[str, int, list[str] | None]]:
        """The name of each field of words, the number of its beginning, and a text for each link.

        None in place of the texts: the words are those of the paths of URLs.
        """
        texts = (
            (self._anchor, lambda: [text_of_anchor(link) for link in links]),
            (self._around, lambda: [" ".join(self._words_around(link)) for link in links]),
            (self._path, lambda: None),
        )
        return [
            (words.field, words.start, read())
            for words, read in texts
            if words.field not in self._without and (self._window or words is not self._around)
        ]

    def numbers_of(self, field: str, text: str) -> bytes:
        """The numbers of the words of such a text or, for the field `path`, of a URL, packed."""
        if field == self._path.field:
            words, text = self._path, path_texts([text])[0]
        else:
            words = self._anchor if field == self._anchor.field else self._around
        return array("I", list(map(words.__getitem__, text.split()))).tobytes()

    def numbers_of_hosts(self, page: str, urls: Sequence[str]) -> list[bytes]:
        """The numbers of the words of each URL's host, and whether it leaves the page's domain."""
        domain = self._hosts[host_of(page)][0]
        same, other = (array("I", [number]).tobytes() for number in self._switches)
        hosts = [self._hosts[authority_of(url)] for url in urls]
        if self._without_host:
            return [same if name == domain else other for name, _ in hosts]
        return [words + (same if name == domain else other) for name, words in hosts]

    def texts(self, source_url: str, link: Link) -> list[str]:
        """The same terms to read, in the order of their fields; `term_number` gives the number."""
        host = host_of(link.url)
        same = registrable_domain(host_of(source_url)) == registrable_domain(host)
        words = {
            "host": host_tokens(host),
            "path": path_tokens(link.url),
            "anchor": text_of_anchor(link).split(),
            "around": self._words_around(link),
            "switch": ["same" if same else "other"],
        }
        fields = [field for field in FIELDS if field not in self._without]
        folded = [(field, fold_word(word)) for field in fields for word in words[field]]
        terms = [f"{field}:{word}" for field, word in folded if word]
        return terms if self._repeated else list(dict.fromkeys(terms))

    def numbers(self) -> Rows:
        """The numbers that are remembered, some of them more than once."""
        fields = [field.values() for field in (self._anchor, self._around, self._path)]
        numbers = np.fromiter(chain(*fields, self._switches), np.uint32)
        of_hosts = b"".join([numbers for _, numbers in self._hosts.values()])
        numbers = np.append(numbers, np.frombuffer(of_hosts, np.uint32))
        return np.asarray(numbers[numbers != _NO_WORD])

    def names(self, wanted: Collection[int] | None = None) -> dict[int, str]:
        """The terms behind the numbers that are remembered, or behind those wanted."""
        terms = [SAME, OTHER]
        for known in (self._anchor, self._around, self._path):
            words = [word for word, number in known.items() if wanted is None or number in wanted]
            terms += [f"{known.field}:{fold_word(word)}" for word in words]
        for host, (_, packed) in self._hosts.items():
            if wanted is None or any(number in wanted for number in array("I", packed)):
                terms += [f"host:{word}" for word in _host_words(host)]
        named = {term_number(term): term for term in terms}
        return {n: term for n, term in named.items() if wanted is None or n in wanted}

    def _read_host(self, authority: str) -> tuple[str, bytes]:
        """The domain of a host, and the numbers of its words, packed."""
        host = without_port(authority)
        words = _host_words(host)
        if self._met is not None and not self._without_host:
            self._met += [f"host:{word}" for word in words]
        return registrable_domain(host), _packed(words, _HOST)

    def _read_urls(self, urls: Sequence[str]) -> None:
        """Remember the domain and the terms of URLs, since links repeat."""
        number = self._path.__getitem__
        for url, words in zip(urls, path_texts(urls), strict=True):
            authority = authority_of(url)
            domain, of_host = self._hosts[authority]
            of_path = array("I", list(map(number, words.split()))).tobytes()
            self._urls[url] = domain, of_path if self._without_host else of_host + of_path

    def _words_around(self, link: Link) -> list[str]:
        """The words next to the link; what the parser gives ends with the link's block."""
        window = self._window
        if not window:
            return []
        words = link.before.rsplit(None, window)[-window:] if link.before else []
        return words + link.after.split(None, window)[:window] if link.after else words


def text_of_anchor(link: Link) -> str:
    """The text, title and images of a link."""
    return f"{link.anchor} {link.title} {link.alt}" if link.title or link.alt else link.anchor


def _host_words(host: str) -> list[str]:
    return [word[:_LONGEST_WORD] for word in host_tokens(host)]


def _packed(words: Sequence[str], start: int) -> bytes:
    """The numbers of words after what has the number `start`."""
    return array("I", [term_number(word, start) for word in words]).tobytes()
