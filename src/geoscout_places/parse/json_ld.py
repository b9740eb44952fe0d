"""JSON-LD: what sites write for search engines, read as forgivingly as search engines do.

No context is fetched and nothing expanded: names are kept without their vocabulary, references to
another node of the page are followed, and that is all the use pages make of it.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import orjson
from selectolax.lexbor import LexborHTMLParser

from geoscout_places.model import Item

SCRIPTS = 'script[type*="ld+json" i]'
_MOST_SCRIPTS = 50
_LARGEST_SCRIPT = 2_000_000  # characters
_MOST_NODES = 5000  # of a page
_DEEPEST = 12
_LONGEST_VALUE = 2000  # characters; prices and names are short, articles are in the text

_OPENING = re.compile(r"(?://|/\*)?\s*(?:<!--|<!\[CDATA\[)\s*(?:\*/)?")
# A string, which stays, or a comment or a comma before a closing bracket, which go. A string or a
# comment without an end goes to the end of the text: if it did not match, the search for its end
# would begin again at every later quote, and take the square of the time.
_EXCESS = re.compile(
    r'("(?:[^"\\]++|\\.)*+(?:"|\\?\Z))|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)'
    r"|,(?=\s*+[}\]])",
    re.DOTALL,
)


def read_json_ld(tree: LexborHTMLParser) -> list[Item]:
    """The items of all JSON-LD scripts, without those that are only parts of others."""
    documents = [
        document
        for script in tree.css(SCRIPTS)[:_MOST_SCRIPTS]
        if (document := load_script(script.text())) is not None
    ]
    reader = _Reader(documents)
    return [item for node in _top_nodes(documents) if (item := reader.item(node)) is not None]


def load_script(text: str) -> Any:
    """What the script says; None when it cannot be made out.

    >>> load_script('{"a": [1, 2,], /* two */}')
    {'a': [1, 2]}
    """
    if len(text) > _LARGEST_SCRIPT:
        return None
    try:
        return orjson.loads(text)
    except ValueError:
        return _load_flawed(text)


def _load_flawed(text: str) -> Any:
    """Read JSON with comments, stray commas, raw line breaks in strings, or escaped as HTML."""
    text = _unwrapped(text.lstrip("\ufeff").strip()).strip().rstrip(";")
    if '"' not in text:
        text = text.replace("&quot;", '"').replace("&amp;", "&")
    for _ in range(2):  # a comma may stand before a comment before a bracket
        text = _EXCESS.sub(lambda found: found[1] or "", text)
    try:
        # Python's reader is the one that takes raw line breaks in strings.
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _unwrapped(text: str) -> str:
    """A script without the comment or CDATA section around it, which hides it from old browsers.

    >>> _unwrapped('//<![CDATA[ {} //]]>'), _unwrapped('<!-- [1] -->;'), _unwrapped('/*')
    ('{} ', '[1]', '/*')
    """
    opening = _OPENING.match(text)
    text = text[opening.end() :] if opening else text
    end = text.rstrip().removesuffix(";").rstrip().removesuffix("*/").rstrip()
    if not end.endswith(("-->", "]]>")):
        return text
    return end[:-3].rstrip(" \t\r\n").removesuffix("//").removesuffix("/*")


def _top_nodes(documents: list[Any]) -> Iterator[dict[str, Any]]:
    waiting = documents[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(reversed(node[:_MOST_NODES]))
        elif isinstance(node, dict):
            graph = node.get("@graph")
            if isinstance(graph, (list, dict)):
                waiting.append(graph)
            if "@type" in node or graph is None:
                yield node


class _Reader:
    """Makes items of the nodes of one page."""

    def __init__(self, documents: list[Any]) -> None:
        self._nodes_left = _MOST_NODES
        self._by_id = {
            node["@id"]: node
            for node in _top_nodes(documents)
            if isinstance(node.get("@id"), str) and len(node) > 1
        }

    def item(self, node: dict[str, Any], depth: int = 0) -> Item | None:
        """The node as an item; None when it says nothing or the page says too much."""
        self._nodes_left -= 1
        if self._nodes_left < 0 or depth > _DEEPEST:
            return None
        properties = tuple(self._properties(node, depth))
        types = node.get("@type")
        named = types if isinstance(types, list) else [types]
        kinds = tuple(local_name(kind) for kind in named if isinstance(kind, str))
        return Item("json-ld", kinds, properties) if properties else None

    def _properties(self, node: dict[str, Any], depth: int) -> Iterator[tuple[str, str | Item]]:
        for name, value in node.items():
            if name.startswith("@"):
                continue
            for single in value if isinstance(value, list) else (value,):
                read = self._value(single, depth)
                if read:
                    yield local_name(name), read

    def _value(self, value: Any, depth: int) -> str | Item | None:
        if isinstance(value, str):
            # Half a surrogate pair can be written in JSON but not be sent on.
            return value.strip()[:_LONGEST_VALUE].encode("utf-8", "ignore").decode()
        if isinstance(value, dict):
            if "@value" in value:
                return self._value(value["@value"], depth)
            return self.item(self._meant(value), depth + 1)
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, (int, float)) else None

    def _meant(self, node: dict[str, Any]) -> dict[str, Any]:
        """The node itself, or the one it refers to."""
        name = node.get("@id")
        return self._by_id.get(name, node) if len(node) == 1 and isinstance(name, str) else node


def local_name(name: str) -> str:
    """The name itself.

    >>> local_name("http://schema.org/PostalAddress"), local_name("v:street-address")
    ('PostalAddress', 'street-address')
    """
    return name.rstrip("/#").rpartition("/")[2].rpartition("#")[2].rpartition(":")[2]
