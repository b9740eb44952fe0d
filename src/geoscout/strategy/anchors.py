"""The classification-aware crawler that Kozanidis, Stamou and Spiros compare theirs with.

It learns which anchors lead to pages with a place name in them, and follows those. The published
one was trained on ten seeds and the WordNet relatives of the names of their categories (K-12 in
docs/rank.md); the experiment builds that one from categories of its own. Here the pages next to the
seeds teach it, a naive Bayes classifier over the words of anchors, and then it is on its own.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, log

import orjson

from geoscout.strategy.base import Reason, Scored, Scores, Source, Strategy, StrategyAim
from geoscout_places.errors import UsageError
from geoscout_places.model import Link
from geoscout_places.plugins import PluginOptions, read_options, setting
from geoscout_places.toponyms.geowordnet import GeoWordNetNames
from geoscout_places.toponyms.short_texts import ToponymReader

TRAINING_PRIORITY = 2.0  # before every probability; less the depth, so that the nearest come first
_DEPTH_STEP = 1e-3
_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_WORDS = 16  # of an anchor; longer ones are whole paragraphs
_MOST_KNOWN = 200_000  # words in the model; what is seen once or twice goes first


@dataclass(frozen=True, slots=True)
class AnchorsOptions(PluginOptions):
    """How the classifier is taught."""

    training_pages: int = setting(
        200, "pages from the seeds on that are followed whatever their anchors", "pages"
    )
    threshold: float = setting(0.5, "links less likely to lead to a place name are dropped")
    online: bool = setting(default=False, reason="go on learning after the training pages")
    epsilon: bool = setting(default=False, reason="links below the threshold wait, not dropped")
    gazetteer: str = setting("full", "whose names teach it: full, or geowordnet as in the paper")


def create(aim: StrategyAim) -> Strategy:
    """The strategy for an aim; its gazetteer is opened when the first page comes."""
    options = read_options("anchors", AnchorsOptions, aim.options)
    if not 0.0 <= options.threshold <= 1.0:
        raise UsageError("anchors: threshold must be from 0 to 1")
    if options.gazetteer not in {"full", "geowordnet"}:
        raise UsageError("anchors: gazetteer must be full or geowordnet")
    return Anchors(aim, options)


class Anchors:
    """The probability that a link's anchor leads to a page with a place name."""

    def __init__(self, aim: StrategyAim, options: AnchorsOptions) -> None:
        self._aim = aim
        self._options = options
        self._model = AnchorModel()
        self._taught = 0  # pages

    @cached_property
    def _reader(self) -> ToponymReader:
        region = self._aim.region
        gazetteer = self._aim.gazetteer or (region.gazetteer if region else None)
        if gazetteer is None:
            raise UsageError("strategy 'anchors' needs a gazetteer")
        if self._options.gazetteer == "full":
            return ToponymReader(gazetteer, region)
        return ToponymReader(gazetteer, None, GeoWordNetNames(gazetteer))

    @property
    def _is_training(self) -> bool:
        return self._taught < self._options.training_pages

    def score(self, source: Source, links: Sequence[Link]) -> Scores:
        """What the page teaches about the anchor that led to it comes first."""
        if self._is_training or self._options.online:
            self._learn_from(source)
        words = [keywords(link.anchor or link.alt) for link in links]
        if self._is_training:
            score = TRAINING_PRIORITY - _DEPTH_STEP * (source.request.depth + 1)
            return [Scored(score, _pack(found)) for found in words]
        return [self._scored(found) for found in words]

    def _scored(self, words: Sequence[str]) -> Scored | None:
        probability = self._model.probability(words)
        if probability >= self._options.threshold:
            return Scored(probability, _pack(words))
        return Scored(probability - 1.0, _pack(words)) if self._options.epsilon else None

    def expects_place(self, link: Link) -> bool:
        """Whether it takes the page that the link leads to for one with a place name."""
        words = keywords(link.anchor or link.alt)
        return self._model.probability(words) >= self._options.threshold

    def teach(self, words: Sequence[str], *, has_place: bool) -> None:
        """Learn from an anchor of which it is known whether it leads to a place name."""
        self._model.add(words, has_place=has_place)

    def _learn_from(self, source: Source) -> None:
        """A seed has no anchor, and teaches nothing but how common places are."""
        self._taught += 1
        self.teach(source.request.features.decode().split(), has_place=self._has_place(source))

    def _has_place(self, source: Source) -> bool:
        if source.reading is not None and self._options.gazetteer == "full":
            return any(mention.place is not None for mention in source.reading.mentions)
        return bool(self._reader.in_texts([source.page.text])[0])

    def explain(self, source: Source, link: Link) -> Reason:  # noqa: ARG002
        """The probability, and what each word adds to its logarithm."""
        words = keywords(link.anchor or link.alt)
        parts = tuple(
            Reason(word, self._model.weight(word), self._model.describe(word)) for word in words
        )
        learned = f"from {self._model.pages} pages, {self._model.with_place} of them with places"
        return Reason("probability", self._model.probability(words), learned, parts)

    def save(self) -> bytes:
        """Counts by word."""
        return orjson.dumps([self._taught, *self._model.state()])

    def load(self, state: bytes) -> None:
        """Go on with these counts."""
        if state:
            self._taught, *counts = orjson.loads(state)
            self._model = AnchorModel(*counts)


