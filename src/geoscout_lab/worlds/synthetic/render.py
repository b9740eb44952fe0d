"""From a page's number to its HTML, with its text, and to the links in it without the HTML."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from geoscout_lab.worlds.synthetic import layouts
from geoscout_lab.worlds.synthetic.hosts import City
from geoscout_lab.worlds.synthetic.layouts import Frame, Layout, Statements, foot_text, layout_of
from geoscout_lab.worlds.synthetic.pages import LISTING_ROLES, Role
from geoscout_lab.worlds.synthetic.profile import Chance, WebLanguage
from geoscout_lab.worlds.synthetic.register import Entity, Register
from geoscout_lab.worlds.synthetic.sites import SyntheticSite
from geoscout_lab.worlds.synthetic.sketch import LinkSketch, Sketch, Sketcher, Zone
from geoscout_places.model import Link

_TEXT, _PLACES, _STYLE = 29, 31, 37  # purposes of chance
_EXACT_COPY = 3  # one copy in three is the same to the letter
_WITHOUT_CANONICAL = 2  # one copy in two does not name its original
_RULES = (
    "body{margin:0;font:16px/1.5 sans-serif;color:#222}",
    ".menu li{display:inline-block;padding:4px 10px}",
    "h1{font-size:1.8em;margin:.6em 0}",
    "a{color:#0645ad;text-decoration:none}",
    "#content,main{max-width:60em;padding:1em}",
    ".box,.related{background:#f4f4f0;border:1px solid #ddd}",
    "table{border-collapse:collapse}td{vertical-align:top}",
    "footer,#footer,.footer{font-size:.85em;color:#666}",
    "@media print{nav,aside,#navigation{display:none}}",
)
_SCRIPTS = (
    "window.dataLayer=window.dataLayer||[];function track(n){dataLayer.push({event:n});}",
    "document.documentElement.className='js';",
    "function toggleMenu(){var m=document.querySelector('.menu');m.classList.toggle('open');}",
    "var _paq=[];_paq.push(['trackPageView']);_paq.push(['enableLinkTracking']);",
)


class Renderer:
    """Writes the pages of a web."""

    def __init__(self, register: Register, sketcher: Sketcher) -> None:
        self._register = register
        self._sketcher = sketcher

    def html(self, page: int) -> bytes:
        """The bytes a server would send."""
        register = self._register
        site = register.site(page)
        role = register.roles[page]
        words = _Words(register, page)
        foot = "".join(words.foot())
        main = self._missing(site) if role in _MISSING else words.main()
        sketches = () if role == Role.DEAD else tuple(self._sketcher.draw(page))
        body = self._body(page, sketches, main, foot)
        text = f'<!DOCTYPE html>\n<html lang="{site.language.code}">{words.head()}{body}</html>\n'
        return text.encode("iso-8859-1" if site.is_old else "utf-8", "xmlcharrefreplace")

    def _missing(self, site: SyntheticSite) -> str:
        labels = site.language.labels["missing"]
        return f"<h1>{labels[0]}</h1><p>{labels[-1]}.</p>"

    def _body(self, page: int, sketches: Sequence[Sketch], main: str, foot: str) -> str:
        site = self._register.site(page)
        layout = layout_of(site)
        origin = self._origin(page, site)
        zones = {zone: list(group) for zone, group in groupby(sketches, key=lambda s: s.zone)}
        parts = {zone: self._zone(zones.get(zone, []), layout, origin, zone) for zone in Zone}
        more = escape(site.language.labels["more"][site.habit % 3])
        foot_links = parts[Zone.FOOT] + escape(foot_text(site, linked=Zone.FOOT in zones))
        lists = "".join(
            f"<ul>{parts[zone]}</ul>" for zone in (Zone.ENTRY, Zone.LIST) if zone in zones
        )
        return (
            layout.top.format(name=escape(site.name))
            + parts[Zone.MENU]
            + layout.before_main
            + main
            + parts[Zone.TEXT]
            + lists
            + layout.before_side.format(more=more)
            + parts[Zone.SIDE]
            + layout.before_foot
            + f"{foot}<p>{foot_links}</p>"
            + layout.end
        )

    def _origin(self, page: int, site: SyntheticSite) -> str:
        """What in-site links leave out; "" on a copy under the site's other name."""
        return site.origin if self._register.url(page).startswith(f"{site.origin}/") else ""

    def _zone(self, sketches: Iterable[Sketch], layout: Layout, origin: str, zone: Zone) -> str:
        frame = layout.frames[zone]
        before, after = frame.item
        blocks = [
            f"{before}{escape(sketch.before, quote=False)}"
            f"{self._link(sketch.anchor, origin)}{escape(sketch.after, quote=False)}{after}"
            for sketch in sketches
        ]
        return ("<br>" if frame.between == "\n" else escape(frame.between)).join(blocks)

    def _link(self, anchor: LinkSketch, origin: str) -> str:
        url = self._register.url(anchor.target)
        inside = origin and url.startswith(f"{origin}/")
        reference = escape(url[len(origin) :] if inside else url)
        title = f' title="{escape(anchor.title)}"' if anchor.title else ""
        relation = f' rel="{anchor.relation}"' if anchor.relation else ""
        if anchor.text:
            shown = escape(anchor.text, quote=False)
        else:
            image = f"/images/{anchor.target % 97}.jpg"
            shown = f'<img src="{image}" width="88" alt="{escape(anchor.alternative)}">'
        return f'<a href="{reference}"{title}{relation}>{shown}</a>'


_MISSING = (Role.DEAD, Role.SOFT_ERROR)


