"""The figures of the crawl page, read from the tables of a crawl that may be running."""
