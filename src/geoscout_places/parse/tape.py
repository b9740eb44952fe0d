"""The tape between the walk and the text: what a reader meets, in order, in one string.

The walk over the tree only appends to it; all joining, splitting and collapsing of white space is
then done on whole runs, by the interpreter in C. That is twice as fast as settling each text node
as it comes.

Marks are control characters that pages have no use for; `drop_marks` takes them out of a page, so
that none can be forged.
"""

from __future__ import annotations

import re

from geoscout_places.model import Part

BORDER = "\x01"  # a block ends here
MARK = "\x02"  # begins a mark inside a block; the next character says which
BREAK = f"{MARK}\x03"  # a line ends here
SEAM = f"{MARK}\x04"  # two words meet here that style sheets set apart
OPEN = f"{MARK}\x05"  # a link begins
CLOSE = f"{MARK}\x06"  # and ends

# After a border: the part that begins there. The main text has two marks, one for what the page
# itself calls main and one for what is main for want of anything else.
_FIRST_PART = 0x0E
_MARK_OF_PART = {part: chr(_FIRST_PART + number) for number, part in enumerate(Part)}
SURE_MAIN = chr(_FIRST_PART + len(Part))
PART_OF_MARK = {mark: part for part, mark in _MARK_OF_PART.items()} | {SURE_MAIN: Part.MAIN}
_MARKS = (BORDER, MARK, *PART_OF_MARK)


def border_to(part: Part, *, sure: bool) -> str:
    """A border at which a part begins."""
    return BORDER + (SURE_MAIN if sure and part is Part.MAIN else _MARK_OF_PART[part])


# The same characters written as references: 1, 2 and 14 to 20.
_REFERENCE = re.compile(
    r"&#(?:0*+(?:[12]|1[4-9]|20)(?![0-9])|[xX]0*+(?:[12eEfF]|1[0-4])(?![0-9a-fA-F]));?"
)


def drop_marks(html: str) -> str:
    """The page without the characters that are marks, in whatever way they are written."""
    for mark in _MARKS:
        if mark in html:
            html = html.replace(mark, "")
    return _REFERENCE.sub("\ufffd", html) if "&#" in html else html
