"""Other processes that answer questions, so that work that takes long holds up nobody.

`pool.py` has them take turns, `line.py` is the socket to one of them, what goes over it and what an
answer may cost, and `nursery.py` the process that they are forked from.
"""

from geoscout.crawling.processes.line import OverLimitError, ReplyLimits, UnpreparedError
from geoscout.crawling.processes.nursery import Responder
from geoscout.crawling.processes.pool import Processes

__all__ = ["OverLimitError", "Processes", "ReplyLimits", "Responder", "UnpreparedError"]
