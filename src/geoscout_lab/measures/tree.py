"""How relevant pages hang together: bridges, tails and distances in the tree of a crawl.

The tree has an edge from each visit to the visit whose link it followed. A bridge is a stretch of
pages that are not relevant between two that are; a tail is such a stretch behind the last one.
The definitions are those of Ahlers and Boll 2009.
"""

from __future__ import annotations

from collections.abc import Sequence

NONE_ABOVE = -1  # no page on the way from the seed was relevant
SEED = -1  # the parent of a seed


def gaps(parents: Sequence[int], relevant: Sequence[bool]) -> list[int]:
    """For each visit the pages since the last relevant one on its path, itself included.

    `parents` are numbers of visits, smaller than the visit's own, or `SEED`. `NONE_ABOVE` where
    there was no relevant page.

    >>> gaps([-1, 0, 1, 2, 3, 4], [True, False, False, True, True, False])
    [0, 1, 2, 0, 0, 1]
    """
    found: list[int] = []
    for parent, is_relevant in zip(parents, relevant, strict=True):
        above = NONE_ABOVE if parent == SEED else found[parent]
        found.append(0 if is_relevant else above if above == NONE_ABOVE else above + 1)
    return found


def bridge_distances(parents: Sequence[int], relevant: Sequence[bool]) -> list[int]:
    """For each relevant page with a relevant one above it, how many others lie between them.

    >>> bridge_distances([-1, 0, 1, 2, 3, 4], [True, False, False, True, True, False])
    [2, 0]
    """
    above = gaps(parents, relevant)
    return [
        above[parent]
        for parent, is_relevant in zip(parents, relevant, strict=True)
        if is_relevant and parent != SEED and above[parent] != NONE_ABOVE
    ]


def tails(parents: Sequence[int], relevant: Sequence[bool]) -> list[int]:
    """For each leaf below a relevant page, the pages since that one; 0 for a relevant leaf.

    >>> tails([-1, 0, 1, 2, 3, 4], [True, False, False, True, True, False])
    [1]
    """
    inner = set(parents)
    since = gaps(parents, relevant)
    return [gap for n, gap in enumerate(since) if n not in inner and gap != NONE_ABOVE]


def seed_distances(depths: Sequence[int], relevant: Sequence[bool]) -> list[int]:
    """How many links each relevant page is from its seed."""
    return [depth for depth, is_relevant in zip(depths, relevant, strict=True) if is_relevant]


def share_behind_bridges(parents: Sequence[int], relevant: Sequence[bool]) -> float:
    """The share of relevant pages that were reached over at least one other page; 0 for none."""
    distances = bridge_distances(parents, relevant)
    return sum(distance > 0 for distance in distances) / len(distances) if distances else 0.0
