"""The archived copy of a page, made harmless.

Three walls, each enough alone: what loads or runs is taken out of the markup, the response's own
policy forbids everything but inline styles, and its sandbox makes it a page of no origin without
scripts, forms or pop-ups.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser
from starlette.responses import Response as HttpResponse

from geoscout_places.model import Response
from geoscout_places.parse.charset import decode
from geoscout_places.parse.limits import pieces_of, tame

_LARGEST = 1_000_000  # bytes shown
_REMOVED = (
    "script, link, base, iframe, frame, frameset, object, embed, applet, portal, noscript,"
    " meta[http-equiv], template, audio, video, source, track"
)
_LOADING = ("src", "srcset", "background", "poster", "data", "ping", "autofocus")
_LEADING = ("action", "formaction")
_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'self'"
)
# Style sheets of other files are not in the archive: without them icons fill the screen and lines
# run from edge to edge. It stands first, so that what the page says of itself wins.
_STYLE = (
    "<!doctype html><style>body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:1rem"
    " auto;padding:0 1rem}:where(img){max-width:100%;height:auto}:where(svg:not([width]),"
    "svg[width$='%']){width:1.3em;height:1.3em}:where(nav,footer){font-size:.85em}</style>"
)
_HEADERS = {"content-security-policy": _POLICY, "x-dns-prefetch-control": "off"}


def show_copy(response: Response) -> HttpResponse:
    """The copy as a response of ours; what is not HTML is shown as text."""
    content_type = response.header("content-type")
    body = response.body[:_LARGEST]
    if "html" in content_type.lower() or not content_type:
        text = _STYLE + defuse(decode(body, content_type, response.url))
        return HttpResponse(text, media_type="text/html; charset=utf-8", headers=_HEADERS)
    return HttpResponse(body, media_type="text/plain; charset=utf-8", headers=_HEADERS)


def defuse(html: str) -> str:
    """HTML without anything that runs, loads or leads on by itself.

    Markup that would take the parser minutes is parsed in pieces, as when it was crawled.

    >>> defuse('<body onload="x()"><a href="javascript:x()">a</a><script>x()</script></body>')
    '<html><head></head><body><a>a</a></body></html>'
    """
    return "".join(map(_defused, pieces_of(tame(html))))


def _defused(piece: bytes) -> str:
    tree = LexborHTMLParser(piece)
    for node in tree.css(_REMOVED):
        node.decompose()
    for node in tree.css("*"):
        for name, value in list(node.attributes.items()):
            if _is_unsafe(name.lower(), value or ""):
                del node.attrs[name]
    return tree.html or ""


def _is_unsafe(name: str, value: str) -> bool:
    if name.startswith("on") or name in _LOADING:
        return not (name == "src" and value.startswith("data:image/"))
    if name in _LEADING:
        return True
    if name in ("href", "xlink:href"):
        return not value.lower().lstrip().startswith(("http:", "https:", "#"))
    return name == "style" and "url(" in value.lower()
