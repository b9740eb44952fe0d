"""What a server sent, of whatever type, to a `Page`: HTML, plain text, or PDF.

Plain text stays as it is, because offsets into it are what callers want back. A blank line ends a
block; the lines of a paragraph or an address stay together.

PDF is read by PDFium: the parser of a browser, fuzzed for years. It is C++ and documents are
hostile, so a crawl only calls it in a process of its own that may take so much time and memory and
no more (`crawling/processes`). A document that cannot be opened, because it is damaged or has a
password, is a page without text.

A page is read without its outline: headings, dialled numbers and mails. Only a directory has a use
for those, and only of pages with an address; they are taken from the tree right after reading.
Feeds are those that `<link rel="alternate" type="application/rss+xml" href=…>` names.
"""

from __future__ import annotations

import ctypes
import html
import re
import threading
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from geoscout_places.extras import require
from geoscout_places.model import Block, Link, Outline, Page, Part
from geoscout_places.parse.charset import decode
from geoscout_places.urls import resolve

if TYPE_CHECKING:
    from geoscout_places.parse.html import HtmlTrees

_BLANK_LINES = re.compile(r"[^\S\n]*\n(?:[^\S\n]*\n)+")


def parse_text(text: str, url: str = "") -> Page:
    """The text as a page without title, links or markup."""
    blocks = []
    start = 0
    for border in _BLANK_LINES.finditer(text):
        blocks.append(_block(text, start, border.start()))
        start = border.end()
    blocks.append(_block(text, start, len(text)))
    filled = tuple(block for block in blocks if block.start < block.end)
    return Page(url=url, title="", language="", text=text, blocks=filled)


def _block(text: str, start: int, end: int) -> Block:
    """What is left between the offsets without white space at its edges."""
    inner = text[start:end]
    stripped = inner.lstrip()
    start += len(inner) - len(stripped)
    return Block(start, start + len(stripped.rstrip()), Part.MAIN)


_PDFIUM = threading.Lock()  # it may not be called from two threads at once
PDF_TYPE, PDF_MARK = "application/pdf", b"%PDF-"
_MOST_PAGES = 500
_MOST_CHARACTERS = 2_000_000
_MOST_LINKS = 2000  # of the whole document
_LONGEST_URL = 2083  # bytes
_PARAGRAPH_GAP = 0.5  # heights of a line; less is the space between the lines of a paragraph
_CELL_GAP = 1.0  # the same; less is the space between two words, also of justified lines
_HEADLINE_RATIO = 1.3  # of the heights of two lines, where one is a headline
# PDFium puts a mark for a hyphen at the end of a line. Before a capital it belongs to the word, as
# in Baden-Württemberg, before a small letter it does not.
_HYPHEN = re.compile(r"(?:[\ufffe\x02]|(?<=\w)-(?=\r?\n))(?:\r?\n)?(?=[A-ZÀ-Þ])")
_HYPHENATED = re.compile(r"[\ufffe\x02](?:\r?\n)?|(?<=\w)-\r?\n(?=[a-zß-ÿ])")


@cache
def can_read_pdf() -> bool:
    """Whether the extra is installed."""
    return find_spec("pypdfium2") is not None


def check_pdf() -> None:
    """Raises UsageError where PDF cannot be read."""
    require("to read PDF", "pdf", "pypdfium2")


def parse_pdf(body: bytes, url: str) -> Page:
    """A document as a page; one without text if it cannot be opened, or the extra is missing."""
    if not can_read_pdf():
        return Page.empty(url)
    import pypdfium2  # noqa: PLC0415 - an extra; 20 ms

    try:
        with _PDFIUM, pypdfium2.PdfDocument(body) as document:
            texts, links = _read(document, url)
            title = document.get_metadata_value("Title").strip()
    except pypdfium2.PdfiumError:
        return Page.empty(url)
    page = parse_text("\n\n".join(texts)[:_MOST_CHARACTERS], url)
    title = title or page.text.lstrip().partition("\n")[0][:200].strip()
    return Page(url, title, "", page.text, page.blocks, links=tuple(links))


