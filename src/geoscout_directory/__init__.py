"""From pages to a directory: the businesses, clubs and offices behind the pages of a crawl.

`page_reader.py` makes a `PageEntry` of everything that a page names together with an address, from
its markup (`from_markup.py`) and its text (`from_text.py`). `merging.py` brings together what
several pages say of the same thing. `updating.py` keeps the file of a directory up with the crawl,
by the store's change log, as the search index is kept. docs/why/directory.md says why so.
"""
