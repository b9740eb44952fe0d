"""The geo-referenced index: which pages have these words and belong to this place.

It follows the change log of a crawl, lives in a folder of its own and can be deleted without loss.
`IndexWriter` adds and removes pages, `IndexReader` finds them; `search/` makes answers of that.
Import the two from their modules: the records here need neither Tantivy nor numpy.
"""

from geoscout.index.base import Document, PlaceEvidence, Spot

__all__ = ["Document", "PlaceEvidence", "Spot"]
