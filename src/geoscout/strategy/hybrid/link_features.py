"""What the hybrid knows of a link when it is found: words by field, places named, where it stands.

Packed into bytes that travel with the link: first the numbers of the groups whose history counts
for it and the strongest sign of a place, then its terms. All links of a page are read at once.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from geoscout.strategy.hybrid.models import GROUPS, Groups
from geoscout.strategy.named_places import Cue, CueReader
from geoscout.strategy.terms import OTHER, SAME, TermReader, Terms, term_number
from geoscout_places._native import kernel
from geoscout_places.model import Link, Part
from geoscout_places.urls import authority_of

_CUE_FIELDS = ("host", "path", "anchor", "around")
_OWN_CUES = 3  # the first fields are the link's own; the text around is about others, too
_DEEPEST_TAGS = 60  # characters of the tag path that are told apart, from the link upwards
_HEAD = len(GROUPS) + 1  # numbers before the terms: the groups and the strongest cue
_HEAD_BYTES = 4 * _HEAD
_SPREAD = np.uint32(2654435761)  # so that numbers joined by it rarely meet
_HERE = ("list", "part")  # terms of where a link stands, before those of its cues


def _cue_terms(field: str) -> list[str]:
    return [f"{field}:{cue.name.lower()}" for cue in Cue]


# The numbers of the cues of each field; a field that names no place has no term.
_CUE_NUMBERS = np.array(
    [[0, *map(term_number, _cue_terms(f"cue-{field}")[1:])] for field in _CUE_FIELDS], np.uint32
)
_STRONGEST_NUMBERS = np.array([term_number(term) for term in _cue_terms("cue")], np.uint32)
# Terms that are not words of a link, and need not be told.
FIXED_TERMS = {
    term_number(term): term
    for terms in map(_cue_terms, ("cue", *(f"cue-{field}" for field in _CUE_FIELDS)))
    for term in (*terms, SAME, OTHER)
}


class Features(Struct, frozen=True):
    """The features of some links."""

    groups: Groups  # a row a link, in the order of `GROUPS`
    cues: NDArray[np.uint32]  # the strongest of each
    terms: Terms

    @classmethod
    def unpack(cls, packed: Sequence[bytes]) -> Features:
        """From what `pack` gave, of one page or of several."""
        numbers = heads_of(packed)
        terms = Terms.unpack([features[_HEAD_BYTES:] for features in packed])
        return cls(numbers[:, :-1], numbers[:, -1], terms)

    def pack(self) -> list[bytes]:
        """The features of each link as bytes."""
        numbers = np.empty((len(self.cues), _HEAD), np.uint32)
        numbers[:, :-1], numbers[:, -1] = self.groups, self.cues
        heads = numbers.tobytes()
        starts = range(0, len(heads), _HEAD_BYTES)
        return [
            heads[start : start + _HEAD_BYTES] + terms
            for start, terms in zip(starts, self.terms.pack(), strict=True)
        ]


def heads_of(packed: Iterable[bytes]) -> NDArray[np.uint32]:
    """The numbers of the groups of links, and the strongest cue of each, a row a link."""
    heads = b"".join([features[:_HEAD_BYTES] for features in packed])
    return np.frombuffer(heads, np.uint32).reshape(-1, _HEAD)


class FeatureReader:
    """Reads the features of links."""

    def __init__(self, cues: CueReader | None, window: int, without: Collection[str] = ()) -> None:
        """`without`: signals that are not read, fields of terms or of `_HERE`."""
        self._met: list[str] = []
        self._terms = TermReader(window, without=without, met=self._met)
        self._left_out = [place for place, name in enumerate(_HERE) if name in without]
        self._cues = cues if "cue" not in without else None
        compiled = kernel("terms")
        self._packer: Any = compiled and compiled.LinkPacker(
            self._met,
            self._terms.numbers_of,
            _STRONGEST_NUMBERS.tolist(),
            _CUE_NUMBERS.tolist(),
            *(name not in without for name in _HERE),
        )

    def note(self, page: str, links: Sequence[Link]) -> list[bytes]:
        """The features of the links of a page, packed."""
        if not links:
            return []
        return self._pack(page, links) if self._packer else self.read_by_arrays(page, links).pack()

    def read(self, page: str, links: Sequence[Link]) -> Features:
        """The features of the links of a page."""
        return Features.unpack(self.note(page, links))

    def take_words(self) -> tuple[str, ...]:
        """The terms that were read for the first time since the last call."""
        met = tuple(self._met)
        self._met.clear()
        return met

    def _pack(self, page: str, links: Sequence[Link]) -> list[bytes]:
        """What `read_by_arrays` gives, by the kernel and packed."""
        urls = [link.url for link in links]
        packed: list[bytes] = self._packer.pack(
            self._terms.fields(links),
            urls,
            self._terms.numbers_of_hosts(page, urls),
            bytes(chain.from_iterable(self._read_cues(links))),
            array("I", [_list_number(link.tag_path) for link in links]),
            array("I", [_PART_NUMBERS[link.part] for link in links]),
            _page_numbers(page),
        )
        return packed

    def read_by_arrays(self, page: str, links: Sequence[Link]) -> Features:
        """The features of the links of a page, without the kernel."""
        read = bytes(chain.from_iterable(self._read_cues(links)))  # an array of members is slow
        cues = np.frombuffer(read, np.uint8).reshape(-1, len(_CUE_FIELDS))
        strongest = cues[:, :_OWN_CUES].max(axis=1)
        lists = np.array([_list_number(link.tag_path) for link in links], np.uint32)
        further = np.empty((len(links), 3 + len(_CUE_FIELDS)), np.uint32)
        further[:, 0] = lists
        further[:, 1] = [_PART_NUMBERS[link.part] for link in links]
        further[:, 2] = _STRONGEST_NUMBERS[strongest]
        further[:, 3:] = _CUE_NUMBERS[np.arange(len(_CUE_FIELDS)), cues]
        further[:, self._left_out] = 0
        terms = self._terms.read(page, links, further)
        return Features(_groups(page, links, lists), strongest, terms)

    def texts(self, page: str, link: Link) -> list[str]:
        """The terms of a link to read."""
        cues = self._read_cues([link])[0]
        places = [
            _cue_terms(f"cue-{field}")[cue]
            for field, cue in zip(_CUE_FIELDS, cues, strict=True)
            if cue
        ]
        here = [_list(link.tag_path), _part(link.part)]
        here = [term for place, term in enumerate(here) if place not in self._left_out]
        here.append(_cue_terms("cue")[max(cues[:_OWN_CUES])])
        return [*here, *places, *self._terms.texts(page, link)]

    def _read_cues(self, links: Sequence[Link]) -> Sequence[tuple[int, int, int, int]]:
        return self._cues.of_links(links) if self._cues else [(0, 0, 0, 0)] * len(links)


def _groups(parent: str, links: Sequence[Link], lists: NDArray[np.uint32]) -> Groups:
    """The groups of each link, in the order of `GROUPS`.

    The template is where on the pages of a site it stands; the list is that on this page.
    """
    urls = [link.url for link in links]
    folders = list(map(_folder_number, urls))
    hosts = [_number(authority_of(url)) for url in urls]
    page, site = map(np.uint32, _page_numbers(parent))
    spread = lists * _SPREAD
    groups = np.empty((len(urls), len(GROUPS)), np.uint32)
    groups[:, 0], groups[:, 1] = hosts, folders
    groups[:, 2], groups[:, 3] = spread ^ site, spread ^ page
    return groups


def _page_numbers(page: str) -> tuple[int, int]:
    """The numbers of a page and of its site."""
    return zlib.crc32(page.encode()), _number(authority_of(page)) if page else 0


def _folder_number(url: str) -> int:
    return term_number(url.partition("?")[0].rpartition("/")[0])


def _list(tag_path: str) -> str:
    return f"list:{tag_path[-_DEEPEST_TAGS:]}"


@lru_cache(10_000)
def _list_number(tag_path: str) -> int:
    return term_number(_list(tag_path))


def _part(part: Part) -> str:
    return f"part:{part}"


_number = lru_cache(10_000)(term_number)
_PART_NUMBERS = {part: term_number(_part(part)) for part in Part}
