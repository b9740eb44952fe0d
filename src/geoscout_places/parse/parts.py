"""Which part of a page an element begins: main text, navigation, header, footer, aside.

The element and its role say it best (HTML Accessibility API Mappings); class and id are the habit
of twenty years of templates, read word by word. What says nothing is judged afterwards by how much
of it is links: see `density.py`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

from geoscout_places.model import Part
from geoscout_places.parse.elements import ElementAttributes


class Trait(Struct, frozen=True):
    """What an element says about its content."""

    part: Part | None = None
    sure: bool = False  # said by the element or its role, not by a class


class Scope(Struct, frozen=True):
    """The part that the walk is in."""

    part: Part = Part.MAIN
    sure: bool = False


PLAIN = Trait()


def _named(names: str) -> frozenset[str]:
    return frozenset(names.split())


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
_WRAPPERS = _named(
    "area bar block bottom box center col column container content desktop group holder inner "
    "left links list main menu mobile nav outer primary region right row secondary section top "
    "widget widgets wrap wrapper 1 2 3 4"
)
# Words before it that make it the part of a thing in the page ("card-footer"), or a state of the
# whole page ("has-sidebar").
_SPOILERS = _named(
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
