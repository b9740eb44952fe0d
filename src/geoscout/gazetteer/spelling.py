"""The names nearest to one that is not known."""

from __future__ import annotations

from collections.abc import Iterable

_CLOSE_ENOUGH = 60.0  # of 100; below this a suggestion only confuses
TYPOS = 3  # names further away than this many keystrokes are not worth comparing


def nearest(folded: str, known: Iterable[str], limit: int) -> list[str]:
    """Of the known folded names those closest to `folded`, the closest first."""
    # rapidfuzz takes 20 ms to import and is needed only when a name was mistyped.
    from rapidfuzz import process  # noqa: PLC0415
    from rapidfuzz.distance import DamerauLevenshtein  # noqa: PLC0415

    candidates = [name for name in known if abs(len(name) - len(folded)) <= TYPOS]
    found = process.extract(
        folded,
        candidates,
        scorer=DamerauLevenshtein.normalized_similarity,
        score_cutoff=_CLOSE_ENOUGH / 100,
        limit=limit,
    )
    return [name for name, _, _ in found]
