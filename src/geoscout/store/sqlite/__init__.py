"""The state of a crawl in one SQLite file."""
