"""Structured data of a page to `Item`s.

Most pages have none. lexbor tells with one query, in 30 µs, whether any element has to do with it,
so that the dialects are read and JSON is loaded only where there is something to find. `extruct`,
which reads every dialect of every page, takes 2 to 140 ms.

Microdata, RDFa Lite and microformats write items into the attributes of elements: an element begins
an item, elements inside it are properties, and a property may be an item again. Only the words
differ; a `Dialect` knows them. JSON-LD is read apart (`json_ld`).

Links to map services and `geo:` URIs (RFC 5870) name spots, too. Every service has its own way to
write one; each is one pattern below. An item has `latitude` and `longitude` as the link states
them, or the `query` that the service was to look for.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from urllib.parse import unquote_plus

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from geoscout_places.model import Item
from geoscout_places.parse.elements import NUMBERS, TEXT, ElementAttributes
from geoscout_places.parse.json_ld import SCRIPTS, local_name, read_json_ld

_MOST_ROOTS = 200
_MOST_NODES = 20_000  # of a page, over all its items
_DEEPEST = 10
_LONGEST_VALUE = 1000  # characters
_MOST_VALUE_NODES = 200  # looked at for one value
_LINE_BREAKING = frozenset(NUMBERS[name] for name in ("br", "p", "div", "li", "tr"))
_UNREAD = frozenset((NUMBERS["script"], NUMBERS["style"]))


class Statement(Struct, frozen=True):
    """What an element says: which properties it is, and of what types an item begins there."""

    properties: tuple[str, ...] = ()
    types: tuple[str, ...] | None = None  # None when no item begins


class Dialect(Struct, frozen=True):
    """The words of one way of writing items."""

    source: str
    roots: str  # CSS selector of the elements where an item may begin
    state: Callable[[ElementAttributes], Statement]
    value: Callable[[LexborNode, ElementAttributes], str]
    bare: bool = False  # an item without properties has its text for a value


def read_items(
    tree: LexborHTMLParser, dialect: Dialect, marked: frozenset[int] | None = None
) -> list[Item]:
    """The items of the page that are not properties of others.

    `marked`: the elements that have attributes of the dialect, by their ids; None: any may.
    """
    reader = _Reader(dialect, marked)
    for node in tree.css(dialect.roots)[:_MOST_ROOTS]:
        if node.mem_id not in reader.read:
            reader.add_item(node)
    return reader.items


class _Reader:
    """Reads the items of one page in one dialect."""

    def __init__(self, dialect: Dialect, marked: frozenset[int] | None) -> None:
        self._dialect = dialect
        self._marked = marked
        self._nodes_left = _MOST_NODES
        self.items: list[Item] = []
        self.read: set[int] = set()  # the elements whose item has been read

    def add_item(self, node: LexborNode) -> None:
        """Read the item that begins at the element, if one does."""
        types = self._dialect.state(node.attributes).types
        if types is not None:
            item = self._item(node, types, 0)
            if item.properties:
                self.items.append(item)

    def _item(self, root: LexborNode, types: tuple[str, ...], depth: int) -> Item:
        self.read.add(root.mem_id)
        properties: list[tuple[str, str | Item]] = []
        waiting = [root.first_child]
        while waiting and self._nodes_left > 0:
            node = waiting.pop()
            if node is None:
                continue
            waiting.append(node.next)
            if node.tag_id != TEXT and node.tag_id not in _UNREAD:
                self._nodes_left -= 1
                if self._read_element(node, properties, depth):
                    waiting.append(node.first_child)
        if not properties and self._dialect.bare:
            properties.append(("value", self._dialect.value(root, root.attributes)))
        return Item(self._dialect.source, types, tuple(properties))

    def _read_element(
        self, node: LexborNode, properties: list[tuple[str, str | Item]], depth: int
    ) -> bool:
        """Add what the element states; False when what is inside belongs to another item."""
        if self._marked is not None and node.mem_id not in self._marked:
            return True
        attributes = node.attributes
        if not attributes:
            return True
        statement = self._dialect.state(attributes)
        value: str | Item
        if statement.types is not None:
            if not statement.properties or depth >= _DEEPEST:
                return False
            value = self._item(node, statement.types, depth + 1)
        elif statement.properties:
            value = self._dialect.value(node, attributes)
        else:
            return True
        if value:
            properties.extend((name, value) for name in statement.properties)
        return statement.types is None


def lines_of(node: LexborNode) -> str:
    """The text of an element, its lines collapsed and kept apart by newlines."""
    pieces: list[str] = []
    length = 0
    for inner in islice(node.traverse(include_text=True), _MOST_VALUE_NODES):
        number = inner.tag_id
        if number == TEXT:
            piece = " ".join((inner.text_content or "")[:_LONGEST_VALUE].split())
            pieces.append(f" {piece} ")
            length += len(piece)
            if length > _LONGEST_VALUE:
                break
        elif number in _LINE_BREAKING:
            pieces.append("\n")
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return "\n".join(line for line in lines if line)[:_LONGEST_VALUE]


# Microdata (HTML standard, section 5): `itemscope`, `itemtype`, `itemprop`; `itemref` is not
# followed, because it is rare and hardly ever used for addresses. RDFa Lite: `typeof` and
# `property`, with `vocab` and prefixes taken off the names. Microformats of places: hCard, adr and
# geo, in the old spelling and in that of microformats2.

# The attribute that holds the value where it is not the text.
_VALUE_ATTRIBUTES = ("content", "href", "src", "datetime", "value", "data")
_CARD_TYPES = {"vcard": "h-card", "h-card": "h-card", "adr": "h-adr", "h-adr": "h-adr",
               "geo": "h-geo", "h-geo": "h-geo"}  # fmt: skip
_CARD_PROPERTIES = frozenset(
    ("adr", "country-name", "extended-address", "fn", "geo", "label", "latitude", "locality",
     "longitude", "name", "org", "post-office-box", "postal-code", "region", "street-address",
     "tel", "url")
)  # fmt: skip


def _local_names(text: str | None) -> tuple[str, ...]:
    return tuple(map(local_name, (text or "").split()))


def _state_microdata(attributes: ElementAttributes) -> Statement:
    types = _local_names(attributes.get("itemtype")) if "itemscope" in attributes else None
    return Statement(_local_names(attributes.get("itemprop")), types)


def _state_rdfa(attributes: ElementAttributes) -> Statement:
    kinds = attributes.get("typeof")
    types = None if kinds is None else _local_names(kinds)
    return Statement(_local_names(attributes.get("property")), types)


def _value_of(node: LexborNode, attributes: ElementAttributes) -> str:
    """The value of a property that is not an item."""
    for name in _VALUE_ATTRIBUTES:
        value = attributes.get(name)
        if value and value.strip():
            return value.strip()[:1000]
    return lines_of(node)


def _state_card(attributes: ElementAttributes) -> Statement:
    classes = (attributes.get("class") or "").split()
    types = tuple(dict.fromkeys(_CARD_TYPES[name] for name in classes if name in _CARD_TYPES))
    properties = tuple(dict.fromkeys(filter(None, map(_card_property, classes))))
    return Statement(properties, types or None)


def _card_property(name: str) -> str:
    prefix, dash, rest = name.partition("-")
    if dash and prefix in {"p", "u"} and rest in _CARD_PROPERTIES:
        return rest
    return name if name in _CARD_PROPERTIES else ""


def _card_value(node: LexborNode, attributes: ElementAttributes) -> str:
    for name in ("title", "value", "content") if node.tag in {"abbr", "data", "meta"} else ():
        if attributes.get(name):
            return (attributes[name] or "").strip()[:1000]
    part = node.css_first(".value, .value-title")
    if part is not None and part.mem_id != node.mem_id:
        return part.attributes.get("title") or lines_of(part)
    return lines_of(node)


MICRODATA = Dialect("microdata", "[itemscope]", _state_microdata, _value_of)
RDFA = Dialect("rdfa", "[typeof]", _state_rdfa, _value_of)
MICROFORMATS = Dialect(
    "microformat",
    ".vcard, .h-card, .adr, .h-adr, .geo, .h-geo",
    _state_card,
    _card_value,
    bare=True,
)


# Places in meta elements: GeoTags, ICBM, and the location names of Open Graph.
_META_NAMES = frozenset(
    ("geo.position", "geo.region", "geo.placename", "geo.country", "icbm", "geo.lat", "geo.long",
     "city", "state", "zipcode", "country", "dc.coverage.spatial", "dcterms.spatial")
)  # fmt: skip
_META_PREFIXES = ("place:location:", "business:contact_data:", "og:latitude", "og:longitude",
             "og:street", "og:locality", "og:region", "og:postal", "og:country")  # fmt: skip


def read_meta(names: Sequence[tuple[str, str]]) -> list[Item]:
    """One item with all that the meta elements say of a place; none when they say nothing."""
    said = tuple(
        (name, content)
        for name, content in names
        if content and (name in _META_NAMES or name.startswith(_META_PREFIXES))
    )
    return [Item("meta", (), said)] if said else []


MOST_ITEMS = 1000
# The kinds there are, as the bits by which the compiled walk tells them (`_native/c/walk.h`).
_JSON, _PICTURES, _MAPS, _ALL = 1, 16, 32, 63
_CARDS = 8
_DIALECTS = ((MICRODATA, 2), (RDFA, 4), (MICROFORMATS, _CARDS))
_ANY = ", ".join((SCRIPTS, *(dialect.roots for dialect, _ in _DIALECTS)))


class SeenMarkup(Struct, frozen=True, gc=False):
    """What a walk has seen of structured data."""

    kinds: int  # that there may be, as the bits of `walk.h`
    marked: frozenset[int] | None = None  # elements that microdata and RDFa name; None: any


def items_of(
    tree: LexborHTMLParser,
    names: Sequence[tuple[str, str]],
    references: Sequence[str],
    seen: SeenMarkup | None = None,
) -> list[Item]:
    """Every item of the page, dialect by dialect, each in the order of the page.

    Args:
        tree: the page.
        names: the meta names and contents.
        references: where its links and frames lead.
        seen: by a walk; None: it is looked for.
    """
    items: list[Item] = []
    seen = seen or SeenMarkup(_ALL if tree.css_first(_ANY) is not None else _PICTURES | _MAPS)
    kinds = seen.kinds
    if kinds & _JSON:
        items += read_json_ld(tree)
    for dialect, bit in _DIALECTS:
        if kinds & bit:
            items += read_items(tree, dialect, None if bit == _CARDS else seen.marked)
    items += read_meta(names)
    if kinds & (_PICTURES | _MAPS):
        items += read_maps([*references, *(map_pictures(tree) if kinds & _PICTURES else ())])
    return items[:MOST_ITEMS]


_LATITUDE = r"(?P<latitude>-?\d{1,3}(?:\.\d+)?)"
_LONGITUDE = r"(?P<longitude>-?\d{1,3}(?:\.\d+)?)"
_PAIR = rf"{_LATITUDE}(?:,|%2C|%20|\+|;|~|\s)+{_LONGITUDE}"
# What the reference to a map has somewhere, and few others have.
_HINTS = ("geo:", "maps", "openstreetmap", "osm.org", "waze.com", "here.com")
_GEO_URI = re.compile(rf"geo:{_LATITUDE},{_LONGITUDE}", re.IGNORECASE)


class _Service(Struct, frozen=True):
    """A map service: what its addresses look like and how they write a spot."""

    name: str
    address: re.Pattern[str]
    spots: tuple[re.Pattern[str], ...]  # in the order of trust


def _service(name: str, address: str, *spots: str) -> _Service:
    return _Service(
        name, re.compile(rf"(?:https?:)?//(?:{address})"), tuple(map(re.compile, spots))
    )


# What a pin marks is trusted more than what the map is centred on.
_SERVICES = (
    _service(
        "google",
        r"(?:www\.|maps\.)?google(?:apis)?\.[a-z.]{2,6}/(?:maps|local|\?)|maps\.google\.[a-z.]{2,6}/",
        rf"!3d{_LATITUDE}!4d{_LONGITUDE}",
        rf"!2d{_LONGITUDE}!3d{_LATITUDE}",
        rf"[?&](?:q|query|destination|daddr|ll|sll|center|cbll)=(?:loc:)?{_PAIR}(?:[&#(+]|$)",
        rf"[?&]markers=(?:[^&]*(?:\||%7C))?{_PAIR}(?:[&#|]|%7C|$)",
        rf"/(?:place|dir|search)/(?:[^/]*/)?{_LATITUDE},\+?{_LONGITUDE}(?:[/?]|$)",
        rf"/@{_LATITUDE},{_LONGITUDE},",
    ),
    _service(
        "openstreetmap",
        r"(?:www\.)?(?:openstreetmap\.(?:org|de)|osm\.org)/",
        rf"[?&]mlat={_LATITUDE}&mlon={_LONGITUDE}",
        rf"[?&]lat={_LATITUDE}&lon={_LONGITUDE}",
        rf"[?&]marker={_PAIR}",
        rf"#map=\d+(?:\.\d+)?/{_LATITUDE}/{_LONGITUDE}",
    ),
    _service(
        "bing",
        r"(?:www\.)?bing\.com/maps|maps\.bing\.com",
        rf"[?&](?:sp|rtp)=[^&]*(?:point|pos)\.{_LATITUDE}_{_LONGITUDE}",
        rf"[?&](?:cp|where1|ss)={_PAIR}",
    ),
    _service(
        "apple", r"maps\.apple\.com", rf"[?&](?:ll|sll|coordinate|daddr|q|near)={_PAIR}(?:[&#]|$)"
    ),
    _service(
        "waze",
        r"(?:www\.|ul\.|embed\.)?waze\.com/",
        rf"[?&](?:ll|latlng)={_PAIR}",
        rf"[?&]to=ll\.{_PAIR}",
        rf"[?&]lat={_LATITUDE}&lon={_LONGITUDE}",
    ),
    _service(
        "here",
        r"(?:www\.|share\.|wego\.)?here\.com/",
        rf"[?&]map={_PAIR}",
        rf"/[lr]/(?:[^/]*/)?{_LATITUDE},{_LONGITUDE}",
    ),
)
_QUERY = re.compile(r"[?&](?:q|query|daddr|destination|address|where1|saddr)=([^&#]+)")
_PLACE_PATH = re.compile(r"/maps/(?:place|search|dir/[^/]*)/([^/@?]+)")
_LONGEST = 4000  # characters
_LONGEST_QUERY = 200
_MOST = 100


def read_maps(references: Sequence[str]) -> list[Item]:
    """The items of the references that name a spot or an address, each once."""
    found: dict[Item, None] = {}
    together = "\n".join(references).lower()
    if not any(hint in together for hint in _HINTS):
        return []
    for reference in references:
        if len(reference) <= _LONGEST and len(found) < _MOST:
            item = read_reference(reference)
            if item is not None:
                found.setdefault(item)
    return list(found)


def map_pictures(tree: LexborHTMLParser) -> list[str]:
    """Where the pictures of maps come from: their addresses hold the spot, too."""
    return [node.attributes.get("src") or "" for node in tree.css("img[src*=staticmap]")]


def read_reference(reference: str) -> Item | None:
    """The item of one reference; None when it leads to no map.

    >>> read_reference("geo:48.137,11.575;u=35").properties
    (('latitude', '48.137'), ('longitude', '11.575'))
    """
    reference = reference.strip()
    uri = _GEO_URI.match(reference)
    if uri:
        return Item("geo-uri", (), _spot(uri))
    for service in _SERVICES:
        if service.address.match(reference):
            properties = tuple(_properties(reference, service))
            return Item("map-link", (service.name,), properties) if properties else None
    return None


def _properties(reference: str, service: _Service) -> Iterator[tuple[str, str | Item]]:
    found = next(filter(None, (spot.search(reference) for spot in service.spots)), None)
    if found:
        yield from _spot(found)
    query = _QUERY.search(reference) or _PLACE_PATH.search(reference)
    if query:
        text = " ".join(unquote_plus(query[1]).split())
        if any(map(str.isalpha, text)) and len(text) <= _LONGEST_QUERY:
            yield "query", text


def _spot(found: re.Match[str]) -> tuple[tuple[str, str | Item], ...]:
    return ("latitude", found["latitude"]), ("longitude", found["longitude"])
