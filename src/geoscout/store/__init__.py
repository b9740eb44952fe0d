"""Visits at rest: their responses in WARC files, what is known of them in a database, a change log.

`CrawlWriter` is what the running crawl writes to, `CrawlReader` what everybody else reads from.
The folder `sqlite` has both for a crawl in a folder.
"""
