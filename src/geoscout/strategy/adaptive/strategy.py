"""Adaptive focus: learns which links lead to relevant pages, over bridges too.

After Ahlers and Boll 2009. While it trains, links are ordered by link distance. A link whose
outcome is known is an example of depth k when a relevant page is reached in exactly k steps through
it, over links among fetched pages; the relevance of pages is the only teacher. From then on naive
Bayes predicts from the terms of a link whether a relevant page lies one, two or three steps behind
it, and lifts the link's distance score: priority = score + prediction * (1 - score). Every reading
of the publication that is open is an option; the defaults are the ones recommended in
docs/strategies.md.

A training crawl sees millions of links, so URLs are kept as 64-bit hashes and terms as numbers, and
the terms of a link that stands alike on many pages are kept once.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from geoscout.strategy.base import LinkOutcome, Reason, Scored, Source, Strategy, StrategyAim
from geoscout.strategy.distance import check_share, distance_detail, link_distance
from geoscout.strategy.naive_bayes import (
    CENTROID,
    LAPLACE,
    LOGISTIC,
    MARGINALS,
    MULTINOMIAL,
    PRESENCE,
    PROPORTIONAL,
    SUM,
    Counts,
    Examples,
    Floats,
    Form,
    LinkModel,
    fit,
    pack_arrays,
    pack_model,
    regressed,
    unpack_arrays,
    unpack_model,
)
from geoscout.strategy.terms import TermReader, Terms, term_number
from geoscout_places.errors import UsageError
from geoscout_places.model import Link, Request
from geoscout_places.plugins import PluginOptions, read_options, setting

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


TERMS_EXPLAINED = 10  # for, and as many against
ALL = 10**9
RESCORED = 5000  # of the best waiting requests, when it has learned again


@dataclass(frozen=True, slots=True)
class AdaptiveOptions(PluginOptions):
    """The readings of the publication; A-n are the ambiguities in docs/strategies.md."""

    depth: int = setting(3, "how many steps ahead it predicts", "links")
    decay: float = setting(0.5, "of the distance score: what one more link leaves of it")
    prediction_decay: float = setting(0.5, "of the prediction: what one more step leaves (A-7)")
    training_pages: int = setting(5000, "responses before it predicts", "pages")
    counted: bool = setting(
        default=True, reason="training is part of the crawl; else a crawl of its own (A-8)"
    )
    model: str = setting(
        PRESENCE,
        "presence or multinomial: what is counted of a term (A-5); centroid and logistic are other"
        " classifiers",
    )
    evidence: str = setting(SUM, "sum or marginals: how p(f) is made (A-4)")
    labels: str = setting(GRAPH, "graph or tree: which links lead from page to page (A-6)")
    smoothing: str = setting(
        PROPORTIONAL, "laplace as printed, or proportional to the classes (A-5)"
    )
    unknown: str = setting("count", "count or ignore terms that training never saw (A-5)")
    window: int = setting(10, "words of the text on either side of a link (A-10)", "words")
    update_every: int = setting(0, "learn again after this many pages; 0: never (A-13)", "pages")
    rescore: bool = setting(
        default=False, reason="after learning again, score again what waits (A-11)"
    )


_WORDS = {
    "model": (PRESENCE, MULTINOMIAL, CENTROID, LOGISTIC),
    "evidence": (SUM, MARGINALS),
    "labels": (GRAPH, TREE),
    "smoothing": (LAPLACE, PROPORTIONAL),
    "unknown": ("count", "ignore"),
}


def create(aim: StrategyAim) -> Strategy:
    """The strategy that learns from a training crawl.

    Raises:
        UsageError: an option is out of its range.
    """
    options = read_options("adaptive", AdaptiveOptions, aim.options)
    check_share("decay", options.decay)
    check_share("prediction_decay", options.prediction_decay)
    for name, words in _WORDS.items():
        if getattr(options, name) not in words:
            raise UsageError(f"{name} is {' or '.join(words)}, not {getattr(options, name)!r}")
    for name, least in {"depth": 1, "training_pages": 1, "window": 0, "update_every": 0}.items():
        if getattr(options, name) < least:
            raise UsageError(f"{name} is at least {least}, not {getattr(options, name)}")
    return Adaptive(options)


def step_weights(depth: int, decay: float) -> Floats:
    """The share of each step in the prediction: 4/7, 2/7, 1/7 for three steps halved."""
    damped = np.array([decay**step for step in range(depth)])
    return np.asarray(damped / damped.sum())


def lift_scores(score: float, prediction: Floats) -> Floats:
    """The priority of links: never below their distance score, never above 1."""
    return score + prediction * (1.0 - score)


class Adaptive:
    """Orders by link distance while it trains, by prediction from then on."""

    def __init__(self, options: AdaptiveOptions) -> None:
        self._options = options
        ignores = options.unknown == "ignore"
        self._form = Form(options.model, options.evidence, ignores, options.smoothing)
        self._reader = TermReader(options.window, repeated=options.model == MULTINOMIAL)
        self._weights = step_weights(options.depth, options.prediction_decay)
        self._graph: TrainingGraph | None = TrainingGraph()  # None: it learns no more
        self._responses = 0
        self._to_rescore = 0  # requests that wait, and have not been scored by the present model
        self.model: LinkModel | None = None  # None: it is still training

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:
        """Distance score lifted by the prediction; the terms travel with the link if needed."""
        if not links:
            return []
        terms = self._reader.read(source.page.url, links)
        score = self._options.decay ** link_distance(source)
        features = [b""] * len(links)
        if self._graph is not None:
            features = terms.pack()
            self._graph.add_links(source.request.url, links, features)
        if self.model is None:
            return [Scored(score, packed) for packed in features]
        return list(map(Scored, lift_scores(score, self._predict(terms)).tolist(), features))

    def learn(self, outcome: LinkOutcome) -> None:
        """Note a page of the training crawl; fit the model when it is complete."""
        if self._graph is None:
            return
        self._graph.add_page(outcome.request, outcome.status, relevant=outcome.relevant)
        self._responses += 1
        if self._is_time_to_fit():
            self.fit()

    def _is_time_to_fit(self) -> bool:
        """When training is complete, and again after every `update_every` responses.

        A state may be loaded that has more responses than this training needs and yet no model: an
        earlier crawl ended in a longer training. Then it is complete with the next response.
        """
        since = self._responses - self._options.training_pages
        if self.model is None:
            return since >= 0
        every = self._options.update_every
        return since >= 0 and every > 0 and since % every == 0

    def separate_training(self) -> int:
        """The pages of the training crawl, where it is not to be counted."""
        return 0 if self._options.counted else self._options.training_pages

    def training_key(self) -> str:
        """What the training crawl depends on; with updates it goes on, and cannot be shared."""
        options = self._options
        if options.update_every:
            return ""
        repeated = options.model == MULTINOMIAL
        return f"{options.decay}:{options.window}:{repeated}:{options.training_pages}"

    def training(self) -> object:
        """The graph that the training crawl fills."""
        return self._graph

    def take_training(self, training: object) -> None:
        """Learn from a graph that another has filled; it stays as it is."""
        if not isinstance(training, TrainingGraph):
            raise TypeError(f"not what an adaptive strategy trains on: {training!r}")
        self._graph = training
        self._responses = len(training)
        self.fit()

    def fit(self) -> None:
        """Learn from what was seen so far, and have what waits scored by it."""
        if self._graph is None:
            return
        first = self.model is None
        counts = self._graph.model(self._options.depth, self._options.labels)
        self.model = replace(counts, form=self._form, names=self._reader.names())
        if self._form.model == LOGISTIC:
            examples = self._graph.examples(self._options.depth, self._options.labels)
            self.model = regressed(examples, self.model)
        if not self._options.update_every:
            self._graph = None
        if first:
            self._to_rescore = ALL
        elif self._options.rescore:
            self._to_rescore = RESCORED

    def due(self, responses: int) -> int:  # noqa: ARG002
        """Once after each time it has learned, where that is asked for."""
        return self._to_rescore

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        """The priorities by the present model, once after it was learned."""
        self._to_rescore = 0
        priorities = [request.priority for request in waiting]
        known = [n for n, request in enumerate(waiting) if request.features]
        if self.model is None or not known:
            return priorities
        terms = Terms.unpack([waiting[n].features for n in known])
        for n, prediction in zip(known, self._predict(terms).tolist(), strict=True):
            score = self._options.decay ** waiting[n].distance
            priorities[n] = score + prediction * (1.0 - score)
        return priorities

    def _predict(self, terms: Terms) -> Floats:
        """The damped mean over the steps."""
        if self.model is None:
            return np.zeros(len(terms.starts))
        return np.asarray(self.model.predict(terms) @ self._weights)

    def explain(self, source: Source, link: Link) -> Reason:
        """The distance score, the prediction for each step, and the terms that weigh most."""
        distance = link_distance(source)
        score = Reason("score", self._options.decay**distance, distance_detail(distance))
        if self.model is None:
            return Reason("priority", score.value, "training: by distance alone", (score,))
        terms = self._reader.texts(source.page.url, link)
        steps = self.model.predict(self._reader.read(source.page.url, [link]))[0]
        value = float(steps @ self._weights)
        parts = [
            Reason(f"step {n}", float(chance), f"weight {weight:.3f}")
            for n, (chance, weight) in enumerate(zip(steps, self._weights, strict=True), 1)
        ]
        prediction = Reason("prediction", value, "", (*parts, *self._explain_terms(terms)))
        priority = score.value + value * (1.0 - score.value)
        return Reason("priority", priority, "score + prediction × (1 - score)", (score, prediction))

    def _explain_terms(self, terms: Sequence[str]) -> list[Reason]:
        if self.model is None:
            return []
        numbers = [term_number(term) for term in terms]
        weights = self.model.weights_of(np.array(numbers, np.uint32)) @ self._weights
        weighed = [
            Reason(term, float(weight), self._seen(number))
            for term, weight, number in zip(terms, weights, numbers, strict=True)
        ]
        weighed.sort(key=lambda reason: -abs(reason.value))
        for_it = [reason for reason in weighed if reason.value > 0][:TERMS_EXPLAINED]
        against = [reason for reason in weighed if reason.value < 0][:TERMS_EXPLAINED]
        groups = (("terms for it", for_it), ("terms against it", against))
        return [
            Reason(name, sum(reason.value for reason in group), "log odds", tuple(group))
            for name, group in groups
            if group
        ]

    def _seen(self, number: int) -> str:
        seen, hits = self.model.counts_of(number) if self.model else (0, [])
        if not seen:
            return "never seen in training"
        counts = ", ".join(str(count) for count in hits)
        steps = "step" if len(hits) == 1 else "steps"
        return f"in {seen:,} links, relevant after {len(hits)} {steps}: {counts}"

    def save(self) -> bytes:
        """The model, and what was seen so far where it goes on learning."""
        arrays = {"answers": np.array(self._responses)}
        if self.model is not None:
            arrays |= {f"model_{name}": part for name, part in pack_model(self.model).items()}
        if self._graph is not None:
            arrays |= {f"graph_{name}": part for name, part in self._graph.pack().items()}
        return pack_arrays(arrays)

    def load(self, state: bytes) -> None:
        """Go on from a state."""
        if not state:
            return
        arrays = unpack_arrays(state)
        self._responses = int(arrays["answers"])
        model, graph = (
            {key.removeprefix(part): value for key, value in arrays.items() if key.startswith(part)}
            for part in ("model_", "graph_")
        )
        if model:
            self.model = unpack_model(model, self._form)
            self._check_depth(self.model)
        if self._options.update_every or not model:
            self._graph = TrainingGraph.unpack(graph) if graph else TrainingGraph()
        else:
            self._graph = None

    def _check_depth(self, model: LinkModel) -> None:
        if model.depth != self._options.depth:
            raise UsageError(
                f"the model was trained for depth {model.depth}, not {self._options.depth}:"
                f" give depth={model.depth}"
            )
