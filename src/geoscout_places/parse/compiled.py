"""Reads lexbor's tree of a page with a kernel: text, blocks and links in one go.

The kernel `walk` does what `walk.py`, `blocks.py` and most of `links.py` do, on bytes. It resolves
references that need no thought, and asks Python for the others. It reaches the tree through
lexbor's public C functions, which it is given by their names in the library that selectolax has
loaded, and `LexborNode.mem_id`; it knows nothing of how a node is laid out. Where one of the names
is missing, or lexbor is of another major version, the walk in Python runs and the log says so once.

What elements and attributes mean is said in one place, in Python: the kernel has it as tables, and
asks for what depends on the words of an attribute.
"""

import ctypes
import logging
from collections.abc import Iterable
from functools import cache
from typing import Any

from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from geoscout_places._native import kernel
from geoscout_places.model import Block, Item, Link, Page, Part
from geoscout_places.parse.blocks import (
    DENSE_SHARE,
    INDEX_SHARE,
    LONG_BLOCK,
    SHORTEST_RUN,
    border_to,
)
from geoscout_places.parse.elements import (
    APART,
    CONTAINERS,
    EMPTY,
    NAMES,
    NUMBERS,
    PLAIN_BLOCKS,
    PREFORMATTED,
    UNSEEN,
    Scope,
    Trait,
    is_styled_away,
    scope_inside,
    trait_of,
)
from geoscout_places.parse.links import DEEPEST_PATH, LONGEST_NAME, MOST_LINKS, resolver_for
from geoscout_places.parse.structured import MOST_ITEMS, SeenMarkup, items_of
from geoscout_places.parse.walk import HtmlHead, language_of, refresh_target

_log = logging.getLogger(__name__)
_LEXBOR_VERSION = 3  # the major version whose functions are declared in _native/c/walk.h
# In the order of `struct lexbor` there.
_FUNCTIONS = (
    "lxb_dom_node_first_child_noi",
    "lxb_dom_node_next_noi",
    "lxb_dom_node_prev_noi",
    "lxb_dom_node_parent_noi",
    "lxb_dom_node_tag_id_noi",
    "lxb_dom_node_type_noi",
    "lxb_dom_node_text_content",
    "lxb_dom_document_destroy_text_noi",
    "lxb_dom_element_first_attribute_noi",
    "lxb_dom_element_next_attribute_noi",
    "lxb_dom_attr_qualified_name",
    "lxb_dom_attr_value_noi",
    "lxb_dom_element_qualified_name",
)
# In the order of `enum action` there; the first is for all elements that are in none.
_ACTIONS = (
    frozenset[str](),
    frozenset({"-text"}),
    UNSEEN | EMPTY,
    PLAIN_BLOCKS - UNSEEN,
    CONTAINERS,
    PREFORMATTED,
    frozenset({"br"}),
    APART - {"a"},
    *map(frozenset, ({"a"}, {"area"}, {"frame", "iframe"}, {"img"}, {"title"}, {"meta"})),
    *map(frozenset, ({"link"}, {"base"})),
)
_PARTS = tuple(Part)
_SCOPES = tuple(Scope(part, sure=sure) for part in _PARTS for sure in (False, True))
_WHICH_TRAIT, _IS_STYLED_AWAY = 0, 1


