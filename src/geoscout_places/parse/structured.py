"""Structured data of a page to `Item`s.

Most pages have none. lexbor tells with one query, in 30 µs, whether any element has to do with it,
so that the dialects are read and JSON is loaded only where there is something to find. `extruct`,
which reads every dialect of every page, takes 2 to 140 ms.

Microdata, RDFa Lite and microformats write items into the attributes of elements: an element begins
an item, elements inside it are properties, and a property may be an item again. Only the words
differ; a `Dialect` knows them. JSON-LD (`json_ld`) and links to maps (`map_links`) are read apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from geoscout_places.model import Item
from geoscout_places.parse.elements import NUMBERS, TEXT, ElementAttributes
from geoscout_places.parse.json_ld import SCRIPTS, local_name, read_json_ld
from geoscout_places.parse.map_links import map_pictures, read_maps

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
    seen = seen or SeenMarkup(_kinds(tree))
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


def _kinds(tree: LexborHTMLParser) -> int:
    return _ALL if tree.css_first(_ANY) is not None else _PICTURES | _MAPS
