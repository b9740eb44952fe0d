"""Who works on which part of a job, on PostgreSQL: an engine that knows nothing of pages.

A job is divided into partitions. Any number of processes, the workers, claim some of them, each
under a lease, and go on with what the owner before has committed. All that they share is one
database; nobody coordinates. What this package promises, and `tests/contract/test_engine.py` tries:

- `leases.py`: a partition has one owner at a time. Each claim has an epoch, and every write checks
  it, so an owner that was replaced writes nothing more, however late it wakes up (fencing). An
  owner stops a second before its lease ends by PostgreSQL's clock.
- `exchange.py`: what one partition sends another is written in the sender's transaction and taken
  in the receiver's, once, whoever is killed when; and so is what comes from outside.
- `rents.py`: a thing that several partitions use, such as a server, is used by one at a time, and
  the next waits for the pause that it is due.
- `roster.py`: workers say that they are alive, hear how many partitions each may hold, and see in
  one look whether the job has ended, which is then final.
- `budget.py`: a limit that all partitions share holds exactly, also after deaths.
- `base.py`: the tables, and questions to PostgreSQL that do not stop an event loop.

Whoever uses it opens the transactions: everything here takes a cursor, and what belongs together
is committed together. `examples/engine.py` is a job of forty lines that is not a crawl.
`docs/why/cluster.md` says which other engines there are, and when not to use this one.
"""
