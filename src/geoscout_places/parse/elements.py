"""What each HTML element means to a reader: a new block, a line break, nothing to see.

lexbor numbers the elements it knows. The numbers are asked for once at import, by parsing one page
that has them all, so that the walk compares integers and a new lexbor may number differently.
"""

from __future__ import annotations

from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser

ElementAttributes = Mapping[str, str | None]  # None: an attribute without a value


def _named(names: str) -> frozenset[str]:
    return frozenset(names.split())


# Elements that begin and end a block and whose attributes say nothing we use.
PLAIN_BLOCKS = _named(
    "blockquote body button caption dd details dir dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 "
    "hgroup hr html legend li menu noframes optgroup option p search summary tbody tfoot "
    "th thead tr"
)
# Blocks that may enclose a part of the page: their role, class and id are looked at.
CONTAINERS = _named(
    "address article aside center dialog div dl footer form header main nav ol section table td ul"
)
PREFORMATTED = frozenset({"pre", "plaintext", "xmp", "listing"})
# Their content is not for the eye, and links in them are not for a reader. A <select> shows one of
# its options; the others are lists of all countries or cities, which the page is not about.
UNSEEN = _named(
    "audio canvas datalist embed noembed noframes noscript object rp script select style svg "
    "template textarea video -comment"
)
# Elements without content; kept apart because the walk need not descend.
EMPTY = _named("col colgroup input param source track wbr")
# Read by the walk, each in its own way.
SPECIAL = _named("a area base br frame iframe img link meta title")
# Set side by side by style sheets: "<span>Main St 1</span><span>Springfield</span>" is two things.
APART = _named("a data label span time")
_INLINE = _named(
    "abbr acronym b bdi bdo big blink cite code del dfn em font i ins kbd mark math nobr output "
    "progress meter q rb rt rtc ruby s samp slot small strike strong sub sup tt u var "
    "frameset head map marquee picture"
)


def _numbers() -> dict[str, int]:
    elements = PLAIN_BLOCKS | CONTAINERS | PREFORMATTED | UNSEEN | EMPTY | SPECIAL | APART | _INLINE
    tree = LexborHTMLParser("")
    numbers = {
        name: tree.create_node(name).tag_id for name in sorted(elements) if not name.startswith("-")
    }
    sample = LexborHTMLParser("<!doctype html><p>x<!-- y -->").root
    assert sample is not None
    for node in sample.traverse(include_text=True):
        if node.tag is not None and node.tag.startswith("-"):
            numbers[node.tag] = node.tag_id
    return numbers


NUMBERS = _numbers()
NAMES = {number: name for name, number in NUMBERS.items()}
TEXT = NUMBERS["-text"]
