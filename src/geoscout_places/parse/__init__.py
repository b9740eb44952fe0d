"""Any bytes to a `Page`: text in blocks with their part of the page, links, structured data.

`parse_document` takes what a server sent, of any type, `parse_html` a page and `parse_text` a
string. All are pure, and none raises on any input: a bad page is not an error. The way of a page:
`charset` decodes it, `limits` keeps hostile markup from the parser, `walk` goes over the tree once,
`blocks` and `links` cut the text.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geoscout_places.parse.document import parse_document, parse_text
    from geoscout_places.parse.html import parse_html

__all__ = ["parse_document", "parse_html", "parse_text"]


def __getattr__(name: str) -> Any:
    """Import the parser when it is asked for: a crawl reads pages in other processes."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    where = "html" if name == "parse_html" else "document"
    return getattr(import_module(f"geoscout_places.parse.{where}"), name)
