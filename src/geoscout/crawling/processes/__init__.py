"""Other processes that answer questions, so that work that takes long holds up nobody.

`pool.py` has them take turns, `process.py` is one of them, `line.py` the socket to it, `pieces.py`
what goes over it, `nursery.py` the process that they are forked from, and `questions.py` what is
asked and what it may cost.
"""

from geoscout.crawling.processes.nursery import Responder
from geoscout.crawling.processes.pool import Processes
from geoscout.crawling.processes.questions import OverLimitError, ReplyLimits

__all__ = ["OverLimitError", "Processes", "ReplyLimits", "Responder"]
