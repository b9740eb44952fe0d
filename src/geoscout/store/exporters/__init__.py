"""One file for each format that a crawl can be exported in: each has a `create`."""
