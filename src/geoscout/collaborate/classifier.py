"""By a text classifier: all links of a page go to the node of the city its words speak of.

The classes are the owned cities and "none" (G-7), so that the measures of locality have a city to
compare. "The classes are the partitions", as the paper also prints, is a model that was trained
with `of_nodes`: its classes are the largest cities of the nodes, each for all of its node. It is a
multinomial naive Bayes over words, written out because it is forty lines of numpy, classifies a
page in a tenth of a millisecond, and its model is a table of logarithms one can read.

It is trained on texts whose city is known. The pages of a class are limited, as in the paper, or a
city with many pages would be guessed for most others; what the model is worth is measured on pages
that it was not trained on.
"""

import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from geoscout.collaborate.base import (
    ClaimingCollaboration,
    Collaboration,
    CollaborationAim,
    CollaborationTraits,
    Origin,
)
from geoscout.collaborate.partition import Partition
from geoscout.collaborate.policy import Claim, Claims, CollaborationOptions, Policy, best_place
from geoscout_places.errors import DamagedDataError, UsageError
from geoscout_places.gazetteer.base import Gazetteer
from geoscout_places.model import Link
from geoscout_places.plugins import read_options, setting

NONE = 0  # the class of pages about no owned place
MOST_WORDS = 30_000  # of the vocabulary: those in the most pages
_FEWEST_PAGES = 2  # a word of one page alone says nothing about another
_WORD = re.compile(r"[^\W\d_]{2,}")

Floats = npt.NDArray[np.float32]


def words_of(text: str) -> list[str]:
    """The words a page is classified by."""
    return _WORD.findall(text.lower())


class TextClassifier:
    """A trained model; make one with `train` or `read_model`."""

    def __init__(self, words: Iterable[str], classes: Iterable[int], weights: Floats) -> None:
        """`weights`: logarithms, a row a word and a column a class; the last row is the priors."""
        self._rows = {word: row for row, word in enumerate(words)}
        self._classes = list(classes)
        self._weights = weights

    def classify(self, text: str, most: int = 1) -> list[tuple[int, float]]:
        """The likeliest classes with their posteriors, best first."""
        counts = Counter(self._rows[w] for w in words_of(text) if w in self._rows)
        scores = self._weights[-1].astype(np.float64)
        if counts:
            rows = np.fromiter(counts.keys(), np.int64, len(counts))
            times = np.fromiter(counts.values(), np.float32, len(counts))
            scores = scores + times @ self._weights[rows]
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        best = np.argsort(-shares, kind="stable")[:most]
        return [(self._classes[number], float(shares[number])) for number in best]

    def save(self) -> bytes:
        """The model as `read_model` reads it."""
        file = io.BytesIO()
        words = "\n".join(self._rows).encode()
        np.savez_compressed(
            file,
            words=np.frombuffer(words, np.uint8),
            classes=np.array(self._classes, np.int64),
            weights=self._weights,
        )
        return file.getvalue()


def read_model(content: bytes) -> TextClassifier:
    """The model that `save` gave.

    Raises:
        DamagedDataError: it is not such a file.
    """
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as table:
            words = table["words"].tobytes().decode()
            return TextClassifier(words.split("\n"), table["classes"].tolist(), table["weights"])
    except (OSError, KeyError, ValueError) as error:
        raise DamagedDataError(f"the classifier's model cannot be read: {error}") from error


def train(pages: Iterable[tuple[str, int]]) -> TextClassifier:
    """A classifier from texts and the place each is about (`NONE` for none)."""
    counts: dict[int, Counter[str]] = {}
    numbers: Counter[int] = Counter()
    spread: Counter[str] = Counter()
    for text, place in pages:
        words = Counter(words_of(text))
        counts.setdefault(place, Counter()).update(words)
        spread.update(words.keys())
        numbers[place] += 1
    if len(numbers) < 2:
        raise UsageError("a classifier needs pages of at least two places, or of one and of none")
    known = [w for w, pages_with in spread.most_common(MOST_WORDS) if pages_with >= _FEWEST_PAGES]
    classes = sorted(numbers)
    return TextClassifier(known, classes, _weights(known, classes, counts, numbers))


def _weights(
    words: list[str], classes: list[int], counts: Mapping[int, Counter[str]], numbers: Counter[int]
) -> Floats:
    table = np.ones((len(words) + 1, len(classes)))  # Laplace: as if each word were seen once more
    for column, place in enumerate(classes):
        of_class = counts[place]
        table[:-1, column] += [of_class[word] for word in words]
    table[:-1] /= table[:-1].sum(axis=0)
    table[-1] = [numbers[place] / numbers.total() for place in classes]
    return np.log(table).astype(np.float32)


_REMEMBERED = 16  # texts: a page is asked about for its links and again for its label
_MOST_CLAIMS = 10  # under policy B; the rest have no weight worth a download


@dataclass(frozen=True, slots=True)
class ClassifierOptions(CollaborationOptions):
    """When a class is believed."""

    least: float = setting(0.0, "the posterior a city needs; below it a page is of no city")


def create(aim: CollaborationAim) -> Collaboration:
    """The collaboration that classifies pages.

    Raises:
        UsageError: no model was handed in.
    """
    options = read_options("classifier", ClassifierOptions, aim.options)
    if aim.model is None:
        raise UsageError("collaboration 'classifier' needs a trained model as classifier")
    return ByClassifier(aim, aim.model, options)


class ByClassifier(ClaimingCollaboration):
    """The class of a page."""

    traits = CollaborationTraits(reads_links=False)

    def __init__(
        self, aim: CollaborationAim, model: TextClassifier, options: ClassifierOptions
    ) -> None:
        super().__init__(aim.partition, Policy(aim.partition, options))
        self._model = model
        self._least = options.least
        self._many = options.policy == "B"
        self._claims = lru_cache(_REMEMBERED)(self._claim)

    def claims(self, origin: Origin, links: Sequence[Link]) -> Sequence[Claims]:
        return [self._claims(origin.page.text)] * len(links)

    def label(self, origin: Origin) -> int:
        return best_place(self._claims(origin.page.text))

    def _claim(self, text: str) -> Claims:
        """The likely cities; none when "none" is likelier than each of them."""
        ranked = self._model.classify(text, _MOST_CLAIMS if self._many else 1)
        if ranked[0][0] == NONE or ranked[0][1] < self._least:
            return ()
        return [Claim(place, share) for place, share in ranked if place != NONE and share > 0]


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


def of_nodes(pages: Iterable[Labelled], partition: Partition) -> Iterator[Labelled]:
    """The pages with one class for each node, its largest city; `NONE` stays what it is."""
    largest: dict[str | None, int] = {}
    for id, _ in sorted(partition.targets.items(), key=lambda target: target[1].population):
        largest[partition.owner(id)] = id
    for text, place in pages:
        yield text, largest[partition.owner(place)] if place != NONE else NONE


def train_and_test(pages: Iterable[Labelled]) -> Training:
    """A model of all pages, and how good one is that has not seen every fifth of them."""
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
