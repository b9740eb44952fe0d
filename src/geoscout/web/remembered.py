"""The answers given last, as they were sent, for as long as the index is the same.

A search is asked again more often than one would think: by the back button, a reload, a shared
address, the next letter taken back. An answer is some 10 KB, so a few hundred cost little.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable

_MOST = 512


class Remembered:
    """The last answers by question; for several threads."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()
        self._changing = threading.Lock()

    def get(self, question: Hashable) -> bytes | None:
        """The answer that was given; None when it was not, or long ago."""
        with self._changing:
            answer = self._answers.get(question)
            if answer is not None:
                self._answers.move_to_end(question)
            return answer

    def put(self, question: Hashable, answer: bytes) -> None:
        with self._changing:
            self._answers[question] = answer
            if len(self._answers) > self._most:
                self._answers.popitem(last=False)
