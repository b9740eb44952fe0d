"""What the hybrid believes before it has seen a page: a short table that people can read.

The words are learned on synthetic webs only (`python -m tools.prior`, tuning webs 101 to 104), and
mean the same everywhere, such as "contact" and "imprint"; names of places are the gazetteer's
business. What the gazetteer's cues are worth was set by hand.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from geoscout.strategy.hybrid.online import Linear
from geoscout.strategy.terms import term_number


@cache
def prior_terms() -> tuple[tuple[str, float, float], ...]:
    """Terms with their weight for being relevant and for leading to what is."""
    text = (files("geoscout.strategy.hybrid") / "prior.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return tuple((term, float(likely), float(leads)) for term, likely, leads in rows)


def set_prior(likely: Linear, leads: Linear) -> None:
    """Give both models the weights of the table."""
    for term, relevant, led in prior_terms():
        number = term_number(term)
        likely.set_weight(number, relevant)
        leads.set_weight(number, led)
