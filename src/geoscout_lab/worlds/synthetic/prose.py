"""The main text of a page: paragraphs of its topic, sentences about places, addresses."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from geoscout_lab.worlds.synthetic.hosts import City
from geoscout_lab.worlds.synthetic.profile import Chance, WebLanguage
from geoscout_lab.worlds.synthetic.register import Entity
from geoscout_lab.worlds.synthetic.sites import SyntheticSite

_FEWEST_SENTENCES, _MOST_SENTENCES = 6, 30
_OWN_CITY = 0.5  # pages about a city that say so in a sentence
_INTRODUCTION = 0.5  # of these, what the business is
_PHONE_ONLY = 0.10  # local pages with phone and postcode but no street


class InPassing(NamedTuple):
    """A city that a page is not about, and the share of pages that mention theirs."""

    city: City
    share: float


def paragraphs(
    site: SyntheticSite, topic: str, city: City | None, other: InPassing, chance: Chance
) -> list[str]:
    """The text in HTML."""
    language = site.language
    pool = language.pool(topic)
    sentences = [chance.pick(pool) for _ in range(_sentence_count(chance))]
    if city is not None and chance.hits(_OWN_CITY):
        introduces = site.kind and chance.hits(_INTRODUCTION)
        said = chance.pick(language.sentences["intro" if introduces else "city"])
        said = said.format(city=city.name, name=site.name, kind=site.kind)
        sentences.insert(chance.below(3), said)
    if chance.hits(other.share):
        said = chance.pick(language.sentences["elsewhere"]).format(city=other.city.name)
        sentences.insert(chance.below(len(sentences)), said)
    texts = []
    while sentences:
        count = chance.between(2, 6)
        texts.append(f"<p>{escape(' '.join(sentences[:count]), quote=False)}</p>")
        del sentences[:count]
    return texts


def _sentence_count(chance: Chance) -> int:
    """Short pages are commoner than long ones."""
    span = _MOST_SENTENCES - _FEWEST_SENTENCES + 1
    return _FEWEST_SENTENCES + min(chance.below(span), chance.below(span))


def half_an_address(language: WebLanguage, city: City, chance: Chance) -> str:
    """On some pages phone and postcode without a street: a clue, but no address."""
    if not chance.hits(_PHONE_ONLY):
        return ""
    code = chance.pick(city.postcodes).code
    hours = chance.pick(language.labels["hours"])
    return f"<p>{hours}. {language.labels['postcode'][0]}: {code}</p>"


def addresses(entities: Sequence[Entity], language: WebLanguage, chance: Chance) -> str:
    """The addresses in one of the ways pages write them: lines, table, list, sentence."""
    kind = chance.below(5)
    if len(entities) > 1 or kind == 0:
        rows = [_row(entity, chance) for entity in entities]
        return "".join(rows) if kind % 2 else _table(entities)
    return _ONE[kind](entities[0], language)


def _row(entity: Entity, chance: Chance) -> str:
    name = escape(entity.name, quote=False)
    comma = ", " if chance.hits(0.5) else "<br>"
    return f"<p><b>{name}</b><br>{_street(entity)}{comma}{_town(entity)}</p>"


def _table(entities: Sequence[Entity]) -> str:
    rows = [
        f"<tr><td>{escape(entity.name, quote=False)}</td><td>{_street(entity)}</td>"
        f"<td>{_town(entity)}</td><td>{entity.phone}</td></tr>"
        for entity in entities
    ]
    return f"<table>{''.join(rows)}</table>"


def _lines(entity: Entity, language: WebLanguage) -> str:
    phone = language.labels["phone"][entity.key % 3]
    return (
        f"<p>{escape(entity.name, quote=False)}<br>{_street(entity)}<br>{_town(entity)}</p>"
        f"<p>{phone} {entity.phone}</p>"
    )


def _element(entity: Entity, _language: WebLanguage) -> str:
    return (
        f"<address>{escape(entity.name, quote=False)}<br>{_street(entity)}<br>"
        f"{_town(entity)}</address>"
    )


def _list(entity: Entity, language: WebLanguage) -> str:
    phone = language.labels["phone"][entity.key % 3]
    return (
        f"<ul><li>{escape(entity.name, quote=False)}</li><li>{_street(entity)}</li>"
        f"<li>{_town(entity)}</li><li>{phone} {entity.phone}</li></ul>"
    )


def _sentence(entity: Entity, _language: WebLanguage) -> str:
    return f"<p>{escape(entity.name, quote=False)}, {_street(entity)}, {_town(entity)}</p>"


_ONE = (_lines, _lines, _element, _list, _sentence)


def in_footer(entity: Entity) -> str:
    """The address as it is written in the footer of every page of some sites."""
    mark = (", ", " · ", " | ")[entity.key % 3]
    return f"<p>{escape(entity.name, quote=False)}{mark}{_street(entity)}{mark}{_town(entity)}</p>"


def _street(entity: Entity) -> str:
    """The street in the spelling that this entity's pages have."""
    line = entity.street_line
    if entity.key % 4 == 0:
        for long, short in _SHORT_FORMS:
            line = line.replace(long, short)
    return escape(line, quote=False)


def _town(entity: Entity) -> str:
    line = entity.town_line
    if entity.key % 7 == 0 and entity.city.country in _PREFIXES:
        line = f"{_PREFIXES[entity.city.country]}-{line}"
    return escape(line, quote=False)


_SHORT_FORMS = (
    ("straße", "str."), ("Straße", "Str."), (" Street", " St."), (" Avenue", " Ave"),
    (" Road", " Rd"), ("avenue ", "av. "), ("boulevard ", "bd "),
)  # fmt: skip
_PREFIXES = {"DE": "D", "AT": "A", "FR": "F"}