def _read(document: Any, url: str) -> tuple[list[str], list[Link]]:
    """The texts of the pages, and the links to the web."""
    import pypdfium2  # noqa: PLC0415

    texts: list[str] = []
    links: list[Link] = []
    left = _MOST_CHARACTERS
    for number in range(min(len(document), _MOST_PAGES)):
        try:
            page = document[number]
            words = page.get_textpage()
        except pypdfium2.PdfiumError:  # a damaged one between good ones
            continue
        texts.append(_text(words))
        links += _links(page, words, url, _MOST_LINKS - len(links))
        left -= len(texts[-1])
        words.close()
        page.close()
        if left <= 0:
            break
    return texts, links


def _text(words: Any) -> str:
    """The text of a page, with a blank line where a reader sees a new paragraph or column."""
    text = words.get_text_range().replace("\x00", " ")
    pieces: list[str] = []
    start, before = 0, None
    for line in text.splitlines(keepends=True):
        box = _box(words, start)
        if before and box and _begins_block(before, box):
            pieces.append("\n")
        pieces.append(_with_cells(words, line, start))
        before = box or before
        start += len(line)
    return _HYPHENATED.sub("", _HYPHEN.sub("-", "".join(pieces))).replace("\r\n", "\n")


def _with_cells(words: Any, line: str, start: int) -> str:
    """A line of a table as one line for each cell."""
    cells = line.split(" ")
    place = start
    for number, cell in enumerate(cells[:-1]):
        place += len(cell)
        left, right = _box(words, place - 1), _box(words, place + 1)
        if left and right and right[0] - left[2] > _CELL_GAP * (left[3] - left[1]):
            cells[number] += "\n"
        place += 1
    return " ".join(cells).replace("\n ", "\n")


def _box(words: Any, index: int) -> tuple[float, float, float, float] | None:
    """Left, bottom, right and top of a character; None where it has none."""
    import pypdfium2  # noqa: PLC0415

    try:
        box: tuple[float, float, float, float] = words.get_charbox(index, loose=True)
    except (pypdfium2.PdfiumError, IndexError, ValueError):
        return None
    return box if box[3] > box[1] else None


def _begins_block(
    before: tuple[float, float, float, float], box: tuple[float, float, float, float]
) -> bool:
    heights = sorted((before[3] - before[1], box[3] - box[1]))
    is_higher = box[3] > before[3] + heights[0]  # the next column
    is_far = before[1] - box[3] > _PARAGRAPH_GAP * heights[0]
    return is_higher or is_far or heights[1] > _HEADLINE_RATIO * heights[0]


