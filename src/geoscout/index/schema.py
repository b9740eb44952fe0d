"""The fields of the Tantivy index, and what words, points and streets are in them.

`body` has every word of a page, `lead` again those of its title, address and in-link, which count
more. So all words of a query can be demanded of one field, which is the quickest thing Tantivy
does, and `lead` only adds to the score. Places and cells are numbers: they need no text. The key of
a page is a raw text field because deleting by term works on such a field only.

**Words.** The length of a page's vector belongs to the vector space model (SMART's lnc.ltc: the
weights of a page are 1 + log of the counts, and the rarity of a word counts in the query only). It
does not depend on other pages and stays right while the index grows. The fingerprint is Charikar's
simhash: pages that differ in a few words differ in a few bits.

**Points.** Every spot of a page is indexed by its H3 cells of five sizes; a question takes the size
at which its circle needs a few dozen. The cells cover somewhat more than the circle, so whoever
asks measures the candidates afterwards.

**Houses, streets, landmarks.** The gazetteer has no houses, but the pages of a crawl have thousands
of addresses. A key of one is kept as a mark of 63 bits: rows of numbers are searched at a gigabyte
a second, and Tantivy takes them as they are.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from math import ceil, sqrt

import h3.api.basic_int as h3
import numpy as np
import tantivy

from geoscout_places.caches import BoundedCache
from geoscout_places.gazetteer.areas.sphere import distance_km
from geoscout_places.gazetteer.names import fold, fold_street
from geoscout_places.language import merge
from geoscout_places.model import Point

VERSION = 7  # one more whenever the fields or the columns change; an older index is built again
STATE_KEY = "state"  # never a URL: what is committed is noted in a document of its own
_LONGEST_WORD = 40
_NOT_A_WORD = re.compile(r"[\W_]+")


def build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("state", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("slot", fast=True)  # the row of the columns
    builder.add_text_field("body", tokenizer_name="words", index_option="freq")
    builder.add_text_field("lead", tokenizer_name="words", index_option="freq")
    builder.add_integer_field("node", indexed=True, fast=True)  # places, direct and inherited
    builder.add_integer_field("direct", indexed=True)  # places the page itself names
    builder.add_integer_field("strong", indexed=True)  # with an address or the main place inside
    builder.add_integer_field("about", indexed=True, fast=True)  # more than a trace of its scope
    builder.add_integer_field("kind", indexed=True)  # of the places the page is about
    builder.add_integer_field("known", indexed=True)  # houses, streets and landmarks it gives
    builder.add_text_field("language", tokenizer_name="raw", index_option="basic", fast=True)
    builder.add_text_field("host", tokenizer_name="raw", index_option="basic")  # and what is above
    builder.add_text_field("evidence", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("fetched_at", fast=True)  # seconds since the epoch
    builder.add_unsigned_field("dated_at", fast=True)  # only where the page gives a date
    builder.add_unsigned_field("cell", indexed=True)  # H3
    return builder.build()


def build_analyzer() -> tantivy.TextAnalyzer:
    """Words without case and accents; no stemming, since a crawl has many languages."""
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    builder = builder.filter(tantivy.Filter.remove_long(_LONGEST_WORD))
    builder = builder.filter(tantivy.Filter.lowercase())
    return builder.filter(tantivy.Filter.ascii_fold()).build()


# The languages that Tantivy has stemmers for, by their codes.
STEMMED = {
    "ar": "arabic", "da": "danish", "nl": "dutch", "en": "english", "fi": "finnish", "fr": "french",
    "de": "german", "el": "greek", "hu": "hungarian", "it": "italian", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "es": "spanish", "sv": "swedish",
    "ta": "tamil", "tr": "turkish",
}  # fmt: skip


def stem_of(word: str, language: str) -> str:
    """What the stemmer of a language leaves of a word.

    >>> stem_of("skiing", "en"), stem_of("spaziergang", "de")
    ('ski', 'spaziergang')
    """
    return _stemmers(language).analyze(word)[0]


@cache
def _stemmers(language: str) -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
    return builder.filter(tantivy.Filter.stemmer(STEMMED[language])).build()


def lead_of(title: str, anchor: str, url: str) -> str:
    """The words by which a page introduces itself."""
    return f"{title} {anchor} {url_words(url)}"


def language_code(language: str) -> str:
    """The code of a language without its region.

    >>> language_code("de-AT"), language_code("pt_BR"), language_code("")
    ('de', 'pt', '')
    """
    return language.lower().replace("_", "-").partition("-")[0]


def host_names(host: str) -> list[str]:
    """A host and the domains above it that have a dot: a filter takes either.

    >>> host_names("www.museum.example"), host_names("localhost")
    (['www.museum.example', 'museum.example'], ['localhost'])
    """
    parts = host.lower().split(".")
    return [".".join(parts[at:]) for at in range(max(1, len(parts) - 1))]


def url_words(url: str) -> str:
    """The readable parts of a URL.

    >>> url_words("https://www.lisbon-pizza.example/menu_2024.html")
    'lisbon pizza example menu 2024 html'
    """
    rest = url.partition("://")[2].removeprefix("www.")
    return _NOT_A_WORD.sub(" ", rest).strip()


_SHORTEST_INFLECTED = 4
_INFLECTED_REMEMBERED = 5000
_WORDS_REMEMBERED = 200_000  # about 20 MB


def vector_length(counts: Counter[str]) -> float:
    """The length of a page's vector of 1 + log(count); 0 without words."""
    weights = 1 + np.log(np.fromiter(counts.values(), np.float64, len(counts)))
    return float(np.sqrt(weights @ weights))


