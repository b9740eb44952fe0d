"""Word lists written as one reads them, not as lists of quoted strings."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of a text that has nothing else in it.

    >>> sorted(word_set("street st road"))
    ['road', 'st', 'street']
    """
    return frozenset(text.split())
