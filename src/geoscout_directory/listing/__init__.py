"""The merged directory in a form that answers at once: by id, words, category, place and page.

`tables.py` is the file, `writing.py` brings it up to a new result of merging and notes what has
changed, `finding.py` answers, `keeping.py` keeps it up with the crawl. It takes nothing but
`DirectoryEntry` records, so it does not know how they were read and merged.
"""
