"""What a synthetic web is made from: the numbers of `data/profiles.toml`, words, and chance.

Numbers and words are data, not code, so that an experiment can be described by the name of its
profile and what it changes. A topic has a pool of sentences that is made once: a page picks from
it, which is ten times faster than making each sentence, and reads the same.

A page is rendered alone and in any order, so its chances must not depend on what was drawn before:
there is one stream for every page and purpose. Seeding numpy or `random` for each takes longer than
the page; a linear congruential generator over a mixed 64-bit state is plenty for texts.
"""

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from geoscout_places.errors import UsageError
from geoscout_places.plugins import split_spec


@dataclass(frozen=True, slots=True)
class Profile:
    """How a synthetic web is made; `data/profiles.toml` says what each number means."""

    name: str
    pages: int
    cities: tuple[str, ...]
    city: str
    city_exponent: float
    host_mix: tuple[float, ...]
    sizes: tuple[tuple[float, float, float], ...]
    attraction: tuple[float, ...]
    sections: int
    contact_everywhere: float
    sibling_links: float
    external_content: float
    external_none: float
    external_home: float
    external_listing: float
    same_city: float
    near_city: float
    near_city_listing: float
    any_local: float
    directory_cities: int
    directory_links: float
    directory_same_city: float
    directory_partners: float
    land_on_home: float
    has_contact: float
    has_imprint: float
    address_contact_local: float
    address_contact_national: float
    address_imprint: float
    address_home_local: float
    address_footer: float
    address_listing: float
    address_locator: float
    address_directory: float
    address_content_local: float
    address_content_national: float
    address_elsewhere: float
    false_addresses: float
    footer_hosts: float
    city_in_host_local: float
    city_in_host_portal: float
    city_in_title_local: float
    city_in_title_listing: float
    city_in_title_locator: float
    city_in_title_national: float
    city_in_passing: float
    role_in_path: float
    topic_in_path: float
    city_in_path: float
    generic_anchors: float
    image_anchors: float
    wrong_anchors: float
    contact_words_astray: float
    mixed_topics: bool
    server_right: float
    server_unknown: float
    server_unknown_national: float
    whois_wrong: float
    duplicates: float
    redirects: float
    dead: float
    soft_errors: float
    timeouts: float
    blocked: float
    geo_meta: float
    microformats: float
    json_ld: float
    wrong_markup: float
    old_charset: float
    old_templates: float
    secure: float
    seeds: int
    seeds_elsewhere: float
    popular_seeds: bool
    directory_seeds: bool


def read_data(name: str) -> dict[str, Any]:
    """One of the tables in the folder `data`."""
    return tomllib.loads(
        (files("geoscout_lab.worlds.synthetic") / "data" / name).read_text("utf-8")
    )


@cache
def _tables() -> Mapping[str, Any]:
    return read_data("profiles.toml")


def profile_names() -> tuple[str, ...]:
    return tuple(_tables()["profiles"])


def load_profile(spec: str) -> Profile:
    """The profile of that name, with some numbers changed: `gao2006:same_city=0.2:sizes.5.1=9`."""
    name, changes = split_spec(spec)
    if name not in profile_names():
        raise UsageError(f"no profile is called {name!r}; there are: {', '.join(profile_names())}")
    values = deepcopy(_values(name))
    for key, text in changes.items():
        *path, last = map(_position, key.split("."))
        inner: Any = values
        changed = _number(key, text, numbers_of(name))
        for step in path:
            inner = inner[step]
        inner[last] = changed
    frozen = {key: _frozen(value) for key, value in values.items()}
    return Profile(**{**frozen, "name": spec})


def numbers_of(name: str) -> dict[str, float]:
    """The numbers of a profile; those of lists by their positions: `sizes.4.1`."""
    return dict(_flat(_values(name)))


def _values(name: str) -> dict[str, Any]:
    return {**_tables()["common"], **_tables()["profiles"][name]}


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    for key, value in values.items():
        if isinstance(value, list):
            yield from _flat({str(n): one for n, one in enumerate(value)}, f"{prefix}{key}.")
        elif isinstance(value, int | float):
            yield f"{prefix}{key}", value


def _position(step: str) -> int | str:
    return int(step) if step.isdecimal() else step


def _number(key: str, text: str, numbers: Mapping[str, float]) -> float:
    """What a number is changed to."""
    if key not in numbers:
        known = ", ".join(sorted(numbers))
        raise UsageError(f"a profile has no number {key!r}; it has: {known}")
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise UsageError(f"{key} of a profile must be a number that is 0 or more, not {text!r}")
    if isinstance(numbers[key], bool):
        return bool(value)
    return round(value) if isinstance(numbers[key], int) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value


