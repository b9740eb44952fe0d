"""The classification-aware crawler as far as it is printed (K-12 in docs/rank.md).

It is trained on the seeds alone. Their Dmoz categories are paths of places
(`Regional/North_America/United_States/Texas/Houston`), and WordNet says which words of the seeds'
anchors have to do with a name of the path: the same place, a part or a whole of it, or the kind of
place that it is. An anchor with such a word is an example, any other a counter-example, and a naive
Bayes classifier over words learns from them. Dmoz is gone, so the path of a seed is that of the
city it is about, which only a synthetic web can tell.
"""

from collections.abc import Iterable, Sequence

from geoscout.strategy import Strategy, StrategyAim, create_strategy
from geoscout.strategy.anchors import Anchors, keywords
from geoscout_lab.worlds.truth import KnownWorld, World
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.gazetteer.names import fold
from geoscout_places.gazetteer.wordnet import GeoWordNet, load_geowordnet

TAUGHT = ":teacher=categories"  # of a spec of `anchors`
_MOST_WORDS = 4  # of a name


def classifier_by_categories(spec: str, world: World, aim: StrategyAim) -> Strategy:
    """`anchors`, taught by the categories of the seeds instead of by pages."""
    if not isinstance(world, KnownWorld) or aim.gazetteer is None:
        raise UsageError("anchors:teacher=categories needs a synthetic web and a gazetteer")
    strategy = create_strategy(spec.replace(TAUGHT, ":training_pages=0"), aim)
    if not isinstance(strategy, Anchors):
        raise UsageError("only anchors has the option teacher=categories")
    wordnet = load_geowordnet()
    for seed in world.seeds:
        related = related_names(category_of(world, seed, aim.gazetteer), wordnet)
        for link in world.links(seed):
            anchor = link.anchor or link.alt
            strategy.teach(keywords(anchor), has_place=names_any(anchor, related))
    return strategy


def category_of(world: KnownWorld, page: int, gazetteer: Gazetteer) -> list[str]:
    """The names of the path of a page: its place and what contains that; none for no place."""
    place = world.place(page)
    return [] if place is None else [one.name for one in (place, *gazetteer.ancestors(place))]


def related_names(path: Iterable[str], wordnet: GeoWordNet) -> frozenset[str]:
    """The names, folded, of what WordNet relates to a path: same, part, whole and kind."""
    found: set[str] = set()
    for name in path:
        for synset in wordnet.senses(name)[:1]:  # the likeliest
            near = (synset, *wordnet.parts(synset), *wordnet.wholes(synset))
            found.update(fold(word) for one in near for word in one.words)
            kinds = (wordnet.classes.get(offset) for offset in synset.classes)
            found.update(fold(word) for kind in kinds if kind for word in kind.words)
    return frozenset(found)


def names_any(anchor: str, names: frozenset[str]) -> bool:
    """Whether one of the names stands in an anchor, as whole words.

    >>> names_any("Hotels in New York City", frozenset({"new york"}))
    True
    """
    words: Sequence[str] = fold(anchor).split()
    return any(
        " ".join(words[start:end]) in names
        for start in range(len(words))
        for end in range(start + 1, min(start + _MOST_WORDS, len(words)) + 1)
    )
