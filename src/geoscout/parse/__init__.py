"""Any bytes to a `Page`: text in blocks with their part of the page, links, structured data.

`parse_html` takes what a server sent, `parse_text` a string. Both are pure, and neither raises on
any input: a bad page is not an error. The way of a page: `charset` decodes it, `limits` keeps
hostile markup from the parser, `walk` goes over the tree once, `blocks` and `links` cut the text.
"""

from geoscout.parse.html import parse_html
from geoscout.parse.text import parse_text

__all__ = ["parse_html", "parse_text"]
