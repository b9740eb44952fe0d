"""What each HTML element means to a reader: a new block, nothing to see, a part of the page.

lexbor numbers the elements it knows. The numbers are asked for once at import, by parsing one page
that has them all, so that the walk compares integers and a new lexbor may number differently.

The element and its role say best which part begins (HTML Accessibility API Mappings); class and id
are the habit of twenty years of templates, read word by word. What says nothing is judged
afterwards by how much of it is links (`blocks.mark_menus`).
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from geoscout_places.model import Part

ElementAttributes = Mapping[str, str | None]  # None: an attribute without a value


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Elements that begin and end a block and whose attributes say nothing we use.
PLAIN_BLOCKS = _words(
    "blockquote body button caption dd details dir dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 "
    "hgroup hr html legend li menu noframes optgroup option p search summary tbody tfoot "
    "th thead tr"
)
# Blocks that may enclose a part of the page: their role, class and id are looked at.
CONTAINERS = _words(
    "address article aside center dialog div dl footer form header main nav ol section table td ul"
)
PREFORMATTED = frozenset({"pre", "plaintext", "xmp", "listing"})
# Their content is not for the eye, and links in them are not for a reader. A <select> shows one of
# its options; the others are lists of all countries or cities, which the page is not about.
UNSEEN = _words(
    "audio canvas datalist embed noembed noframes noscript object rp script select style svg "
    "template textarea video -comment"
)
# Elements without content; kept apart because the walk need not descend.
EMPTY = _words("col colgroup input param source track wbr")
# Read by the walk, each in its own way.
SPECIAL = _words("a area base br frame iframe img link meta title")
# Set side by side by style sheets: "<span>Main St 1</span><span>Springfield</span>" is two things.
APART = _words("a data label span time")
_INLINE = _words(
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


class Trait(Struct, frozen=True):
    """What an element says about its content."""

    part: Part | None = None
    sure: bool = False  # said by the element or its role, not by a class


class Scope(Struct, frozen=True):
    """The part that the walk is in."""

    part: Part = Part.MAIN
    sure: bool = False


PLAIN = Trait()


def _each(part: Part, names: str) -> dict[str, Part]:
    return dict.fromkeys(names.split(), part)


_PART_OF_ELEMENT = {
    "main": Part.MAIN,
    "article": Part.MAIN,
    "nav": Part.NAVIGATION,
    "header": Part.HEADER,
    "footer": Part.FOOTER,
    "aside": Part.ASIDE,
    "address": Part.ADDRESS,
}
_PART_OF_ROLE = {
    "main": Part.MAIN,
    "navigation": Part.NAVIGATION,
    "menu": Part.NAVIGATION,
    "menubar": Part.NAVIGATION,
    "banner": Part.HEADER,
    "contentinfo": Part.FOOTER,
    "complementary": Part.ASIDE,
}
_PART_OF_WORD = {
    **_each(
        Part.NAVIGATION,
        "nav navbar navi navigation breadcrumb breadcrumbs crumbs pagination pager topnav subnav "
        "sidenav mainnav mainmenu submenu topmenu menubar sitemap",
    ),
    **_each(Part.FOOTER, "footer colophon footnav bottombar"),
    **_each(Part.HEADER, "masthead topbar siteheader pageheader"),
    **_each(
        Part.ASIDE,
        "sidebar sidecol leftcol rightcol advert advertisement adverts cookie cookies "
        "cookiebanner consent newsletter",
    ),
}
_PART_OF_NAME = {
    **_each(
        Part.NAVIGATION,
        "main-menu top-menu side-menu mobile-menu footer-menu user-menu dropdown-menu nav-menu "
        "site-menu menu-main bread-crumb bread-crumbs",
    ),
    **_each(
        Part.HEADER,
        "header site-header global-header main-header header-wrapper header-container header-top "
        "top-header top-bar",
    ),
    **_each(Part.ASIDE, "side-bar left-column right-column social-links share-buttons"),
    **_each(
        Part.MAIN,
        "main content main-content maincontent page-content content-main primary-content "
        "article-body entry-content post-content",
    ),
}
# Words after the telling one that leave its meaning alone: "navbar-inner", "footer-links".
_WRAPPERS = _words(
    "area bar block bottom box center col column container content desktop group holder inner "
    "left links list main menu mobile nav outer primary region right row secondary section top "
    "widget widgets wrap wrapper 1 2 3 4"
)
# Words before it that make it the part of a thing in the page ("card-footer"), or a state of the
# whole page ("has-sidebar").
_SPOILERS = _words(
    "article blog box card comment dialog entry form has have is item js list modal no not panel "
    "post product quote section table teaser tile widget with without"
)
_WORDS = re.compile(r"[a-z]+|[0-9]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DISPLAY_NONE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def trait_of(name: str, attributes: ElementAttributes) -> Trait:
    """What the element says about its content; PLAIN when nothing."""
    if not attributes:
        return _trait_of_element(name)
    part = _PART_OF_ROLE.get(attributes.get("role") or "")
    if part is not None:
        return Trait(part, sure=True)
    if name in _PART_OF_ELEMENT:
        return _trait_of_element(name)
    return _trait_of_names(attributes.get("id") or "", attributes.get("class") or "")


def _trait_of_element(name: str) -> Trait:
    part = _PART_OF_ELEMENT.get(name)
    return PLAIN if part is None else Trait(part, sure=True)


@lru_cache(maxsize=4096)
def _trait_of_names(identifier: str, classes: str) -> Trait:
    for token in (identifier, *classes.split()[:8]):
        if token and (part := part_of_token(token)) is not None:
            # "header" heads many a box; as an id it is the page's own.
            if token.lower() == "header" and token != identifier:
                continue
            return Trait(part)
    return PLAIN


def part_of_token(token: str) -> Part | None:
    """The part that a class or an id names.

    >>> part_of_token("site-footer"), part_of_token("card-footer"), part_of_token("mainNav")
    (<Part.FOOTER: 'footer'>, None, <Part.NAVIGATION: 'navigation'>)
    """
    words = _WORDS.findall(_CAMEL.sub("-", token[:60]).lower())
    whole = "-".join(words)
    if whole in _PART_OF_NAME:
        return _PART_OF_NAME[whole]
    for position, word in enumerate(words):
        part = _PART_OF_WORD.get(word)
        if part is not None:
            spoiled = not _SPOILERS.isdisjoint(words[:position])
            return None if spoiled or not _WRAPPERS.issuperset(words[position + 1 :]) else part
    return None


def scope_inside(outer: Scope, inner: Trait) -> Scope:
    """The scope of an element's content, given the one it stands in.

    The outermost statement wins, with these exceptions: an address is one anywhere; navigation in
    a header or footer is navigation; the main element is main even inside a wrapper whose class
    says otherwise; and a header or footer inside the main text belongs to the text.
    """
    part = inner.part
    if part is None or outer.part is Part.ADDRESS:
        return outer
    if part is outer.part:
        return Scope(part, outer.sure or inner.sure)
    if part is Part.ADDRESS or (part is Part.NAVIGATION and inner.sure):
        return Scope(part, sure=True)
    if outer.part is Part.MAIN:
        kept = outer.sure and part in {Part.HEADER, Part.FOOTER}
    else:
        kept = part is not Part.MAIN or (outer.sure and not inner.sure)
    return outer if kept else Scope(part, inner.sure)


def hides(name: str, attributes: ElementAttributes) -> bool:
    """True when the element does not show, by its own attributes."""
    if "hidden" in attributes or (name == "dialog" and "open" not in attributes):
        return True
    return is_styled_away(attributes.get("style") or "")


def is_styled_away(style: str) -> bool:
    """True when a style attribute hides its element."""
    return _DISPLAY_NONE.search(style) is not None
