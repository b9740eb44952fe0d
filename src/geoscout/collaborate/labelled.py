"""Texts whose city is known, to train the classifier on: reading them, choosing, holding some back.

The pages of a class are limited, as in the paper, or a city with many pages would be guessed for
most others. What the model is worth is measured on pages that it was not trained on.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from geoscout.collaborate.partition import Partition
from geoscout.collaborate.text_classifier import NONE, TextClassifier, train
from geoscout_places.errors import UsageError
from geoscout_places.gazetteer.base import Gazetteer

PAGES_A_CITY, PAGES_OF_NONE = 500, 2000  # the paper had 500 to 2000 a city, and 2000 of none
_HELD_BACK = 5  # every fifth page of a class
_FEWEST_TO_SPLIT = 2 * _HELD_BACK

Labelled = tuple[str, int]  # a text and the id of its city; `NONE` for none


@dataclass(frozen=True, slots=True)
class Training:
    """A trained model and what it rests on."""

    model: TextClassifier
    pages: Mapping[int, int]  # by class
    held_back: int  # pages the accuracy was measured on
    accuracy: float | None  # share of them with the right class; None when there were too few


def read_labelled(
    lines: Iterable[str], partition: Partition, gazetteer: Gazetteer
) -> Iterator[Labelled]:
    """The texts of a training file: lines such as `{"text": "…", "place": "Mesa, AZ"}`.

    A place is a name or an id; null, or one that nobody owns, makes the page one of none.

    Raises:
        UsageError: a line is not such an object.
        UnknownPlaceError: the gazetteer has no such place.
    """
    known: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        text, place = _read_line(line, number)
        if place not in known:
            known[place] = _class_of(place, partition, gazetteer)
        yield text, known[place]


def _read_line(line: str, number: int) -> tuple[str, str]:
    try:
        row = json.loads(line)
        text, place = row["text"], row["place"]
    except (ValueError, KeyError, TypeError) as error:
        message = f'line {number} should be an object with "text" and "place": {error}'
        raise UsageError(message) from error
    return str(text), "" if place is None else str(place)


def _class_of(place: str, partition: Partition, gazetteer: Gazetteer) -> int:
    if not place:
        return NONE
    id = int(place) if place.isdigit() else gazetteer.find(place)[0].place.id
    return id if id in partition.targets else NONE


def choose_pages(
    pages: Iterable[Labelled], of_city: int = PAGES_A_CITY, of_none: int = PAGES_OF_NONE
) -> Iterator[Labelled]:
    """The first pages of each class, `of_city` of a city and `of_none` of none."""
    counts: Counter[int] = Counter()
    for text, place in pages:
        counts[place] += 1
        if counts[place] <= (of_city if place != NONE else of_none):
            yield text, place


def train_and_test(pages: Iterable[Labelled]) -> Training:
    """A model of all pages, and how good one is that has not seen every fifth of them.

    Raises:
        UsageError: there are pages of one class only, or none.
    """
    pages = list(pages)
    counts = Counter(place for _, place in pages)
    seen: Counter[int] = Counter()
    learned: list[Labelled] = []
    held_back: list[Labelled] = []
    for text, place in pages:
        seen[place] += 1
        hold = counts[place] >= _FEWEST_TO_SPLIT and seen[place] % _HELD_BACK == 0
        (held_back if hold else learned).append((text, place))
    accuracy = None
    if held_back:
        tested = train(learned)
        right = sum(tested.classify(text)[0][0] == place for text, place in held_back)
        accuracy = right / len(held_back)
    return Training(train(pages), counts, len(held_back), accuracy)