def _links(page: Any, words: Any, url: str, most: int) -> Iterator[Link]:
    """What can be clicked on a page."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    place, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(most):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(place), ctypes.byref(link)):
            return
        target = resolve(_uri(pdfium, page, link), url)
        if target:
            yield Link(target, anchor=_anchor(pdfium, link, words), tag_path="pdf")


def _uri(pdfium: Any, page: Any, link: Any) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    document = page.pdf.raw
    length = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
    if not 1 < length <= _LONGEST_URL:
        return ""
    buffer = ctypes.create_string_buffer(length)
    pdfium.FPDFAction_GetURIPath(document, action, buffer, length)
    return buffer.value.decode("utf-8", "replace")


def _anchor(pdfium: Any, link: Any, words: Any) -> str:
    box = pdfium.FS_RECTF()
    if not pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(box)):
        return ""
    text: str = words.get_text_bounded(box.left, box.bottom, box.right, box.top)
    return " ".join(text.split())[:200]


TEXT_TYPE = "text/plain"
_MARK_WITHIN = 1024  # bytes; readers of PDF look no further for its mark


def is_pdf(body: bytes, content_type: str) -> bool:
    """Whether a document is read as PDF; of what states no type, what begins like one."""
    kind = _media_type(content_type)
    return kind == PDF_TYPE or (not kind and PDF_MARK in body[:_MARK_WITHIN])


class OpenDocument:
    """A document that was read by its type, and can still be asked for its outline.

    The arguments are those of `parse_html`. Any bytes are a document, and a string is plain text as
    it stands.
    """

    def __init__(self, body: bytes | str, url: str, content_type: str = "") -> None:
        self.trees: HtmlTrees | None = None
        if isinstance(body, str):
            self.page = parse_text(body, url)
        elif is_pdf(body, content_type):
            self.page = parse_pdf(body, url)
        elif _media_type(content_type) == TEXT_TYPE:
            text = decode(body, content_type, url).replace("\r\n", "\n").replace("\r", "\n")
            self.page = parse_text(text, url)
        else:  # who reads only text need not wait 0.1 s for lexbor and numpy
            from geoscout_places.parse.html import HtmlTrees, page_of  # noqa: PLC0415

            self.trees = HtmlTrees(body, url, content_type)
            self.page = page_of(self.trees, url)

    def outline(self) -> Outline:
        """What stands out on the page; nothing where it is not one of HTML."""
        return outline_of(self.trees) if self.trees is not None else Outline()


def parse_document(body: bytes | str, url: str, content_type: str = "") -> Page:
    """The page of a document, read by its type; the arguments are those of `OpenDocument`."""
    return OpenDocument(body, url, content_type).page


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].partition(",")[0].strip().lower()


if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_HEADINGS = "h1, h2, h3, h4, h5, h6, dt, caption, th, strong, b, summary"
_DIALLED = 'a[href^="tel:" i], a[href^="mailto:" i]'
_MOST = 2000  # of each, on one page
_LONGEST = 200  # characters of a heading


def outline_of(trees: Iterable[LexborHTMLParser]) -> Outline:
    """The outline of the page whose trees these are."""
    headings: list[tuple[int, str]] = []
    dialled: list[str] = []
    for tree in trees:
        headings += [(_level(node), _heading(node)) for node in tree.css(_HEADINGS)[:_MOST]]
        dialled += [node.attributes.get("href") or "" for node in tree.css(_DIALLED)[:_MOST]]
    return Outline(
        tuple((level, text) for level, text in headings if text),
        _targets(dialled, "tel:"),
        _targets(dialled, "mailto:"),
    )


def _level(node: LexborNode) -> int:
    tag = node.tag or ""
    return int(tag[1]) if tag[:1] == "h" and tag[1:].isdigit() else 7


def _heading(node: LexborNode) -> str:
    text = " ".join(node.text(separator=" ").split())
    return text if len(text) <= _LONGEST else ""


def _targets(references: list[str], scheme: str) -> tuple[str, ...]:
    found = (
        unquote(reference[len(scheme) :].partition("?")[0]).strip()
        for reference in references
        if reference.lower().startswith(scheme)
    )
    return tuple(dict.fromkeys(filter(None, found)))


_HEAD = 100_000  # bytes in which a page names its feeds
_MOST_FEEDS = 3  # of a page; blogs name one for each article's comments, too
_MARK = re.compile(rb"\+(?:xml|XML)")  # in the types of feeds; a third of the time of two searches
_LINK = re.compile(r"<link\b([^<>]{0,1000})>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]{1,20})\s{0,9}=\s{0,9}(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))")
_TYPES = ("application/rss+xml", "application/atom+xml")


def feeds_of(body: bytes, url: str) -> tuple[str, ...]:
    """The URLs of a page's feeds, in its order, without those of comments."""
    head = body[:_HEAD]
    if _MARK.search(head) is None:
        return ()
    found: dict[str, None] = {}
    for link in _LINK.finditer(head.decode("utf-8", "replace")):
        feed = _feed(link[1])
        target = resolve(feed, url) if feed else None
        if target and "comment" not in target.lower():
            found[target] = None
    return tuple(found)[:_MOST_FEEDS]


def _feed(attributes: str) -> str:
    """The target of a link, if it is a feed; "" otherwise."""
    values = {
        found[1].lower(): html.unescape(found[2] or found[3] or found[4] or "").strip()
        for found in _ATTRIBUTE.finditer(attributes)
    }
    is_feed = values.get("type", "").lower() in _TYPES
    is_other = "alternate" in values.get("rel", "").lower().split()
    return values.get("href", "") if is_feed and is_other else ""
