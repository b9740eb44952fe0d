"""How much of a link's text is about places: its location focus.

The paper divides the toponyms of "the anchor text" by its terms, and elsewhere speaks of a window
of 50 tokens. Both readings are here (K-5 and K-6 in docs/rank.md).
"""

from __future__ import annotations

import re

from geoscout.strategy.rank.structure import Context

_TERM = re.compile(r"\w[\w'’.-]*")
_ANCHOR = ("anchor",)
_WINDOW = ("anchor", "before", "after")


def focus_in(context: Context, text: str, count: str) -> float:
    """The share of place names, from 0 to 1; 0 where there are no terms.

    `text` is "anchor", "window" or "anchor-or-window": the window where the anchor has no terms.
    `count` is "entities", where New York is one, or "tokens", where it is two.
    """
    if not context.evidence:
        return 0.0
    if text == "window" or (text == "anchor-or-window" and not _TERM.search(context.anchor)):
        texts = (context.before, context.anchor, context.after)
        return _share(context, _WINDOW, sum(map(_count_terms, texts)), count)
    return _share(context, _ANCHOR, _count_terms(context.anchor), count)


def _share(context: Context, sources: tuple[str, ...], terms: int, count: str) -> float:
    found = [piece.toponym for piece in context.evidence if piece.source in sources]
    if not found or not terms:
        return 0.0
    named = sum(toponym.words for toponym in found) if count == "tokens" else len(found)
    return min(1.0, named / terms)


def _count_terms(text: str) -> int:
    return len(_TERM.findall(text)) if text else 0