def simhash(counts: Counter[str]) -> int:
    """64 bits that near-duplicates nearly share; 0 without words."""
    if not counts:
        return 0
    hashes = np.fromiter(map(_HASHES.__getitem__, counts), ">u8", len(counts))
    bits = np.unpackbits(hashes.view(np.uint8)).reshape(-1, 64)
    weights = np.fromiter(counts.values(), np.float32, len(counts))
    packed = np.packbits(weights @ bits * 2 > weights.sum())
    return int.from_bytes(packed.tobytes(), "big")


def _hash(word: str) -> int:
    return int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")


_HASHES = BoundedCache(_hash, _WORDS_REMEMBERED)


def inflections(word: str) -> list[str]:
    """Other forms a word may have in any language: plurals, mostly.

    They are guesses; the index keeps those that occur in its pages.

    >>> inflections("bakeries"), inflections("museo")
    (['bakeriess', 'bakerieses', 'bakeriesn', 'bakeriesen', 'bakerie', 'bakeri', 'bakery'], \
['museos', 'museoes', 'museon', 'museoen', 'musei'])
    """
    return list(_INFLECTIONS[word])


def _inflections(word: str) -> tuple[str, ...]:
    if len(word) < _SHORTEST_INFLECTED or not word.isalpha():
        return ()
    return tuple(dict.fromkeys((*_longer(word), *_shorter(word), *_swapped(word))))


_INFLECTIONS = BoundedCache(_inflections, _INFLECTED_REMEMBERED)


@cache
def _endings() -> tuple[str, ...]:
    return merge(lambda language: language.inflection.endings)


@cache
def _swaps() -> tuple[tuple[str, str], ...]:
    """Endings with what they turn into: pizza, pizze; museo, musei; bakery, bakeries."""
    pairs = (swap.split(">") for swap in merge(lambda language: language.inflection.swaps))
    return tuple((old, new) for old, new in pairs)


def _longer(word: str) -> Iterator[str]:
    for ending in _endings():
        yield f"{word}{ending}"


def _shorter(word: str) -> Iterator[str]:
    for ending in _endings():
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_INFLECTED - 1:
            yield word.removesuffix(ending)


def _swapped(word: str) -> Iterator[str]:
    for old, new in _swaps():
        if word.endswith(old):
            yield f"{word.removesuffix(old)}{new}"


RESOLUTIONS = (0, 2, 4, 6, 8)  # edges of 1281, 183, 26, 3.7 and 0.5 km
_EDGE_KM = {r: h3.average_hexagon_edge_length(r, unit="km") for r in RESOLUTIONS}
_MOST_EDGES = 6.0  # a radius of more edges than this takes the next larger cells
_ODD_SIZES = 1.35  # the largest cells of a size over the average: hexagons do not tile a globe


def cells_of(points: Iterable[Point]) -> set[int]:
    """The cells of all sizes that hold one of the points."""
    return {
        h3.latlng_to_cell(point.latitude, point.longitude, resolution)
        for point in points
        for resolution in RESOLUTIONS
    }


def cover(center: Point, radius_km: float) -> list[int]:
    """Cells of one size that together cover a circle; empty when it is most of the globe."""
    fits = [r for r in RESOLUTIONS if radius_km <= _MOST_EDGES * _EDGE_KM[r]]
    if not fits:
        return []
    resolution = fits[-1]
    reach_km = radius_km + _ODD_SIZES * _EDGE_KM[resolution]
    middle = h3.latlng_to_cell(center.latitude, center.longitude, resolution)
    rings = ceil(reach_km / (1.5 * _EDGE_KM[resolution] / sqrt(_ODD_SIZES))) + 1
    return [
        cell
        for cell in h3.grid_disk(middle, rings)
        if distance_km(center, Point(*h3.cell_to_latlng(cell))) <= reach_km
    ]


_NUMBER = re.compile(r"(\d+)\s*([a-z]?)(?![a-z])")


def street_key(street: str) -> str:
    """The key of a street, however it is abbreviated.

    >>> street_key("Leopoldstraße") == street_key("Leopoldstr."), street_key("")
    (True, '')
    """
    folded = fold_street(street)
    return f"street {folded}" if folded else ""


def house_key(street: str, number: str) -> str:
    """The key of a house; "" without a street or number.

    >>> house_key("Leopoldstr.", "50 a"), house_key("Leopoldstr.", "50A-52")
    ('house leopoldst 50a', 'house leopoldst 50a')
    """
    folded, found = fold_street(street), _NUMBER.search(number.lower())
    return f"house {folded} {found[1]}{found[2]}" if folded and found else ""


def landmark_key(name: str) -> str:
    folded = fold(name)
    return f"landmark {folded}" if folded else ""


def mark_of(key: str) -> int:
    """The number that stands for a key."""
    digest = blake2b(key.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
