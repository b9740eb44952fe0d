"""Is a page about the region? The one question the crawl asks of every page.

`Judge` answers it. The rule `about` weighs all evidence of the page and gives a degree from 0 to 1
(`evidence` collects it, `model` weighs it); the rules of published systems (`published`) ask for an
address or for the scope and say yes or no. `benchmarks/relevance` compares them on labelled pages.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from geoscout_places.model import RelevanceRule

if TYPE_CHECKING:
    from geoscout_places.geo.relevance.judge import Judge
    from geoscout_places.geo.relevance.model import THRESHOLD, describe
    from geoscout_places.geo.relevance.published import is_inside

__all__ = ["THRESHOLD", "Judge", "RelevanceRule", "describe", "is_inside"]

_MODULES = {"Judge": "judge", "THRESHOLD": "model", "describe": "model", "is_inside": "published"}


def __getattr__(name: str) -> Any:
    """Import the judge when it is asked for: a crawl judges pages in other processes."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"geoscout_places.geo.relevance.{_MODULES[name]}"), name)
