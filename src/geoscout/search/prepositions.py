"""The little words before a place, in the languages we read addresses in and their neighbours.

A sure one makes what follows a place. A doubtful one ("a", "en", "by") also begins other things,
so that what follows must look like a place by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from geoscout.gazetteer.names import fold

_SURE_IN = (
    "in, inside, within, located in, in der stadt, in the city of, in the town of, im, innerhalb"
    " von, dans, a l interieur de, dentro de, all interno di, nella citta di"
)
_DOUBTFUL_IN = "at, of, from, a, à, en, em, no, na, ad, nel, nella, aus, von, zu"
_SURE_NEAR = (
    "near, nearby, near to, close to, around, in the vicinity of, not far from, next to,"
    " in der nähe von, in der naehe von, nahe, nahe bei, bei, rund um, unweit von, nähe, naehe,"
    " près de, pres de, autour de, aux environs de, à côté de,"
    " cerca de, alrededor de, junto a, próximo a,"
    " vicino a, vicino, intorno a, nei pressi di, presso, nei dintorni di,"
    " perto de, ao redor de, em volta de, próximo de, nos arredores de"
)
_DOUBTFUL_NEAR = "by, um, um die, chez, vers, sobre"
ARTICLES = frozenset("the der die das dem den la le les l el los las il lo i gli o os as".split())
# Words that say nothing beside others. BM25 would weigh them little, but all words are demanded.
STOP_WORDS = frozenset(
    """a an and are as at be by for from how in is it of on or that the to was what when where who
    will with der die das dem den des ein eine einer eines einem einen und oder von zu zum zur mit
    für fur im am ist la le les un une des du de et ou avec pour dans est el los las y o con por
    para en es del al il lo gli i e di da per che una uno os as do dos da das em no na
    com""".split()
)


@dataclass(frozen=True, slots=True)
class Preposition:
    """What a preposition says of the place behind it."""

    words: tuple[str, ...]  # folded
    relation: str  # "in" or "near"
    is_sure: bool


def _table() -> dict[str, list[Preposition]]:
    lists = (
        (_SURE_IN, "in", True),
        (_DOUBTFUL_IN, "in", False),
        (_SURE_NEAR, "near", True),
        (_DOUBTFUL_NEAR, "near", False),
    )
    table: dict[str, list[Preposition]] = {}
    for texts, relation, is_sure in lists:
        for text in texts.split(","):
            words = tuple(fold(word) for word in text.split())
            table.setdefault(words[0], []).append(Preposition(words, relation, is_sure))
    for found in table.values():
        found.sort(key=lambda preposition: -len(preposition.words))
    return table


_BY_FIRST_WORD = _table()


def find_prepositions(folded: Sequence[str]) -> list[tuple[int, Preposition]]:
    """The prepositions of a query's folded words with their positions; none inside another.

    >>> [(at, " ".join(p.words)) for at, p in find_prepositions("cafe in der nahe von ulm".split())]
    [(1, 'in der nahe von')]
    """
    found: list[tuple[int, Preposition]] = []
    at = 0
    while at < len(folded):
        preposition = _match(folded, at)
        if preposition is not None:
            found.append((at, preposition))
        at += len(preposition.words) if preposition else 1
    return found


def _match(folded: Sequence[str], start: int) -> Preposition | None:
    """The longest preposition that stands at a position."""
    for preposition in _BY_FIRST_WORD.get(folded[start], ()):
        if tuple(folded[start : start + len(preposition.words)]) == preposition.words:
            return preposition
    return None
