"""The entries of a directory in a form that answers at once: by id, words, category, place, page.

`tables.py` is the file, `refreshing.py` writes what differs and notes what has changed,
`finding.py` answers. `storage.py` above keeps all of it up with the crawl.
"""
