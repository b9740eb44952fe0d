"""The words around a link: inside its block, and in the running text of its page.

A reader of menus and tables wants what stands in the block of the link, which is what `Link.before`
and `Link.after` have. On most real pages that is nothing: half of all links are alone in their
block. Who looks for places in a window of 50 words (Gao, Lee and Miao 2006; Kozanidis, Stamou and
Spiros 2009) asks for `widened` links. They are cut from the page's text by the offsets of the link,
so that a page costs nothing more for those who do not ask.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from geoscout_places.model import Link, Page

WINDOW_TOKENS = 25
# How far a window is looked for, in characters for each word of any language that sets spaces. It
# keeps the work for a link constant however long its block is.
_REACH = 16


def before(text: str, border: int, start: int, words: int = WINDOW_TOKENS) -> str:
    """The last words between the border and the start, with the space between and behind them."""
    reach = max(border, start - _REACH * words)
    piece = text[reach:start]
    tokens = piece.rsplit(None, words)
    # The first piece is what is left over, or a word that the reach has cut.
    if len(tokens) > words or (reach > border and len(tokens) > 1):
        return piece[piece.index(tokens[0]) + len(tokens[0]) :].lstrip()
    return piece.lstrip()


def after(text: str, end: int, border: int, words: int = WINDOW_TOKENS) -> str:
    """The first words between the end and the border, with the space between and before them."""
    reach = min(border, end + _REACH * words)
    piece = text[end:reach]
    tokens = piece.split(None, words)
    if len(tokens) > words or (reach < border and len(tokens) > 1):
        return piece[: piece.rindex(tokens[-1])].rstrip()
    return piece.rstrip()


def widened(links: Iterable[Link], page: Page, words: int = WINDOW_TOKENS) -> list[Link]:
    """The links with this many words of the page on either side, whatever block they are in.

    What is before, the anchor, and what is after are the page's text when they are written one
    after the other. A link without offsets keeps the words it has.
    """
    return [_widened(link, page, words) for link in links]


def _widened(link: Link, page: Page, words: int) -> Link:
    if link.start < 0:
        kept = " ".join(link.before.split()[-words:]), " ".join(link.after.split()[:words])
    else:
        text = page.text
        kept = before(text, 0, link.start, words), after(text, link.end, len(text), words)
    if link.start == link.end:  # nothing of it stands in the text, or nobody knows where
        kept = f"{kept[0]} " if kept[0] else "", f" {kept[1]}" if kept[1] else ""
    return replace(link, before=kept[0], after=kept[1])
