"""Crawls of a world without network, parser or politeness, and the oracles beside them."""
