"""The two examples of Kozanidis, Stamou and Spiros, asked of an index.

Lisbon is the one in Portugal, not the one in New Hampshire, unless the query or the place of the
user says otherwise; Athens may be in Greece and in Alabama, and the query can say which.
"""

from __future__ import annotations

from dataclasses import dataclass

from geoscout.search import Question
from geoscout.search.engine import SearchEngine
from geoscout_places.model import Point

IN_NEW_HAMPSHIRE = Point(44.21, -71.91)  # the village of Lisbon


@dataclass(frozen=True)
class Example:
    """A query with the interpretation it must have."""

    text: str
    expected: str  # how the label of the place ends
    near: Point | None = None


EXAMPLES = (
    Example("pizza restaurant in Lisbon", "Portugal"),
    Example("pizza restaurant in Lisbon, New Hampshire", "New Hampshire, United States"),
    Example("pizza restaurant in Lisbon NH", "New Hampshire, United States"),
    Example("pizza restaurant in Lisbon", "New Hampshire, United States", IN_NEW_HAMPSHIRE),
    Example("public schools in Athens, Greece", "Greece"),
    Example("public schools in Athens, Alabama", "Alabama, United States"),
    Example("Athens, Alabama public schools", "Alabama, United States"),
    Example("Athens city public schools", ""),
)


def print_examples(engine: SearchEngine) -> bool:
    """Ask them all; whether each was read as it must be. What has no expectation is shown only."""
    is_right = True
    for example in EXAMPLES:
        answer = engine.answer(Question(example.text, near=example.near, facets=False))
        label = answer.interpretation.label if answer.interpretation.place else "no place"
        is_right &= label.endswith(example.expected)
        mark = "" if label.endswith(example.expected) else "  WRONG"
        asked = f"{example.text} (from New Hampshire)" if example.near else example.text
        print(f"{asked:58} {label} ({answer.total} pages){mark}")
        if not example.expected:
            others = (f"{o.label} ({o.pages})" for o in answer.interpretation.alternatives[:4])
            print(f"{'':58} or {'; '.join(others)}")
    return is_right