def read_compiled(trees: Iterable[LexborHTMLParser], url: str) -> Page | None:
    """The page whose trees these are, one at a time; None where Python has to walk them."""
    reader = _reader()
    if reader is None:
        return None
    page, head = reader.begin(), HtmlHead()
    items: list[Item] = []
    for tree in trees:
        root, names = tree.root, len(head.meta)
        if root is None or tree.body is None:
            return None
        head.language = head.language or language_of(root)
        kinds, metas, references, marked = page.add(root.mem_id)
        for name, content in metas:
            head.add_meta({"name": name, "content": content})
        items += items_of(tree, head.meta[names:], references, SeenMarkup(kinds, marked))
    resolver = resolver_for(url, page.base())
    text, blocks, links, head.title, canonicals = page.finish(
        resolver.resolve, resolver.host_start, resolver.directory
    )
    for reference, rel in canonicals:
        head.add_link({"href": reference, "rel": rel})
    return Page(
        url=url,
        title=head.title,
        language=head.claimed_language(),
        text=text,
        blocks=blocks,
        links=links,
        items=tuple(items[:MOST_ITEMS]),
        meta=tuple(head.meta),
        canonical=resolver.resolve(head.canonical),
    )


@cache
def _reader() -> Any | None:
    compiled = kernel("walk")
    functions = _addresses() if compiled is not None else None
    if functions is None or compiled is None:
        return None
    count = max(NUMBERS.values()) + 1
    return compiled.TreeReader(
        functions,
        actions=_actions(count),
        traits=bytes(_trait_number(_PLAIN_TRAITS.get(number)) for number in range(count)),
        names=[NAMES.get(number, "").encode() for number in range(count)],
        inside=bytes(
            _SCOPES.index(scope_inside(outer, Trait(inner.part, sure=inner.sure)))
            for outer in _SCOPES
            for inner in _SCOPES
        ),
        part_marks=bytes(ord(border_to(s.part, sure=s.sure)[1]) for s in _SCOPES),
        apart=[NUMBERS[name] for name in APART],
        dialog=NUMBERS["dialog"],
        answer=_answer,
        target=_target,
        most_links=MOST_LINKS,
        deepest_path=DEEPEST_PATH,
        longest_name=LONGEST_NAME,
        block=Block,
        link=Link,
        parts=_PARTS,
        menus={
            "dense_share": DENSE_SHARE,
            "index_share": INDEX_SHARE,
            "long_block": LONG_BLOCK,
            "shortest_run": SHORTEST_RUN,
            "main": _PARTS.index(Part.MAIN),
            "navigation": _PARTS.index(Part.NAVIGATION),
        },
    )


def _addresses() -> list[int] | None:
    """Where lexbor's functions are; None when this is not the lexbor that is known."""
    if lexbor.LEXBOR_VERSION_MAJOR != _LEXBOR_VERSION:
        _log.warning(
            "selectolax has lexbor %s, not %s, so pages are read by the slower form in Python",
            lexbor.LEXBOR_VERSION_MAJOR,
            _LEXBOR_VERSION,
        )
        return None
    library = ctypes.CDLL(lexbor.__file__)
    try:
        found = [ctypes.cast(getattr(library, name), ctypes.c_void_p) for name in _FUNCTIONS]
    except AttributeError as error:
        _log.warning("lexbor lacks a function, so pages are read in Python, slower: %s", error)
        return None
    return [pointer.value or 0 for pointer in found]


def _actions(count: int) -> bytes:
    actions = bytearray(count)
    for action, names in enumerate(_ACTIONS):
        for name in names:
            actions[NUMBERS[name]] = action
    return bytes(actions)


_PLAIN_TRAITS = {NUMBERS[name]: trait_of(name, {}) for name in CONTAINERS}


def _trait_number(trait: Trait | None) -> int:
    if trait is None or trait.part is None:
        return 0
    return _SCOPES.index(Scope(trait.part, sure=trait.sure)) + 1


def _answer(question: int, tag: int, first: str, second: str, third: str) -> int:
    """Answer the kernel: the trait of a container, or whether a style hides or a meta sends on."""
    if question == _WHICH_TRAIT:
        attributes = {"role": first, "id": second, "class": third}
        return _trait_number(trait_of(NAMES[tag], attributes))
    if question == _IS_STYLED_AWAY:
        return int(is_styled_away(first))
    return int(bool(_target(first)))


def _target(content: str) -> str:
    return refresh_target({"http-equiv": "refresh", "content": content})
