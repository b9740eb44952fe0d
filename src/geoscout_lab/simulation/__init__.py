"""Crawls of a world without network, parser or politeness, and oracles to compare them with."""
