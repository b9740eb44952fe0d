"""Cuts words that are run together, as in host names: "houstonchronicle" is Houston, chronicle.

The best cut is the one whose words are together the likeliest, when each has its frequency on the
web and the names one looks for have one of their own; dynamic programming finds it. It decides
against a name that only happens to stand there: in "newyorker" New and Yorker are likelier than
New York and a rest, and "automobile" is one word.

The names are looked for with an automaton first, by whoever asks. Few tokens have one in them, so
cutting may take a tenth of a millisecond, and the table of words is read when it is first needed.
"""

import lzma
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from geoscout_places.errors import DamagedDataError
from geoscout_places.gazetteer.tables import DATA_FOLDER

# Costs are orders of magnitude: a word that is every thousandth costs 3.
NAME_COST = 5.0  # of a name one looks for, if the web does not use it more often
_SHORT_NAME = 4  # letters; one that short is in many words of other languages (Reno-vierung)
_USUAL_COST = 5.75  # so it counts only next to words that are not rarer than this
_CODE_COST = 5.5  # of a short word that the caller adds, such as the code of a state
_UNKNOWN_COST, _UNKNOWN_LETTER = 9.0, 1.0  # an unknown word costs 9, and 1 for each letter
_UNIVERSITY = {"u": 6.0}  # uchicago, utoledo
_ENDING_COST = 30.0  # never part of the best cut
_LONGEST_WORD = 24
_LONGEST_TOKEN = 63  # of a label of a host name
# Behind a name these make another word of it: Chicagoan, Bostonian, Portlander.
_ENDINGS = frozenset(["an", "ans", "er", "ers", "ese", "ia", "ian", "ians", "ite", "ites"])


class Segmenter:
    """Cuts tokens into words, some of which are names one looks for."""

    def __init__(self, names: Iterable[str], codes: Iterable[str] = ()) -> None:
        """`names` and `codes` are lower case without blanks; codes are short words to know."""
        self._names = frozenset(names)
        self._codes = dict.fromkeys(codes, _CODE_COST)
        self._costs: dict[str, float] = {}

    def split(self, token: str, further: Iterable[str] = ()) -> list[str]:
        """The words of a token of letters in lower case; `further` are more names to look for."""
        if len(token) > _LONGEST_TOKEN:
            return [token]
        if not self._costs:
            self._costs = {**self._codes, **_UNIVERSITY, **read_frequencies()}
        names = self._names.union(further)
        words = _cut(token, self._best_starts(token, names))
        return words if self._is_believed(words, names) else [token]

    def _is_believed(self, words: list[str], names: Collection[str]) -> bool:
        others = [word for word in words if word not in names]
        has_long_name = any(len(w) > _SHORT_NAME for w in words if w in names)
        return has_long_name or all(self._costs.get(w, 99.0) <= _USUAL_COST for w in others)

    def _best_starts(self, token: str, names: Collection[str]) -> list[int]:
        """For each end, where the last word of the best cut up to there starts."""
        costs, size = self._costs, len(token)
        totals, starts = [0.0] + [float("inf")] * size, [0] * (size + 1)
        for end in range(1, size + 1):
            for start in range(max(0, end - _LONGEST_WORD), end):
                word = token[start:end]
                cost = costs.get(word, _UNKNOWN_COST + _UNKNOWN_LETTER * (end - start))
                if word in names:
                    cost = min(cost, NAME_COST)
                elif word in _ENDINGS and token[starts[start] : start] in names:
                    cost = _ENDING_COST
                if totals[start] + cost < totals[end]:
                    totals[end], starts[end] = totals[start] + cost, start
        return starts


def _cut(token: str, starts: list[int]) -> list[str]:
    words: list[str] = []
    end = len(token)
    while end:
        words.append(token[starts[end] : end])
        end = starts[end]
    return words[::-1]


@cache
def read_frequencies(folder: Path = DATA_FOLDER) -> Mapping[str, float]:
    """How rare frequent English words are on the web, in orders of magnitude: "hotels" is 3.5.

    Raises:
        DamagedDataError: the table cannot be read.
    """
    try:
        text = lzma.decompress((folder / "frequent_words.txt.xz").read_bytes()).decode()
        rows = (line.split("\t") for line in text.splitlines())
        return {word: int(quarters) / 4 for word, quarters in rows}
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise DamagedDataError(f"frequent_words.txt.xz is damaged: {error}") from error