class AnchorModel:
    """Naive Bayes over the presence of words, Laplace-smoothed."""

    def __init__(
        self,
        pages: int = 0,
        with_place: int = 0,
        seen: dict[str, int] | None = None,
        hits: dict[str, int] | None = None,
    ) -> None:
        self.pages = pages
        self.with_place = with_place
        self._seen = Counter(seen or {})  # word -> pages reached by an anchor that has it
        self._hits = Counter(hits or {})  # of these, with a place

    def add(self, words: Iterable[str], *, has_place: bool) -> None:
        """Learn from one page and the anchor that led to it."""
        self.pages += 1
        self.with_place += has_place
        self._seen.update(words)
        if has_place:
            self._hits.update(words)
        if len(self._seen) > _MOST_KNOWN:
            self._seen = Counter(dict(self._seen.most_common(_MOST_KNOWN // 2)))
            self._hits = Counter({w: n for w, n in self._hits.items() if w in self._seen})

    def probability(self, words: Iterable[str]) -> float:
        """p(place | words); words never seen say nothing."""
        without = self.pages - self.with_place
        logarithm = log((self.with_place + 1) / (without + 1)) + sum(map(self.weight, words))
        return 1.0 / (1.0 + exp(-max(-500.0, min(500.0, logarithm))))

    def weight(self, word: str) -> float:
        """How much a word speaks for a place; below 0: against."""
        seen = self._seen.get(word)
        if seen is None:
            return 0.0
        hits = self._hits.get(word, 0)
        among_places = (hits + 1) / (self.with_place + 2)
        among_others = (seen - hits + 1) / (self.pages - self.with_place + 2)
        return log(among_places / among_others)

    def describe(self, word: str) -> str:
        """The counts of a word, for people."""
        return f"in {self._seen.get(word, 0)} anchors, {self._hits.get(word, 0)} led to places"

    def state(self) -> tuple[int, int, dict[str, int], dict[str, int]]:
        """What the next model is made of to go on."""
        return self.pages, self.with_place, dict(self._seen), dict(self._hits)


def keywords(anchor: str) -> tuple[str, ...]:
    """The distinct words of an anchor, the first few.

    >>> keywords("Hotels in Boston, the best hotels 2009")
    ('hotels', 'in', 'boston', 'the', 'best')
    """
    words = dict.fromkeys(_WORD.findall(anchor.casefold()))
    return tuple(words)[:_MOST_WORDS]


def _pack(words: Sequence[str]) -> bytes:
    return " ".join(words).encode()
