"""What a training crawl saw: which pages it fetched, which were relevant, and how they are linked.

From it come links with known outcomes: a link is an example of depth k when a relevant page is
reached in exactly k steps through it, over links among fetched pages. The relevance of pages is
the only label. URLs are kept as 64-bit hashes and terms as numbers, because a training crawl sees
millions of links; the terms of a link that stands alike on many pages are kept once.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout.strategy.naive_bayes import Counts, Examples, Form, LinkModel, fit
from geoscout.strategy.terms import Terms
from geoscout_places.model import Link, Request

GRAPH, TREE = "graph", "tree"
MOST_PAGES = 100_000  # beyond 30,000 documents the publication saw no gain
_LONGEST_CHAIN = 5  # redirects
_UNKNOWN = -1
_USUAL_DEPTH = 3


def url_hash(url: str) -> int:
    """64 bits that stand for a URL."""
    digest = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


class TrainingGraph:
    """Fetched pages by number, in the order of fetching, and the links found on them."""

    def __init__(self) -> None:
        self._pages: dict[int, int] = {}  # hash of URL -> number
        self._relevant = bytearray()
        self._parents = array("q")  # number of the page whose link led here; -1 for none
        self._followed = array("q")  # the terms of that link; -1 for none
        self._moved = array("q")  # where a redirect led; its own number for others
        self._sources = array("q")
        self._targets = array("Q")
        self._link_terms = array("q")
        self._terms: dict[bytes, int] = {}  # packed numbers of terms -> their own number
        self._fitted: dict[str, LinkModel] = {}  # by labels; of what was added so far

    def __len__(self) -> int:
        return len(self._pages)

    def add_page(self, request: Request, status: int, *, relevant: bool) -> None:
        """A response, good or bad. One of a URL that was seen before changes nothing."""
        number, key = len(self._pages), url_hash(request.url)
        if key in self._pages or number >= MOST_PAGES:
            return
        parent = self._pages.get(url_hash(request.parent), _UNKNOWN) if request.parent else _UNKNOWN
        if parent != _UNKNOWN and self._moved[parent] == _UNKNOWN:
            self._moved[parent] = number
        self._fitted.clear()
        self._pages[key] = number
        self._relevant.append(relevant)
        self._parents.append(parent)
        self._followed.append(self._number_of(request.features) if request.features else _UNKNOWN)
        self._moved.append(_UNKNOWN if 300 <= status < 400 else number)

    def add_links(self, url: str, links: Sequence[Link], terms: Sequence[bytes]) -> None:
        """The links of a page that was added before, with their packed terms."""
        source = self._pages.get(url_hash(url))
        if source is None:
            return
        self._fitted.clear()
        self._sources.extend([source] * len(links))
        self._targets.extend([url_hash(link.url) for link in links])
        self._link_terms.extend([self._number_of(packed) for packed in terms])

    def model(self, depth: int, labels: str) -> LinkModel:
        """The counts of a naive Bayes model of this depth.

        Numbering the terms takes most of the time, so the usual depths are counted together, and
        strategies that share a training crawl count once.
        """
        known = self._fitted.get(labels)
        if known is None or known.depth < depth:
            known = fit(self.examples(max(depth, _USUAL_DEPTH), labels), Form())
            self._fitted[labels] = known
        return known.cut(depth)

    def examples(self, depth: int, labels: str) -> Examples:
        """Links whose target was fetched, with what was found up to `depth` steps away."""
        sources, targets, terms = self._tree() if labels == TREE else self._graph()
        relevant = np.frombuffer(bytes(self._relevant), np.uint8).astype(bool)
        outcomes = np.zeros((len(targets), depth), bool)
        reached = relevant
        for step in range(depth):
            outcomes[:, step] = reached[targets]
            hits = sources[reached[targets]]
            reached = np.bincount(hits, minlength=len(relevant)) > 0
        return self._with_terms(terms, outcomes)

    def _graph(self) -> tuple[Counts, Counts, Counts]:
        """Links between fetched pages: source, target, terms."""
        sources, terms = np.array(self._sources, np.int64), np.array(self._link_terms, np.int64)
        targets = self._final(self._find(np.array(self._targets, np.uint64)))
        kept = (targets != _UNKNOWN) & (targets != sources)
        return sources[kept], targets[kept], terms[kept]

    def _tree(self) -> tuple[Counts, Counts, Counts]:
        """The same for the links that were followed: each page has one parent."""
        sources, terms = np.array(self._parents, np.int64), np.array(self._followed, np.int64)
        targets = self._final(np.arange(len(sources), dtype=np.int64))
        stays = self._final(sources) == sources  # the step from a redirect is none of its own
        kept = stays & (sources != _UNKNOWN) & (terms != _UNKNOWN) & (targets != _UNKNOWN)
        return sources[kept], targets[kept], terms[kept]

    def _find(self, keys: NDArray[np.uint64]) -> Counts:
        """The numbers of pages; -1 for what was not fetched."""
        known = np.fromiter(self._pages, np.uint64, len(self._pages))
        order = np.argsort(known)
        if not len(order):
            return np.full(len(keys), _UNKNOWN, np.int64)
        places = np.minimum(np.searchsorted(known, keys, sorter=order), len(order) - 1)
        found = order[places]
        return np.where(known[found] == keys, found, _UNKNOWN)

    def _final(self, pages: Counts) -> Counts:
        """Where redirects lead; -1 where that was not seen."""
        moved = np.append(np.array(self._moved, np.int64), _UNKNOWN)  # so that [-1] is -1
        for _ in range(_LONGEST_CHAIN):
            pages = moved[pages]
        return pages

    def _with_terms(self, terms: Counts, outcomes: NDArray[np.bool_]) -> Examples:
        packed = list(self._terms)
        return Examples(Terms.unpack([packed[number] for number in terms.tolist()]), outcomes)

    def _number_of(self, packed: bytes) -> int:
        return self._terms.setdefault(packed, len(self._terms))

    def pack(self) -> dict[str, NDArray[Any]]:
        """All of it as arrays to be kept."""
        lengths = [len(packed) for packed in self._terms]
        return {
            "pages": np.fromiter(self._pages, np.uint64, len(self._pages)),
            "relevant": np.frombuffer(bytes(self._relevant), np.uint8),
            "parents": np.array(self._parents, np.int64),
            "followed": np.array(self._followed, np.int64),
            "moved": np.array(self._moved, np.int64),
            "sources": np.array(self._sources, np.int64),
            "targets": np.array(self._targets, np.uint64),
            "link_terms": np.array(self._link_terms, np.int64),
            "term_bytes": np.frombuffer(b"".join(self._terms), np.uint8),
            "term_lengths": np.array(lengths, np.int64),
        }

    @classmethod
    def unpack(cls, arrays: Mapping[str, NDArray[Any]]) -> TrainingGraph:
        """What `pack` gave, as a graph again."""
        graph = cls()
        graph._pages = {key: number for number, key in enumerate(arrays["pages"].tolist())}
        graph._relevant = bytearray(arrays["relevant"].tobytes())
        graph._parents, graph._followed, graph._moved, graph._sources, graph._link_terms = (
            array("q", arrays[name].tobytes())
            for name in ("parents", "followed", "moved", "sources", "link_terms")
        )
        graph._targets = array("Q", arrays["targets"].tobytes())
        ends = np.cumsum(arrays["term_lengths"]).tolist()
        packed = arrays["term_bytes"].tobytes()
        starts = [0, *ends[:-1]]
        graph._terms = {packed[a:b]: n for n, (a, b) in enumerate(zip(starts, ends, strict=False))}
        return graph
