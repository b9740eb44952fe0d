"""Regular expressions that are compiled when they are first used.

The address formats have two hundred of them, and a page needs few. Whoever starts a reader should
not wait for the rest.
"""

import re
from typing import Any, cast

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "split", "sub")


class _LazyPattern:
    """A pattern that has none of its methods until the first one is asked for.

    From then on they are attributes of the object, so that a call costs what it costs with
    `re.compile`.
    """

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self.flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return vars(self)[name]


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` returns, but compiled by the first call of one of its methods.

    An error in the pattern is therefore raised by that call.

    >>> lazy_pattern("[0-9]{5}").search("Berlin 10117").group()
    '10117'
    """
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
