"""The state of a crawl: facts, frontier and archive, which one commit covers.

`base.py` says what it promises and finds where it is kept; `sqlite.py` keeps it in a folder.
"""
