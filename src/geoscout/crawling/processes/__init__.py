"""Other processes that answer questions, so that work that takes long holds up nobody.

`pool.py` has them take turns, `process.py` is one of them, `line.py` the socket to it, what goes
over it and what an answer may cost, and `nursery.py` the process that they are forked from.
"""

from geoscout.crawling.processes.line import OverLimitError, ReplyLimits, UnpreparedError
from geoscout.crawling.processes.nursery import Responder
from geoscout.crawling.processes.pool import Processes

__all__ = ["OverLimitError", "Processes", "ReplyLimits", "Responder", "UnpreparedError"]
