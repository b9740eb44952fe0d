"""Guesses the language of a text by the small words that every text has.

A page claims a language, but often the wrong one (that of its template), and a bare text claims
none. Each small word counts for its languages, shared out among them: "und" is German and counts
one, "in" is a word of six languages and counts a sixth for each. That is enough for a few lines of
prose and costs some microseconds; a menu of five words gives no answer, and then the claim counts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from geoscout_places.language.files import all_languages, load_language

_SAMPLES, _SAMPLE = 3, 1200  # stretches of a long text that are read, and their characters
_LEAST = 0.9  # what a language must have of its words to be believed
_AHEAD = 1.1  # times what the next language has
_OWN_LANGUAGES = 2  # that may have a word which tells one of them
_USUAL, _USUAL_POINTS = "en", 0.3  # the language of most texts needs less to be believed
# The same for a block of a page, of which the language is known that far, and how many different
# small words of the page's language tell that a block is written in it.
_LEAST_OF_BLOCK, _AHEAD_IN_BLOCK, _FEW_WORDS = 3.0, 2.0, 4
_OWN_SHARE = 1 / _OWN_LANGUAGES
_OTHER_CODES = {"nb": "no", "nn": "no", "id": "ms"}  # written alike, as far as small words go


def guess_language(text: str, claimed: str = "") -> str:
    """The code of the language a text is written in; "" when that is not known.

    `claimed` is what its page says (BCP 47). It counts where the words do not decide.

    >>> guess_language("Der Zug fährt nicht nach Ulm, und der Bus auch nicht.")
    'de'
    >>> guess_language("Hotels Berlin"), guess_language("Hotels Berlin", "de-DE")
    ('', 'de')
    """
    points = _points(text, _samples(text))
    next_most, most = sorted(points)[-2:]
    if most < _LEAST:
        return _known_claim(claimed)
    if most >= _AHEAD * next_most:
        return _codes()[points.index(most)]
    near = [code for code, own in zip(_codes(), points, strict=True) if most < _AHEAD * own]
    return _by_letters(text[:_SAMPLE].lower(), near) or _known_claim(claimed)


def guess_block(text: str, language: str, start: int = 0, end: int | None = None) -> str:
    """The language of a block of a page whose language is given; another one only if it is sure.

    `start` and `end` are those of the block, of all of the text without.

    >>> english = "The train does not run on this day, and the bus that is there will not do it."
    >>> guess_block(english, "de"), guess_block("Hotels in New York and Boston", "de")
    ('en', 'de')
    """
    end = len(text) if end is None else end
    if language and _count_own(text, start, end, language) >= _FEW_WORDS:
        return language  # nearly always
    points = _points(text, [(start, end)])
    next_most, most = sorted(points)[-2:]
    is_sure = most >= _LEAST_OF_BLOCK and most >= _AHEAD_IN_BLOCK * next_most
    return _codes()[points.index(most)] if is_sure else language


def _points(text: str, ranges: Sequence[tuple[int, int]]) -> list[float]:
    """How much speaks for each language in some ranges of a text, in the order of `_codes`."""
    points, shares = _points_before(), _shares()
    words = [word for start, end in ranges for word in text[start:end].split()]
    for word, count in Counter(filter(shares.__contains__, words)).items():
        for number, share in shares[word]:
            points[number] += count * share
    return points


def _count_own(text: str, start: int, end: int, language: str) -> int:
    """How many different words of a range no other language has, or few."""
    return len(_own_words(language).intersection(text[start:end].split()))


def _by_letters(text: str, codes: Sequence[str]) -> str:
    """The language among some whose own letters a text has, "" when no one has the most."""
    own = {code: sum(text.count(x) for x in load_language(code).own_letters) for code in codes}
    most = max(own.values())
    first, *others = [code for code in codes if own[code] == most]
    return "" if others else first


def _samples(text: str) -> list[tuple[int, int]]:
    """All of a text, or of a long one its beginning, a stretch of its middle and one at its end."""
    if len(text) <= _SAMPLES * _SAMPLE:
        return [(0, len(text))]
    step = (len(text) - _SAMPLE) // (_SAMPLES - 1)
    return [(n * step, n * step + _SAMPLE) for n in range(_SAMPLES)]


def _known_claim(claimed: str) -> str:
    code = claimed.lower().replace("_", "-").partition("-")[0]
    code = _OTHER_CODES.get(code, code)
    return code if code in _codes() else ""


@cache
def _own_words(code: str) -> frozenset[str]:
    """The small words of a language that no other language has, or few."""
    number = _codes().index(code)
    return frozenset(
        word
        for word, own in _shares().items()
        if any(n == number and s >= _OWN_SHARE for n, s in own)
    )


@cache
def _codes() -> tuple[str, ...]:
    return tuple(language.code for language in all_languages())


def _points_before() -> list[float]:
    return [_USUAL_POINTS if code == _USUAL else 0.0 for code in _codes()]


@cache
def _shares() -> Mapping[str, tuple[tuple[int, float], ...]]:
    """By word, the numbers of the languages it stands for and its share for each."""
    numbers: dict[str, list[int]] = {}
    for number, language in enumerate(all_languages()):
        for word in language.frequent_words:
            numbers.setdefault(word, []).append(number)
            if len(word) > 1:  # a capital letter alone is a letter
                numbers.setdefault(word.capitalize(), []).append(number)
    return {word: tuple((n, 1 / len(own)) for n in own) for word, own in numbers.items()}
