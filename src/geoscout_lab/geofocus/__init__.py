"""GeoFocus, a benchmark of focused crawling: tasks, lists of URLs in order, and their score."""
