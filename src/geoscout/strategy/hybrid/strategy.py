"""The hybrid: learns online, from the first page, from every signal of the published systems.

One logistic model says how likely a link leads to a relevant page, from its words by field, the
places it names, the page it stands in, and what became of others of its host, folder, list and
template. A second model says how many relevant pages will be found through the page, so that
portals and lists earn what they lead to; its teacher is the crawl tree: a relevant page credits
the pages on the way to it. What waits is scored again as both learn.

It starts from a prior that is link distance and the gazetteer's cue, the best one can do before
anything is known, and hands over as it learns.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import compress
from pathlib import Path

import numpy as np

from geoscout.registrations import RegistrationRecord, read_registrations
from geoscout.strategy.base import (
    LinkOutcome,
    LinkReader,
    ModelDescription,
    Reason,
    Scored,
    Source,
    Strategy,
    StrategyAim,
    StrategyTraits,
)
from geoscout.strategy.hybrid.domains import Brought, SeenAddresses, SeenEntities, TiredDomains
from geoscout.strategy.hybrid.link_features import FIXED_TERMS, FeatureReader, heads_of
from geoscout.strategy.hybrid.models import (
    Floats,
    Histories,
    Logistic,
    Parents,
    Rate,
    Trails,
    read_prior,
    slots_of,
)
from geoscout.strategy.hybrid.signals import (
    DISTANCE,
    LABELS,
    LEADS,
    LIKELY,
    NAMES,
    Habits,
    HybridOptions,
    Knowledge,
    check_hybrid_options,
    make_scorer,
)
from geoscout.strategy.naive_bayes import pack_arrays, unpack_arrays
from geoscout.strategy.named_places import CueReader
from geoscout.strategy.registrants import RegistrantPlaces, RegistrantQuestions
from geoscout.strategy.terms import term_number
from geoscout_places.errors import UsageError
from geoscout_places.model import Link, Request
from geoscout_places.plugins import read_options

_VERSION = 4  # of what is saved
_REDIRECT = 3  # hundred
_YOUNG = 500  # responses: scores are made again after each of them, and then more and more rarely
_LONGEST_STEPS = 4  # times as many responses between two, at most
_DEEPER_EVERY = 20  # times that it scores again, one of which goes ten times as deep
_LEAST_CHANGE = 0.02  # of a priority, below which a link keeps its place: moving it costs more
_TERMS_EXPLAINED = 12
_TERMS_REMEMBERED = 100_000  # some 10 MB; beyond that those without a weight are forgotten
_TERMS_KEPT = 1000  # whose words are saved with the model, for people
_WINDOW = 0  # words next to a link that are terms; the places they name count anyway


def create(aim: StrategyAim, habits: Habits | None = None) -> Strategy:
    """The strategy that learns from everything.

    Raises:
        UsageError: an option is out of its range.
    """
    options = read_options("hybrid", HybridOptions, aim.options)
    check_hybrid_options(options)
    strategy = Hybrid(options, aim, habits)
    strategy.start_from(read_prior())
    if options.registrations:
        strategy.add_registrations(read_registrations(Path(options.registrations)))
    return strategy


def create_link_reader(aim: StrategyAim) -> LinkReader:
    """What reads links for this strategy, in the processes that read pages."""
    options = read_options("hybrid", HybridOptions, aim.options)
    return FeatureReader(_cues(aim), _WINDOW, options.left_out)


def _cues(aim: StrategyAim) -> CueReader | None:
    if aim.gazetteer is None or aim.region is None:
        return None
    return CueReader(aim.gazetteer, aim.region)


Example = tuple[bytes, Floats]  # a link as the models see it: its features and numbers


class Hybrid(RegistrantQuestions):
    """Scores by what is likely, and by what it would lead to."""

    def __init__(
        self, options: HybridOptions, aim: StrategyAim, habits: Habits | None = None
    ) -> None:
        self._habits = habits = habits or Habits()
        cues = _cues(aim)
        self._registrants: RegistrantPlaces | None = None
        if aim.gazetteer is not None and cues and "registrant" not in options.left_out:
            self._registrants = RegistrantPlaces(aim.gazetteer, cues)
        # Of links that no other process has read.
        self._reader = FeatureReader(cues, _WINDOW, options.left_out)
        self._histories = Histories()
        self._likely = Logistic(LIKELY, -1.5, habits.step)
        self._leads = Rate(LEADS, -2.0, habits.step)
        self._parents = Parents()
        self._trails = Trails[Example]()
        self._domains = TiredDomains(habits.tires_after)
        self._scorer = make_scorer(
            Knowledge(
                self._likely, self._leads, self._histories, self._parents, self._domains,
                registrants=self._registrants,
                left_out=[n for n, name in enumerate(NAMES) if name in options.left_out],
                habits=habits,
            )
        )  # fmt: skip
        self._addresses = SeenAddresses()
        self._entities = SeenEntities() if options.aim == "entities" else None
        self.new_entities = None if self._entities is None else 0  # of the last outcome
        self._responses = 0
        self._named: dict[int, str] = {}  # terms that were read
        self._heard: list[str] = []  # more of them
        self.traits = StrategyTraits(least_share=options.patience)
        self._hold_distance()

    def start_from(self, prior: Sequence[tuple[str, float, float]]) -> None:
        """Believe these terms, with their weights in both models, before anything is learned."""
        for term, likely, leads in prior:
            number = term_number(term)
            self._likely.set_weight(number, likely)
            self._leads.set_weight(number, leads)

    def score(self, source: Source, links: Sequence[Link]) -> Sequence[Scored]:
        """What is likely behind each link, and what that would lead to."""
        if not links:
            return []
        distance = 1 if source.relevant else source.request.distance + 1
        packed = [link.features for link in links]
        if not all(packed):
            packed = self._reader.note(source.request.url, links)
            self.hear_words(self._reader.take_words())
        urls = [link.url for link in links]
        self._note_hosts(urls, packed)
        self._parents.add(urls, relevant=source.relevant)
        scores = self._scorer.scores(packed, [distance] * len(links), urls)
        if self._questions is not None and self._registrants is not None:
            is_open = ~self._registrants.are_known(heads_of(packed)[:, 0])
            self._questions.add(compress(urls, is_open), scores[is_open].tolist())
        return list(map(Scored, scores.tolist(), packed))

    def learn(self, outcome: LinkOutcome) -> None:
        """Teach both models what became of a link, and credit the pages on the way to it."""
        request = outcome.request
        self._responses += 1
        gain = self._gain(outcome)
        success = float(gain > 0)
        self._domains.add(request.url, self._brought(outcome, gain))
        if outcome.status // 100 == _REDIRECT:
            # the response to come teaches more; credit passes through
            self._trails.add(request.url, request.parent, None)
            return
        if self._entities is None and outcome.relevant and outcome.duplicate:
            return  # the link was right, and still brought nothing new (docs/why/copies.md)
        if request.features:
            numbers = self._scorer.numbers(request.features, request.distance, request.url)
            self._scorer.learn(request.features, numbers, success)
            if outcome.status == HTTPStatus.OK:
                self._scorer.begin(request.features, numbers)
                self._trails.add(request.url, request.parent, (request.features, numbers))
        if success:
            self._credit(request.parent, gain)
            self._hold_distance()

    def _gain(self, outcome: LinkOutcome) -> float:
        """What a response is worth: 1 for a relevant page, or the number of its new entities."""
        if self._entities is None:
            return float(outcome.relevant and not outcome.duplicate)
        self.new_entities = self._entities.add(outcome.entities or ())
        return float(self.new_entities)

    def _brought(self, outcome: LinkOutcome, gain: float) -> Brought:
        """Whether a page is relevant and shows an address that its domain has not shown before.

        The pages of a calendar are relevant as well, by the address in their footer.
        """
        if outcome.status // 100 == _REDIRECT:
            return Brought.REPEATS
        if self._entities is not None:
            nothing_new = Brought.REPEATS if outcome.entities else Brought.NOTHING
            return Brought.NEWS if gain else nothing_new
        if not outcome.relevant or outcome.duplicate:
            return Brought.NOTHING
        url, reading = outcome.request.url, outcome.reading
        is_new = reading is None or self._addresses.add(url, reading.addresses)
        return Brought.NEWS if is_new else Brought.REPEATS

    def _hold_distance(self) -> None:
        """Learn what link distance counts only once there is something to be distant from.

        Before that every failure would be blamed on distance, the largest of the numbers, and the
        crawl would not leave the surroundings of its seeds.
        """
        held = self._histories.found < self._habits.distance_after
        for model in (self._likely, self._leads):
            model.hold(DISTANCE, held=held)

    def due(self, responses: int) -> int:
        """The best, and now and then ten times as many.

        Each of the first responses changes what the others are worth. Links whose scores are old
        would come in an order of chance, and two crawls that differ in one page would end apart.
        """
        if not self._habits.rescore_every:
            return 0
        steps = min(responses // _YOUNG, _LONGEST_STEPS)
        every = self._habits.rescore_every * steps or 1
        if responses % every:
            return 0
        is_deeper = (responses // every) % _DEEPER_EVERY == 0
        return self._habits.rescore_most * (10 if is_deeper else 1)

    def rescore(self, waiting: Sequence[Request]) -> Sequence[float]:
        """The priorities of what waits as both models see it now; seeds keep theirs."""
        known = [request for request in waiting if request.features]
        if not known:
            return [request.priority for request in waiting]
        packed = [request.features for request in known]
        urls = [request.url for request in known]
        self._note_hosts(urls, packed)
        scores = self._scorer.scores(packed, [request.distance for request in known], urls)
        old = np.array([request.priority for request in known])
        is_new = np.abs(scores - old) > _LEAST_CHANGE * np.abs(old)
        changed: list[float] = np.where(is_new, scores, old).tolist()
        if len(known) == len(waiting):
            return changed
        rest = iter(changed)
        return [next(rest) if request.features else request.priority for request in waiting]

    def add_registrations(self, records: Mapping[str, RegistrationRecord]) -> None:
        """Take registrations into account, by domain."""
        if self._registrants is not None:
            self._registrants.add(records)

    def add_reply(self, record: RegistrationRecord) -> Sequence[str]:
        """Take a reply into account; returns the hosts whose links must be scored again."""
        if record.has_place:
            self.add_registrations({record.domain: record})
        return () if self._questions is None else self._questions.close(record.domain)

    def _note_hosts(self, urls: Sequence[str], packed: list[bytes]) -> None:
        """Look up what has to be known of the hosts of links before they are scored."""
        if unknown := self._scorer.unknown_hosts(packed):
            self._domains.note([urls[n] for n in unknown])
        if self._registrants is not None:
            self._registrants.note(urls)

    def _credit(self, url: str, gain: float) -> None:
        """Let the pages on the way to one that brought something earn it."""
        credit = gain
        for example in self._trails.back_from(url, self._habits.credit_steps):
            self._scorer.credit(*example, credit)
            credit *= self._habits.credit

    def explain(self, source: Source, link: Link) -> Reason:
        """What is likely, what it would lead to, and the terms and numbers that say so."""
        distance = 1 if source.relevant else source.request.distance + 1
        page = source.request.url
        features = self._reader.read(page, [link])
        packed = features.pack()
        self._note_hosts([link.url], packed)
        texts = self._reader.texts(page, link)
        numbers = self._scorer.numbers(packed[0], distance, link.url)
        terms, rows = features.terms, numbers[None, :]
        likely = float(self._likely.predict(terms, rows)[0])
        leads = float(self._leads.predict(terms, rows)[0])
        parts = (
            _explained("relevant", likely, self._likely, texts, numbers),
            _explained("leads to", leads, self._leads, texts, numbers),
        )
        detail = f"relevant + {self._habits.future:g} × log(1 + leads to)"
        score = float(self._scorer.scores(packed, [distance], [link.url])[0])
        return Reason("priority", score, detail, parts)

    def describe(self, most: int) -> ModelDescription:
        """All numbers and the terms that weigh most, with their weights in both models."""
        weights = zip(self._likely.numbers.tolist(), self._leads.numbers.tolist(), strict=True)
        numbers = list(zip(LABELS, weights, strict=False))  # the bias comes last, and is left out
        terms = [(term, (likely, leads)) for term, likely, leads in self.terms(most)]
        return ModelDescription(self._responses, ("relevant", "leads to"), (*numbers, *terms))

    def hear_words(self, words: Sequence[str]) -> None:
        """Remember terms that were read, so that people can read the model."""
        self._heard += words
        if len(self._heard) > _TERMS_REMEMBERED:
            self._remember_heard()

    def _remember_heard(self) -> None:
        self._named |= {term_number(text): text for text in self._heard}
        self._heard.clear()
        if len(self._named) > _TERMS_REMEMBERED:
            numbers = np.fromiter(self._named, np.uint32, len(self._named))
            slots = slots_of(numbers)
            weighs = (self._likely.weights[slots] != 0.0) | (self._leads.weights[slots] != 0.0)
            self._named = {n: self._named[n] for n in numbers[weighs].tolist()}

    def terms(self, most: int) -> list[tuple[str, float, float]]:
        """The terms that weigh most, with their weight for being and for leading to relevance."""
        self._remember_heard()
        named = FIXED_TERMS | self._named
        numbers = np.sort(np.fromiter(named, np.uint32, len(named)))
        slots = slots_of(numbers)
        likely, leads = self._likely.weights[slots], self._leads.weights[slots]
        order = np.argsort(-np.abs(likely) - np.abs(leads), kind="stable")[:most].tolist()
        return [(named[int(numbers[n])], float(likely[n]), float(leads[n])) for n in order]

    def save(self) -> bytes:
        """Both models and the histories."""
        arrays = self._likely.save("likely") | self._leads.save("leads") | self._histories.save()
        arrays |= self._domains.save() | self._addresses.save() | self._parents.save()
        arrays |= self._entities.save() if self._entities else {}
        texts = "\n".join(text for text, _, _ in self.terms(_TERMS_KEPT)).encode()
        counts = {"version": np.array([_VERSION]), "answers": np.array([self._responses])}
        return pack_arrays(arrays | counts | {"terms": np.frombuffer(texts, np.uint8)})

    def load(self, state: bytes) -> None:
        """Go on from what `save` gave."""
        if not state:
            return
        arrays = unpack_arrays(state)
        version = int(arrays.get("version", np.zeros(1))[0])
        if version != _VERSION or arrays["likely-numbers"].shape[1] != len(NAMES) + 1:
            raise UsageError("the crawl's model was made by another version of geoscout")
        self._likely.load("likely", arrays)
        self._leads.load("leads", arrays)
        self._histories.load(arrays)
        self._domains.load(arrays)
        self._addresses.load(arrays)
        self._parents.load(arrays)
        if self._entities is not None:
            self._entities.load(arrays)
        self._hold_distance()
        self._responses = int(arrays["answers"][0])
        texts = arrays["terms"].tobytes().decode().splitlines()
        self._named = {term_number(text): text for text in texts}


def _explained(
    name: str, value: float, model: Logistic | Rate, texts: Sequence[str], numbers: Floats
) -> Reason:
    """A prediction with what weighs most in it, in log odds or logarithms of a count."""
    root = len(texts) ** 0.5
    terms = [Reason(text, model.weight(term_number(text)) / root) for text in texts]
    of_numbers = [
        Reason(label, float(weight * number), f"{number:.2f}")
        for label, weight, number in zip(LABELS, model.numbers, numbers, strict=False)
    ]
    base = Reason("always", float(model.numbers[-1]))
    parts = sorted([*terms, *of_numbers, base], key=lambda part: -abs(part.value))
    return Reason(name, value, "", tuple(part for part in parts if part.value)[:_TERMS_EXPLAINED])
