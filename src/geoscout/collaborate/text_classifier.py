"""A multinomial naive Bayes classifier over the words of pages, for many classes.

Written out because it is forty lines of numpy, classifies a page in a tenth of a millisecond, and
its model is a table of logarithms one can read. Classes are ids of places; 0 is "no place".
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from geoscout_places.errors import DamagedDataError, UsageError

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
    """A classifier from texts and the place each is about (`NONE` for none).

    Raises:
        UsageError: there are no pages, or all are of one class.
    """
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
    words: list[str],
    classes: list[int],
    counts: Mapping[int, Counter[str]],
    numbers: Counter[int],
) -> Floats:
    table = np.ones((len(words) + 1, len(classes)))  # Laplace: as if each word were seen once more
    for column, place in enumerate(classes):
        of_class = counts[place]
        table[:-1, column] += [of_class[word] for word in words]
    table[:-1] /= table[:-1].sum(axis=0)
    table[-1] = [numbers[place] / numbers.total() for place in classes]
    return np.log(table).astype(np.float32)
