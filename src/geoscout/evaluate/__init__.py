"""How well does a crawl focus? Worlds with known truth, measures, the oracle, and reports."""
