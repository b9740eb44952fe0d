"""Is a page about the region? The one question the crawl asks of every page.

`Judge` answers it. The rule `about` weighs all evidence of the page (`judge` collects it, with the
`names`) and gives a degree from 0 to 1; those of published systems (`rules`) ask for an address or
for the scope and say yes or no. `benchmarks/relevance` compares them on labelled pages.
"""

from typing import TYPE_CHECKING, Any

from geoscout_places.geo.relevance.rules import THRESHOLD, describe, has_scope_inside, is_inside
from geoscout_places.model import RelevanceRule

if TYPE_CHECKING:
    from geoscout_places.geo.relevance.judge import Judge

__all__ = ["THRESHOLD", "Judge", "RelevanceRule", "describe", "has_scope_inside", "is_inside"]


def __getattr__(name: str) -> Any:
    """Import the judge when it is asked for: a crawl judges pages in other processes."""
    if name != "Judge":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from geoscout_places.geo.relevance.judge import Judge  # noqa: PLC0415

    return Judge
