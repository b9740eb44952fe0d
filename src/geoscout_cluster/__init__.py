"""A crawl by several processes, on one machine or many; `worker.py` is the one to read first.

PostgreSQL is all that they share. The work is divided into partitions, sets of sites. A worker
claims some of them under leases and runs each as a lane: the loop of `crawl.py` with a frontier of
its own. Links to sites of other partitions go to them as rows (`exchange.py`), in the transaction
of the page they stand in. When a worker dies, its leases end and the others take its partitions.

A partition here is a part of the work. A node of a collaborative crawl (`collaborate/`) owns
places, and has requests in every partition.
"""
