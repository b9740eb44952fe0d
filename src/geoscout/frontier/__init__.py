"""What to fetch next, and when: order and politeness are decided here and nowhere else.

The frontier in `sqlite.py` lies in the database of the crawl and goes on where the last commit was;
the one in `journal.py` works at hand and gives what changed as rows, for a server. `TableView`
is what others see of a frontier, also of one that another process is running.
"""
