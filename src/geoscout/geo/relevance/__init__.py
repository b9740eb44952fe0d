"""Is a page about the region? The one question the crawl asks of every page.

`Judge` answers it. The rule `about` weighs all evidence of the page and gives a degree from 0 to 1
(`evidence` collects it, `model` weighs it); the rules of published systems (`published`) ask for an
address or for the scope and say yes or no. `benchmarks/relevance` compares them on labelled pages.
"""

from geoscout.geo.relevance.judge import Judge
from geoscout.geo.relevance.model import THRESHOLD, describe
from geoscout.geo.relevance.published import is_inside
from geoscout.model import RelevanceRule

__all__ = ["THRESHOLD", "Judge", "RelevanceRule", "describe", "is_inside"]
