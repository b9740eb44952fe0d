"""The facts of a crawl in PostgreSQL, and its responses in segments."""