_MASK = (1 << 64) - 1
_Item = TypeVar("_Item")


def mix(first: int, second: int) -> int:
    """Two numbers as one of 64 bits (the finaliser of splitmix64)."""
    value = (first * 0x9E3779B97F4A7C15 + second + 0x632BE59BD9B4E019) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def share_of(first: int, second: int) -> float:
    """One number from 0 to below 1 that depends on both."""
    return (mix(first, second) >> 11) / (1 << 53)


class Chance:
    """A stream of chances that begins with two numbers."""

    __slots__ = ("_state",)

    def __init__(self, first: int, second: int) -> None:
        self._state = mix(first, second)

    def below(self, most: int) -> int:
        """A whole number from 0 to below `most`."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._state >> 33) % most

    def hits(self, share: float) -> bool:
        """True in that share of the cases."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._state >> 33) < share * 2147483648.0

    def pick(self, items: Sequence[_Item]) -> _Item:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return items[(self._state >> 33) % len(items)]

    def between(self, least: int, most: int) -> int:
        """A whole number from `least` to `most`."""
        return least + self.below(most - least + 1)


_POOL = 700  # sentences of a topic
_LANGUAGES = {"DE": "de", "AT": "de", "US": "en", "GB": "en", "FR": "fr"}
LOCAL_TOPICS = ("restaurant", "crafts", "doctor", "hotel", "shop")
ORGANISATION_TOPICS = ("sports", "school", "culture")
NATIONAL_TOPICS = ("news", "shop", "technology", "finance", "travel", "culture", "sports")

Phrases = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WebLanguage:
    code: str
    labels: Mapping[str, Phrases]
    sentences: Mapping[str, Phrases]
    topics: Mapping[str, Phrases]  # nouns
    trades: Mapping[str, Phrases]  # what businesses and clubs of a topic call themselves
    kinds: Mapping[str, Phrases]  # what those are: "Pizzeria" is a pizza restaurant
    names: Mapping[str, Phrases]
    streets: Mapping[str, Phrases]  # by country
    _pools: dict[str, Phrases] = field(default_factory=dict)

    def pool(self, topic: str) -> Phrases:
        """The sentences of a topic."""
        made = self._pools.get(topic)
        if made is None:
            made = self._pools[topic] = tuple(_make_pool(self, topic))
        return made


def _make_pool(language: WebLanguage, topic: str) -> list[str]:
    number = list(language.topics).index(topic)
    chance = Chance(number, len(language.code) + ord(language.code[0]))
    return [_sentence(language, topic, chance) for _ in range(_POOL)]


def _sentence(language: WebLanguage, topic: str, chance: Chance) -> str:
    words = language.sentences
    choices = {
        "n": language.topics[topic],
        "a": words["adjectives"],
        "v": words["verbs"],
        "x": words["extras"],
    }
    text = chance.pick(words["patterns"])
    for slot, phrases in choices.items():
        while (place := f"{{{slot}}}") in text:
            text = text.replace(place, chance.pick(phrases), 1)
    return text


def language_of(country: str) -> WebLanguage:
    return _load(_LANGUAGES[country])


@cache
def _load(code: str) -> WebLanguage:
    tables = read_data(f"words_{code}.toml")
    return WebLanguage(
        code=code,
        labels=_phrases(tables["labels"]),
        sentences=_phrases(tables["sentences"]),
        topics=_phrases(tables["topics"]),
        trades=_phrases(tables["trades"]),
        kinds=_phrases(tables["kinds"]),
        names=_phrases(tables["names"]),
        streets={country: tuple(t["lines"].split("|")) for country, t in tables["streets"].items()},
    )


def _phrases(table: Mapping[str, str]) -> dict[str, Phrases]:
    return {name: tuple(text.split("|")) for name, text in table.items()}


_LETTERS = str.maketrans("äöüßéèêëàâîïôûùçœñÄÖÜÉÈÀÂÇ", "aousee" + "eeaaiiouuc" + "onAOUEEAAC")
_GERMAN = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}


def slug(text: str) -> str:
    """A text as it is written in URLs: lower case, ASCII, hyphens.

    >>> slug("Dächer und Böden"), slug("Où nous trouver"), slug("Frankfurt (Oder)")
    ('daecher-und-boeden', 'ou-nous-trouver', 'frankfurt-oder')
    """
    for letter, spelt in _GERMAN.items():
        text = text.replace(letter, spelt)
    plain = text.translate(_LETTERS).lower()
    kept = "".join(c if c.isascii() and c.isalnum() else " " for c in plain)
    return "-".join(kept.split())
