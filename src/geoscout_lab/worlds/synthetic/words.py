"""The words of a language: labels, topics, sentences and names, from `data/words_*.toml`.

A topic has a pool of sentences that is made once. A page picks from it, which is ten times faster
than making each sentence, and reads the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from geoscout_lab.worlds.synthetic.profile import Chance, read_data

_POOL = 700  # sentences of a topic
_LANGUAGES = {"DE": "de", "AT": "de", "US": "en", "GB": "en", "FR": "fr"}
LOCAL_TOPICS = ("restaurant", "crafts", "doctor", "hotel", "shop")
ORGANISATION_TOPICS = ("sports", "school", "culture")
NATIONAL_TOPICS = ("news", "shop", "technology", "finance", "travel", "culture", "sports")

Phrases = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WebLanguage:
    """What pages of a language are written with."""

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
    """The language of a country's pages."""
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


_LETTERS = str.maketrans(
    "äöüßéèêëàâîïôûùçœñÄÖÜÉÈÀÂÇ",
    "aousee" + "eeaaiiouuc" + "onAOUEEAAC",
)
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
