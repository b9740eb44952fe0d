"""Statements of many pages about the same things, brought together.

Statements meet only in blocks: those with the same telephone number, the same house, the same
website in one town, or the same postal code and a word of the name. In a large block each is
compared with its neighbours by name only. So the work grows with the number of statements, and the
result does not depend on their order. What was found to be the same is joined by a union-find.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from geoscout.directory.choosing import make_entry
from geoscout.directory.likeness import NormalForm, normal_form, why_same
from geoscout.directory.records import DirectoryEntry, MergeReason, PageEntry

_ALL_PAIRS = 24  # statements of a block that are all compared with each other
_NEIGHBOURS = 8  # that each is compared with in a larger block
_NAME_KEYS = 3  # words of a name that make blocks, the longest
_SHORTEST_KEY = 3


def merge_entries(entries: Iterable[PageEntry]) -> list[DirectoryEntry]:
    """The things that statements are about, in the order of their names; the same for any order."""
    groups = _identical(entries)
    forms = [normal_form(group[0]) for group in groups]
    sets = _Sets(len(groups))
    reasons: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
    for one, other in _pairs(forms):
        if sets.find(one) == sets.find(other) or _is_same_page(groups[one], groups[other]):
            continue
        why = why_same(forms[one], forms[other])
        if why:
            sets.join(one, other)
            reasons[one].append((one, other, why))
    members: dict[int, list[int]] = defaultdict(list)
    for index in range(len(groups)):
        members[sets.find(index)].append(index)
    made = [_made(indices, groups, reasons) for indices in members.values()]
    return sorted(made, key=lambda entry: (entry.name.casefold(), entry.id))


def _made(
    indices: Sequence[int],
    groups: Sequence[Sequence[PageEntry]],
    reasons: dict[int, list[tuple[int, int, str]]],
) -> DirectoryEntry:
    said = [entry for index in indices for entry in groups[index]]
    why = (reason for index in indices for reason in reasons.get(index, ()))
    told = (MergeReason(groups[a][0].url, groups[b][0].url, text) for a, b, text in why)
    return make_entry(said, tuple(told))


def _identical(entries: Iterable[PageEntry]) -> list[list[PageEntry]]:
    """The statements in groups that say the same, as the footer of every page of a site does."""
    groups: dict[tuple[str, str, frozenset[str], str], list[PageEntry]] = {}
    ordered = sorted(entries, key=lambda e: (e.url, e.name, e.address.text if e.address else ""))
    for entry in ordered:
        form = normal_form(entry)
        groups.setdefault((form.name, form.house or form.town, form.phones, form.site), []).append(
            entry
        )
    return list(groups.values())


def _is_same_page(one: Sequence[PageEntry], other: Sequence[PageEntry]) -> bool:
    """Whether one page has both: who lists two things means two."""
    return len(one) == len(other) == 1 and one[0].url == other[0].url


def _pairs(forms: Sequence[NormalForm]) -> Iterator[tuple[int, int]]:
    blocks: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, form in enumerate(forms):
        for key in _keys(form):
            blocks[key].append(index)
    for members in blocks.values():
        if len(members) > 1:
            yield from _pairs_of(members, forms)


def _keys(form: NormalForm) -> Iterator[tuple[str, ...]]:
    for phone in form.phones:
        yield ("phone", phone)
    if form.house:
        yield ("house", form.house)
    if form.site:
        yield ("site", form.site, form.town)
    if form.town:
        words = sorted(
            (w for w in form.tokens if len(w) >= _SHORTEST_KEY), key=lambda w: (-len(w), w)
        )
        for word in words[:_NAME_KEYS]:
            yield ("word", form.town, word)


def _pairs_of(members: Sequence[int], forms: Sequence[NormalForm]) -> Iterator[tuple[int, int]]:
    if len(members) <= _ALL_PAIRS:
        for position, one in enumerate(members):
            for other in members[position + 1 :]:
                yield one, other
        return
    ordered = sorted(members, key=lambda index: (forms[index].name, index))
    for position, one in enumerate(ordered):
        for other in ordered[position + 1 : position + 1 + _NEIGHBOURS]:
            yield min(one, other), max(one, other)


class _Sets:
    """A union-find whose sets are named by their smallest member, so that order does not count."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def find(self, member: int) -> int:
        above = self._above
        while above[member] != member:
            above[member] = above[above[member]]
            member = above[member]
        return member

    def join(self, one: int, other: int) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self._above[second] = first
