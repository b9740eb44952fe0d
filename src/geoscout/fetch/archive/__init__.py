"""Pages from WARC files instead of the web."""
