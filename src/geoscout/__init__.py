"""geoscout finds the web pages that are about a place."""

__version__ = "0.1.0"
