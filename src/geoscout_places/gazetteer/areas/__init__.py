"""Areas on the globe: shapes, boundaries, and the region of a crawl or a search."""
