"""Items written into the attributes of elements: what microdata, RDFa and microformats share.

An element begins an item, elements inside it are properties, and a property may be an item again.
Only the words differ; a `Dialect` knows them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from geoscout_places.model import Item
from geoscout_places.parse.elements import NUMBERS, TEXT, ElementAttributes

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


def local_name(name: str) -> str:
    """The name itself.

    >>> local_name("http://schema.org/PostalAddress"), local_name("v:street-address")
    ('PostalAddress', 'street-address')
    """
    return name.rstrip("/#").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]
