"""Keeps pages from lexbor that would take it minutes or gigabytes.

Building a tree as the HTML standard says is quadratic in places, and lexbor follows it: 100,000
nested <div> take it 50 s, 40 KB of unclosed <font> become two million nodes. Browsers cap the
nesting. So do we, on the text before it is parsed, as the parser cannot be told to:

* an element with more than `MOST_ATTRIBUTES` attributes loses them, and <html> and <body> are read
  only so often, because each adds its attributes to the first;
* formatting elements, which the standard opens again in every block until they are closed, are
  taken out of a page that has many of them and many tags;
* what is nested deeper than `DEEPEST` is taken out of a page with many tags, its content stays;
* what comes after `MOST_TAGS` tags is not read.

The limits are where lexbor would take about 0.3 s. `benchmarks/parse.py` shows what hostile pages
cost.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice

from geoscout.parse.elements import CONTAINERS, PLAIN_BLOCKS
from geoscout.parse.nesting import Nesting, Tag, tags_of

MOST_ATTRIBUTES = 500
MOST_TAGS = 400_000  # a page of 10 MB has 250,000
_MOST_ROOTS = 8
# So many tags cannot nest deep enough to matter.
_MANY_TAGS = 10_000
# Nodes that formatting elements can make: each of them anew at each tag.
_MOST_REOPENED = 500_000
_LONG_RUN = 4000  # characters

_LONG_TAG = re.compile(rf"<[a-zA-Z][^<>]{{{2 * _LONG_RUN},}}")
_ATTRIBUTE = re.compile(r"""[^\s"'=]++(?:\s*=\s*(?:"[^"]*+"|'[^']*+'|[^\s"']++))?+""")
_ANY_TAG = re.compile("<")


def _in_any_case(*names: str) -> str:
    """A pattern for these names; three times as fast as to ignore case."""
    spelt = ("".join(f"[{letter}{letter.upper()}]" for letter in name) for name in names)
    return f"(?:{'|'.join(spelt)})"


_ROOT = re.compile(rf"<{_in_any_case('html', 'body')}(?=[\s/>])")
# All but <a>, of which only one can be open.
_FORMATTING_NAMES = _in_any_case(
    "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"
)
_FORMATTING_START = re.compile(rf"<{_FORMATTING_NAMES}(?=[\s/>])")
_FORMATTING = re.compile(rf"</?{_FORMATTING_NAMES}(?=[\s/>])[^<>]*+>?")
_BLOCKS = CONTAINERS | PLAIN_BLOCKS
# Put where a tag was: it does not show, and "<" and "b>" around it do not become a tag.
NOTHING = "\x7f"


def tame(html: str) -> str:
    """The page itself, or one that reads the same and can be parsed in linear time."""
    tags = html.count("<")
    if tags > MOST_TAGS:
        html = html[: next(islice(_ANY_TAG.finditer(html), MOST_TAGS, None)).start()]
    html = _with_few_attributes(html)
    # Most pages have too few tags for it to matter, and counting is quicker than taking out.
    if (
        tags * tags > _MOST_REOPENED
        and len(_FORMATTING_START.findall(html)) * tags > _MOST_REOPENED
    ):
        html = _FORMATTING.sub(NOTHING, html)
    if tags <= _MANY_TAGS or all(map(Nesting().read, tags_of(html))):
        return html
    return flatten(html)


def _with_few_attributes(html: str) -> str:
    if _has_long_run(html):
        html = _LONG_TAG.sub(_without_attributes, html)
    if len(_ROOT.findall(html)) > _MOST_ROOTS:
        first, *others = _ROOT.split(html)
        html = f"{first}<body{NOTHING.join(others)}"
    return html


def _has_long_run(html: str) -> bool:
    """True when some stretch has no tag begin in it; a quick look before the long tags are sought.

    A long tag covers at least one of the windows, wherever it begins.
    """
    windows = range(0, len(html) - _LONG_RUN, _LONG_RUN)
    return any(html.find("<", start, start + _LONG_RUN) < 0 for start in windows)


def _without_attributes(tag: re.Match[str]) -> str:
    whole = tag[0]
    return whole if len(_ATTRIBUTE.findall(whole)) <= MOST_ATTRIBUTES else whole.split(None, 1)[0]


def flatten(html: str) -> str:
    """The page without the tags of what is nested too deep."""
    nesting = Nesting()
    dropped: Counter[str] = Counter()
    kept: list[str] = []
    position = 0
    for tag in tags_of(html):
        if not _is_kept(tag, nesting, dropped):
            kept += (html[position : tag.start], "<p>" if tag.name in _BLOCKS else NOTHING)
            position = tag.end
    kept.append(html[position:])
    return "".join(kept)


def _is_kept(tag: Tag, nesting: Nesting, dropped: Counter[str]) -> bool:
    if tag.is_end and dropped[tag.name]:
        dropped[tag.name] -= 1
        return False
    if nesting.read(tag):
        return True
    dropped[tag.name] += 1
    return False
