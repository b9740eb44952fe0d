"""Lists of words that tell lines of pages apart, one file each in `data/`."""

from __future__ import annotations

from importlib.resources import files


def word_list(name: str) -> frozenset[str]:
    """The words of `data/NAME.txt`, in lower case."""
    return frozenset((files("geoscout_directory") / f"data/{name}.txt").read_text("utf-8").split())
