"""What the geoparser found in a passage, held against what the reader marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf

from benchmarks.passages.truth import NameLabel, Passage, PassageText
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.names import fold
from geoscout_places.model import Kind, MentionKind, Place, Point, Reading

NEAR_KM, WIDE_KM = 161.0, 1_000.0
SHORT_LINE = 60  # characters
FREE_TOKEN = re.compile(r"\S*(?:https?:|www\.|@|#)\S+|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,4}(?:/\S*)?")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A name that counts, or a prediction that is wrong."""

    text: PassageText
    start: int
    end: int
    label: NameLabel | None  # None where no reader marked it
    found: Prediction | None  # None where the geoparser did not find it

    @property
    def passage(self) -> Passage:
        """The passage it stands in."""
        return self.text.passage

    @property
    def name(self) -> str:
        """The name as it stands there."""
        return self.text.text[self.start : self.end]

    @property
    def is_placed(self) -> bool:
        """Whether it was found, and taken for the right place."""
        return bool(self.label and self.found and is_meant(self.found, self.label))

    @property
    def setting(self) -> str:
        """How the name stands: in running text, on a short line or in an address."""
        if self.label and self.label.kind == "address":
            return "address"
        return "short line" if len(self._line) <= SHORT_LINE else "running text"

    @property
    def _line(self) -> str:
        first = self.text.text.rfind("\n", 0, self.start) + 1
        return self.text.text[first:].partition("\n")[0]

    def __str__(self) -> str:
        """For the list of errors."""
        around = self.text.text[max(0, self.start - 50) : self.end + 50]
        place = self.found and self.found.place
        taken = f" as {place.name}, {place.kind}, {place.country}" if place else ""
        return f"{self.passage.id} [{self.setting}] {self.name!r} in {around!r}{taken}"


@dataclass(frozen=True, slots=True)
class Score:
    """How well names were found, and found at the right place."""

    names: float
    found: float
    wrong: float
    right_place: float

    @classmethod
    def of(cls, outcomes: Sequence[Outcome], most: float = inf) -> Score:
        """The score of some outcomes; no passage weighs more than `most` of them."""
        counts = Counter(x.passage.id for x in outcomes)
        weights = [min(1, most / counts[x.passage.id]) for x in outcomes]

        def total(belongs: Callable[[Outcome], object]) -> float:
            pairs = zip(outcomes, weights, strict=True)
            return sum(weight for outcome, weight in pairs if belongs(outcome))

        return cls(
            names=total(lambda x: x.label),
            found=total(lambda x: x.label and x.found),
            wrong=total(lambda x: not x.label),
            right_place=total(lambda x: x.is_placed),
        )

    @property
    def precision(self) -> float:
        """The share of predictions that a reader marked."""
        return self.found / max(1, self.found + self.wrong)

    @property
    def recall(self) -> float:
        """The share of marked names that were found."""
        return self.found / max(1, self.names)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.found / max(1, self.found + self.wrong + self.names)

    @property
    def placed(self) -> float:
        """The share of found names whose place is right."""
        return self.right_place / max(1, self.found)

    @property
    def f1_placed(self) -> float:
        """F1 where a name counts as found only with its place."""
        return 2 * self.right_place / max(1, self.found + self.wrong + self.names)


@dataclass(frozen=True, slots=True)
class Prediction:
    """A place that the geoparser found in a passage."""

    start: int  # code points in the passage
    end: int
    place: Place
    city: str = ""  # of an address; "" for a name


def predictions_of(reading: Reading, start: int, end: int) -> list[Prediction]:
    """The names and addresses of a reading that are between two offsets; no demonyms."""
    names = [
        Prediction(mention.start - start, mention.end - start, mention.place)
        for mention in reading.mentions
        if mention.place is not None and mention.kind is not MentionKind.DEMONYM
    ]
    addresses = [
        Prediction(address.start - start, address.end - start, address.place, address.city)
        for address in reading.addresses
        if address.place is not None and address.end
    ]
    return [x for x in names + addresses if x.start >= 0 and x.end <= end - start]


def judge(text: PassageText, predictions: Sequence[Prediction]) -> Iterator[Outcome]:
    """The names that count, found or not, then the wrong predictions.

    A prediction and a label match if they overlap; a label is found once, and more predictions on
    it are not wrong. What is inside an address that was found is found. Predictions on labels that
    do not count and on addresses of the web neither help nor hurt.
    """
    for label in text.labels:
        if label.counts:
            yield _judge_label(text, label, [x for x in predictions if _overlap(x, label)])
    tokens = [match.span() for match in FREE_TOKEN.finditer(text.text)]
    for found in predictions:
        on_label = any(_overlap(found, label) for label in text.labels)
        on_token = any(found.start < end and start < found.end for start, end in tokens)
        if not on_label and not on_token:
            yield Outcome(text, found.start, found.end, None, found)


def _judge_label(text: PassageText, label: NameLabel, here: Sequence[Prediction]) -> Outcome:
    """By the prediction that covers most of the label, of two that do the shorter one."""

    def quality(found: Prediction) -> tuple[int, int]:
        shared = min(found.end, label.end) - max(found.start, label.start)
        return shared, found.start - found.end

    return Outcome(text, label.start, label.end, label, max(here, key=quality, default=None))


def is_meant(found: Prediction, label: NameLabel) -> bool:
    """Whether a place is the one that the label means.

    Of an address the town has to be right; its region and country are, if the country is.
    """
    if found.city and fold(found.city) != fold(label.name):
        return found.place.country == label.country
    if label.where == "country":
        return found.place.country == label.country and found.place.kind is Kind.COUNTRY
    if label.where in {"", "?"}:
        return True
    latitude, longitude, *wide = label.where.split(",")
    away = distance_km(Point(float(latitude), float(longitude)), found.place.point)
    return away < (WIDE_KM if wide else NEAR_KM)


def _overlap(found: Prediction, label: NameLabel) -> bool:
    return found.start < label.end and label.start < found.end