class _Words:
    __slots__ = ("_chance", "_entities", "_page", "_register", "_site", "_statements")

    def __init__(self, register: Register, page: int) -> None:
        self._register = register
        self._page = page
        self._site = register.site(page)
        self._chance = register.chance(page, _TEXT)
        self._entities = register.entities(page)
        self._statements = self._state()

    def _state(self) -> Statements | None:
        if not self._entities:
            return None
        chance = self._register.chance(self._page, _PLACES)
        return layouts.choose_statements(
            self._register.profile, self._entities[0], self._other_city(chance), chance
        )

    def _other_city(self, chance: Chance) -> City:
        return chance.pick(self._register.structure.cities)

    @property
    def _in_footer(self) -> bool:
        host = self._register.hosts[self._page]
        return bool(self._register.structure.hosts.footer_address[host])

    def head(self) -> str:
        """The head of the page, with what it states for machines."""
        register, site, page = self._register, self._site, self._page
        charset = "iso-8859-1" if site.is_old else "utf-8"
        title = escape(register.title(page), quote=False)
        name = escape(site.name, quote=False)
        style = Chance(site.habit, _STYLE)
        rules = "\n".join(style.pick(_RULES) for _ in range(style.between(2, 6)))
        scripts = "\n".join(style.pick(_SCRIPTS) for _ in range(style.between(1, 3)))
        pool = site.language.pool(register.topic(page))
        description = escape(self._chance.pick(pool))
        return (
            f'<head><meta charset="{charset}"><title>{title} - {name}</title>'
            f'<meta name="description" content="{description}">'
            f"{self._canonical()}{self._stated()}"
            f"<style>{rules}</style><script>{scripts}</script></head>"
        )

    def _canonical(self) -> str:
        register, page = self._register, self._page
        if register.roles[page] != Role.DUPLICATE or page % _WITHOUT_CANONICAL == 0:
            return ""
        original = escape(register.url(register.originals[page]))
        return f'<link rel="canonical" href="{original}">'

    def _stated(self) -> str:
        said = self._statements
        if said is None:
            return ""
        linked = layouts.json_ld(self._entities[0], said.city) if said.json_ld else ""
        return linked + (layouts.geo_meta(said.city) if said.geo_meta else "")

    def main(self) -> str:
        """Heading, text and addresses."""
        register, site, page = self._register, self._site, self._page
        city = register.city(page)
        chance = self._chance
        topic = register.topic(page)
        other = InPassing(self._other_city(chance), register.profile.city_in_passing)
        texts = paragraphs(site, topic, city, other, chance)
        if self._entities:
            texts.insert(chance.below(len(texts) + 1), self._shown(self._entities))
        elif city is not None:
            texts.append(half_an_address(site.language, city, chance))
        if (false := register.false_entity(page)) is not None:
            texts.append(addresses([false], site.language, chance))
        if register.roles[page] == Role.DUPLICATE and page % _EXACT_COPY:
            # Most copies are only nearly the same: no digest of the whole page tells them.
            texts.append(f"<p>{site.language.labels['print'][page % 2]}</p>")
        return f"<h1>{escape(register.title(page), quote=False)}</h1>{''.join(texts)}"

    def _shown(self, entities: list[Entity]) -> str:
        role = self._register.roles[self._register.originals[self._page]]
        if self._in_footer and role not in (Role.CONTACT, Role.IMPRINT, *LISTING_ROLES):
            return ""
        said = self._statements
        if said is not None and said.microformat and len(entities) == 1:
            return layouts.microformat(entities[0], said.city)
        return addresses(entities, self._site.language, self._chance)

    def foot(self) -> list[str]:
        """The address at the foot of sites that have it there."""
        if not self._in_footer or not self._entities:
            return []
        role = self._register.roles[self._register.originals[self._page]]
        return [] if role in LISTING_ROLES else [in_footer(self._entities[0])]


_WINDOW = 25  # tokens, as in the links of `geoscout_places.parse`


def links_of(
    sketches: Sequence[Sketch], layout: Layout, url: Callable[[int], str], foot: str
) -> list[Link]:
    """The links in the order of the page; `foot` is the text behind those at its foot."""
    links: list[Link] = []
    for zone, group in groupby(sketches, key=lambda sketch: sketch.zone):
        frame = layout.frames[zone]
        if frame.is_line:
            links += _links_in_line(list(group), frame, url, foot if zone is Zone.FOOT else "")
        else:
            links += [
                _link(sketch.anchor, frame, url, _last(sketch.before), _first(sketch.after))
                for sketch in group
            ]
    return links


def _links_in_line(
    sketches: Sequence[Sketch], frame: Frame, url: Callable[[int], str], end: str
) -> Iterator[Link]:
    """Links that share one block see each other's words."""
    texts = [sketch.anchor.text for sketch in sketches]
    for number, sketch in enumerate(sketches):
        before = "".join(text + frame.between for text in texts[:number])
        after = "".join(frame.between + text for text in texts[number + 1 :]) + end
        yield _link(sketch.anchor, frame, url, _last(before), _first(after))


def _last(text: str) -> str:
    return " ".join(text.split()[-_WINDOW:]) if text else ""


def _first(text: str) -> str:
    return " ".join(text.split(None, _WINDOW)[:_WINDOW]) if text else ""


def _link(
    anchor: LinkSketch, frame: Frame, url: Callable[[int], str], before: str, after: str
) -> Link:
    return Link(
        url=url(anchor.target),
        anchor=anchor.text,
        title=anchor.title,
        rel=(anchor.relation,) if anchor.relation else (),
        alt=anchor.alternative,
        before=before,
        after=after,
        tag_path=frame.path,
        part=frame.part,
    )


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
