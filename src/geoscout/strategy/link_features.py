"""What the hybrid knows of a link when it is found: words by field, places named, where it stands.

Packed into bytes that travel with the link. The first number is the list the link stands in, which
its history is kept under; it is a term like the others, too.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import lru_cache

from geoscout.model import Link
from geoscout.strategy.base import Aim, Source
from geoscout.strategy.cues import Cue, CueReader
from geoscout.strategy.terms import TermReader, term_number

_CUE_FIELDS = ("host", "path", "anchor")
_DEEPEST_TAGS = 60  # characters of the tag path that are told apart, from the link upwards
_CUES = tuple(
    tuple(term_number(f"cue-{field}:{cue.name.lower()}") for cue in Cue) for field in _CUE_FIELDS
)
_STRONGEST_CUE = tuple(term_number(f"cue:{cue.name.lower()}") for cue in Cue)


# Where in the features the strongest cue stands, and what it is worth as a number.
_CUE_BYTES = slice(12, 16)
_WORTH = {
    Cue.NOTHING: 0.0,
    Cue.ABROAD: -1.0,
    Cue.FAR: -0.5,
    Cue.AREA: 0.0,
    Cue.NEAR: 0.5,
    Cue.AROUND: 0.7,
    Cue.MAYBE: 1.0,
    Cue.INSIDE: 2.0,
}
_CUE_WORTH = {_STRONGEST_CUE[cue]: worth for cue, worth in _WORTH.items()}


def cue_worth(features: bytes) -> float:
    """What the places that a link names are worth, from -1 (abroad) to 2 (in the region)."""
    return _CUE_WORTH.get(int.from_bytes(features[_CUE_BYTES], "little"), 0.0)


class FeatureReader:
    """Reads the features of links."""

    def __init__(self, aim: Aim, window: int) -> None:
        self._terms = TermReader(window)
        self._cues: CueReader | None = None
        if aim.gazetteer is not None and aim.region is not None:
            self._cues = CueReader(aim.gazetteer, aim.region)

    def read(self, source: Source, links: Sequence[Link]) -> list[bytes]:
        """The features of each link, packed."""
        words = self._terms.read(source.request.url, links).pack()
        origin = _number(_origin(source))
        packed = []
        for link, numbers, cues in zip(links, words, self._read_cues(links), strict=True):
            row = array("I", (_number(_list(link)), origin, _number(_part(link))))
            row.append(_STRONGEST_CUE[max(cues)])
            row.extend([_CUES[field][cue] for field, cue in enumerate(cues) if cue])
            packed.append(row.tobytes() + numbers)
        return packed

    def texts(self, source: Source, link: Link) -> list[str]:
        """The same features to read."""
        cues = self._read_cues([link])[0]
        places = [
            f"cue-{field}:{Cue(cue).name.lower()}"
            for field, cue in zip(_CUE_FIELDS, cues, strict=True)
            if cue
        ]
        here = [_list(link), _origin(source), _part(link), f"cue:{Cue(max(cues)).name.lower()}"]
        return [*here, *places, *self._terms.texts(source.request.url, link)]

    def names(self) -> dict[int, str]:
        """The words behind the numbers that were made of late."""
        cues = [f"cue:{cue.name.lower()}" for cue in Cue]
        cues += [f"cue-{field}:{cue.name.lower()}" for field in _CUE_FIELDS for cue in Cue]
        origins = ["from:relevant", "from:other"]
        return self._terms.names() | {term_number(term): term for term in (*cues, *origins)}

    def _read_cues(self, links: Sequence[Link]) -> Sequence[tuple[int, int, int]]:
        return self._cues.of_links(links) if self._cues else [(0, 0, 0)] * len(links)


def _list(link: Link) -> str:
    return f"list:{link.tag_path[-_DEEPEST_TAGS:]}"


def _part(link: Link) -> str:
    return f"part:{link.part}"


def _origin(source: Source) -> str:
    return "from:relevant" if source.relevant else "from:other"


_number = lru_cache(10_000)(term_number)
